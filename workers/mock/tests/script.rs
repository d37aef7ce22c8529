//! The scripted worker over its pipes, as the orchestrator sees it.
#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use tlstax_spec::wire::{Answer, PROTOCOL, Request};
use tlstax_spec::{Case, Nanos, Stage};

struct Worker {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Worker {
    fn start(name: &str, script: &str) -> Self {
        Self::start_in(name, script, None)
    }

    #[expect(clippy::disallowed_methods, reason = "a test of a worker stands where the orchestrator would")]
    fn start_in(name: &str, script: &str, sitting: Option<&str>) -> Self {
        let file = file(&format!("{name}.json"), script);
        let mut child = Command::new(env!("CARGO_BIN_EXE_tlstax-worker-mock"))
            .arg("script")
            .arg(file)
            .env_remove("TLSTAX_SITTING")
            .envs(sitting.map(|sitting| ("TLSTAX_SITTING", sitting)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, input, output }
    }

    fn line(&mut self, request: &str) -> String {
        writeln!(self.input, "{request}").unwrap();
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line
    }

    fn ask(&mut self, request: &Request) -> Answer {
        Answer::decode(self.line(&request.encode()).trim_end()).unwrap()
    }

    fn prepare(&mut self, slot: u32) -> Answer {
        self.ask(&Request::Prepare { slot, case: handshake(), end: None, port: None, target: None })
    }

    fn run(&mut self, slot: u32) -> Answer {
        self.run_in_parts(slot, 0)
    }

    fn run_in_parts(&mut self, slot: u32, part: u64) -> Answer {
        self.ask(&Request::Run { slot, iterations: 10, warmup: 1, part, count: None })
    }

    /// The exit code and what was written to standard error.
    fn end(self) -> (Option<i32>, String) {
        drop(self.input);
        let output = self.child.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    }
}

#[expect(clippy::disallowed_methods, reason = "what a test writes may be lost")]
fn file(name: &str, contents: &str) -> PathBuf {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, contents).unwrap();
    file
}

fn handshake() -> Case {
    let flat = r#"{"library":"a","kind":"handshake","version":"TLSv1.3","suite":"TLS_AES_128_GCM_SHA256",
        "group":"X25519","key":"ecdsa-p256","chain":1,"resumption":"psk","mutual":false}"#;
    serde_json::from_str(flat).unwrap()
}

#[test]
fn an_honest_script_gives_what_it_says() {
    let mut worker =
        Worker::start("honest", r#"{"costs": [{"case": "*", "client_ns": 30, "server_ns": 20}]}"#);
    let Answer::Hello(hello) = worker.ask(&Request::Hello { protocol: PROTOCOL, pki: "pki".to_owned() })
    else {
        panic!("no hello")
    };
    assert_eq!((hello.protocol, hello.family.as_str(), hello.scripted), (PROTOCOL, "script", true));
    assert!(hello.primitives.contains(&"aes-128-gcm:encrypt".to_owned()));

    let Answer::Ready { slot: 3, proof, port: None } = worker.prepare(3) else { panic!("not ready") };
    proof.check(&handshake().workload).unwrap();
    let Answer::Sampled { slot: 3, sample, proof } = worker.run(3) else { panic!("no sample") };
    proof.check(&handshake().workload).unwrap();
    assert_eq!((sample.iterations, sample.cpu.total, proof.handshakes), (10, Nanos(500), 10));

    let reference = Answer::Reference { latency: Nanos(150_000), throughput: Nanos(150_000) };
    assert_eq!(worker.ask(&Request::Reference), reference);
    assert_eq!(worker.ask(&Request::Release { slot: 3 }), Answer::Released { slot: 3 });
    assert!(matches!(worker.run(3), Answer::Failed { slot: 3, .. }));
    writeln!(worker.input, "{}", Request::Bye.encode()).unwrap();
    assert_eq!(worker.end(), (Some(0), String::new()));
}

#[test]
fn cipher_strings_are_expanded_as_the_script_says() {
    let expand = |string: &str, ciphersuites: Option<&str>| Request::Expand {
        string: string.to_owned(),
        ciphersuites: ciphersuites.map(str::to_owned),
    };
    let mut worker = Worker::start("expand", r#"{"expand": {"A": ["TLS_X"]}}"#);
    let suites = |names: &[&str]| Answer::Suites { names: names.iter().map(ToString::to_string).collect() };
    assert_eq!(worker.ask(&expand("A", None)), suites(&["TLS_X"]));
    assert_eq!(worker.ask(&expand("A", Some("TLS_Y:TLS_Z"))), suites(&["TLS_Y", "TLS_Z", "TLS_X"]));
    assert_eq!(worker.ask(&expand("", Some("TLS_Y"))), suites(&["TLS_Y"]));
    assert!(
        matches!(worker.ask(&expand("B", None)), Answer::Failed { slot: 0, stage, .. } if stage == Stage::Expand)
    );
    let mut other = Worker::start("no-expand", "{}");
    assert!(matches!(other.ask(&expand("A", None)), Answer::Unsupported { slot: 0, .. }));
}

#[test]
fn a_line_that_is_no_request_is_answered() {
    let mut worker = Worker::start("malformed", "{}");
    let answer = Answer::decode(worker.line("{}").trim_end()).unwrap();
    assert!(matches!(answer, Answer::Failed { slot: 0, .. }));
    assert!(matches!(worker.prepare(1), Answer::Ready { slot: 1, .. }));
    assert_eq!(worker.end().0, Some(0));
}

#[test]
fn faults_of_the_answer() {
    for (fault, good) in [
        ("other-slot", (|answer| matches!(answer, Answer::Sampled { slot: 2, .. })) as fn(&Answer) -> bool),
        ("fail", |answer| matches!(answer, Answer::Failed { slot: 1, .. })),
        ("unsupported", |answer| matches!(answer, Answer::Unsupported { slot: 1, .. })),
        ("wrong-kind", |answer| matches!(answer, Answer::Released { slot: 1 })),
        ("other-suite", |answer| contradicts(answer)),
        ("other-resumption", |answer| contradicts(answer)),
        ("no-proof", |answer| contradicts(answer)),
        (
            "fewer-iterations",
            |answer| matches!(answer, Answer::Sampled { sample, .. } if sample.iterations == 5),
        ),
        (
            "more-iterations",
            |answer| matches!(answer, Answer::Sampled { sample, .. } if sample.iterations == 20),
        ),
        (
            "no-handshakes",
            |answer| matches!(answer, Answer::Sampled { proof, .. } if (proof.handshakes, proof.resumed) == (0, 0)),
        ),
    ] {
        let script = format!(r#"{{"faults": [{{"case": "a/*", "from": 2, "fault": "{fault}"}}]}}"#);
        let mut worker = Worker::start(fault, &script);
        worker.prepare(1);
        assert!(!good(&worker.run(1)), "{fault}: too early");
        assert!(good(&worker.run(1)), "{fault}");
        worker.end();
    }
}

#[test]
fn faults_of_parts() {
    for (fault, parts) in [
        ("none", vec![60; 5]),
        ("fewer-parts", vec![60; 4]),
        ("more-parts", vec![60; 6]),
        ("parts-do-not-add-up", vec![120; 5]),
    ] {
        let faults = if fault == "none" { String::new() } else { format!(r#"{{"fault": "{fault}"}}"#) };
        let costs = r#"[{"case": "*", "client_ns": 30, "server_ns": 30}]"#;
        let mut worker = Worker::start(fault, &format!(r#"{{"costs": {costs}, "faults": [{faults}]}}"#));
        worker.prepare(1);
        let Answer::Sampled { sample, .. } = worker.run_in_parts(1, 2) else { panic!("{fault}: no sample") };
        let told: Vec<u64> = sample.parts.client.iter().map(|part| part.0).collect();
        assert_eq!((told, sample.parts.server.len()), (parts.clone(), parts.len()), "{fault}");
        assert!(sample.parts.whole.is_empty(), "{fault}");
        let Answer::Sampled { sample, .. } = worker.run(1) else { panic!("{fault}: no sample") };
        assert!(sample.parts.is_empty(), "{fault}: parts that nobody asked for");
        worker.end();
    }
}

fn contradicts(answer: &Answer) -> bool {
    matches!(answer, Answer::Sampled { proof, .. } if proof.check(&handshake().workload).is_err())
}

#[test]
fn faults_of_the_conversation() {
    let at_run = |fault: &str| format!(r#"{{"faults": [{{"fault": "{fault}", "stderr": "oh no"}}]}}"#);
    let run = Request::Run { slot: 1, iterations: 1, warmup: 0, part: 0, count: None }.encode();

    let [rubbish, nothing, half]: [fn(&str) -> bool; 3] = [
        |line| Answer::decode(line.trim_end()).is_err() && line.ends_with('\n'),
        str::is_empty,
        |line| !line.is_empty() && !line.ends_with('\n'),
    ];
    for (fault, is_expected, code) in
        [("rubbish", rubbish, 0), ("die", nothing, 101), ("die-in-answer", half, 101)]
    {
        let mut worker = Worker::start(fault, &at_run(fault));
        worker.prepare(1);
        let line = worker.line(&run);
        assert!(is_expected(&line), "{fault}: {line}");
        assert_eq!(worker.end(), (Some(code), "oh no\n".to_owned()), "{fault}");
    }

    let mut worker = Worker::start("hang", &at_run("hang"));
    worker.prepare(1);
    writeln!(worker.input, "{run}").unwrap();
    assert_eq!(worker.end(), (Some(0), "oh no\n".to_owned()), "a hang ends with its orchestrator");
}

#[test]
fn each_sitting_has_its_own_noise() {
    let script = r#"{"noise": {"jitter": 0.1}}"#;
    let samples = |name: &str, sitting| {
        let mut worker = Worker::start_in(&format!("sitting-{name}"), script, sitting);
        worker.prepare(1);
        [worker.run(1), worker.run(1)].map(|answer| match answer {
            Answer::Sampled { sample, .. } => sample.cpu.total,
            other => panic!("{other:?}"),
        })
    };
    assert_eq!(samples("none", None), samples("0", Some("0")));
    assert_eq!(samples("1", Some("1")), samples("again", Some("1")));
    assert_ne!(samples("0-other", Some("0")), samples("1-other", Some("1")));
    let (code, message) = Worker::start_in("sitting-wrong", script, Some("two")).end();
    assert_eq!(code, Some(1));
    assert!(message.contains("TLSTAX_SITTING"), "{message}");
}

#[test]
fn a_script_that_cannot_be_played_says_why() {
    for script in ["{", r#"{"fault": []}"#, r#"{"hello": {"groups": 3}}"#] {
        let (code, message) = Worker::start("unplayable", script).end();
        assert_eq!(code, Some(1));
        assert!(message.starts_with("tlstax-worker-mock: "), "{message}");
    }
}

/// A worker on a machine that was recorded: quiet, with a neighbour, and quiet again.
fn recorded(name: &str, seed: u64) -> Worker {
    let entries = "[[10, 20, [0, 0], []], [10, 30, [5000, 5000], []], [11, 20, [0, 0], []]]";
    file(&format!("{name}.recording"), &format!(r#"{{"entries": {entries}}}"#));
    Worker::start(
        name,
        &format!(
            r#"{{"seed": {seed}, "noise": {{"recording": "{name}.recording"}},
                "costs": [{{"case": "*", "client_ns": 200, "server_ns": 100}}]}}"#
        ),
    )
}

#[test]
fn a_recording_is_played_from_any_place_on() {
    let mut begun = Vec::new();
    for seed in 0..20 {
        let mut worker = recorded(&format!("recorded-{seed}"), seed);
        worker.prepare(1);
        let readings = [(); 4].map(|()| match worker.ask(&Request::Reference) {
            Answer::Reference { latency, throughput } => (latency.0, throughput.0),
            other => panic!("{other:?}"),
        });
        let recorded = [(10, 20), (10, 30), (11, 20)];
        let at = recorded.iter().position(|reading| *reading == readings[0]).unwrap();
        assert_eq!(readings, [0, 1, 2, 3].map(|on| recorded[(at + on) % 3]));
        begun.push(at);

        let Answer::Sampled { sample, .. } =
            worker.ask(&Request::Run { slot: 1, iterations: 10, warmup: 1, part: 10, count: None })
        else {
            panic!("no sample")
        };
        // The entry of the last reading.
        let factor = if at == 1 { 3 } else { 2 };
        assert_eq!(
            (sample.parts.client, sample.parts.server),
            (vec![Nanos(1000 * factor)], vec![Nanos(500 * factor)])
        );
        let Answer::Sampled { sample, .. } = worker.run(1) else { panic!("no sample") };
        assert_eq!((sample.cpu.total, sample.parts.is_empty()), (Nanos(1500 * factor), true));
        worker.end();
    }
    assert!((0..3).all(|at| begun.contains(&at)), "{begun:?}");
}

#[test]
fn a_recording_that_cannot_be_played_says_why() {
    for (at, (entries, wanted)) in [
        ("[]", "has no entries"),
        ("[[1, 1, [0], []], [0, 1, [0], []]]", "entry 1 of the recording"),
        ("[[1, 1, [], []]]", "has no parts"),
        ("[[1, 1, [-10000], []]]", "took no time"),
        ("[[1, 1, [0, 10], [10]]]", "of each part"),
        ("[[1, 1]]", "malformed"),
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("unplayable-{at}.recording");
        file(&name, &format!(r#"{{"entries": {entries}}}"#));
        let script = format!(r#"{{"noise": {{"recording": "{name}"}}}}"#);
        let (code, message) = Worker::start(&format!("recording-{at}"), &script).end();
        assert_eq!(code, Some(1));
        assert!(message.contains(wanted), "{message}");
    }
    let (_, message) = Worker::start("recording-none", r#"{"noise": {"recording": "none.recording"}}"#).end();
    assert!(message.contains("cannot read the recording"), "{message}");
}
