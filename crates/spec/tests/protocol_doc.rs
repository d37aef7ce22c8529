//! docs/protocol.md against the codec: every example is a message that comes back as it stands there, and every field
//! of every message is explained.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use tlstax_spec::wire::{Answer, Count, Request, Sight, Target, Usage};
use tlstax_spec::{
    Algorithm, Bytes, Case, ClientCore, Compression, Content, Contexts, Cpu, Direction, FlatCase, FlatSample,
    Group, Http, Id, Instructions, Key, Load, Method, Nanos, Op, Page, Parts, Pattern, Proof, Resumption,
    Sample, Sessions, Side, Stage, Suite, Version, Workload,
};

const DOC: &str = include_str!("../../../docs/protocol.md");

#[test]
fn every_example_is_a_message_as_the_codec_writes_it() {
    for line in examples() {
        assert_eq!(again(line), line);
    }
}

#[test]
fn every_kind_of_message_has_an_example() {
    let shown: BTreeSet<String> = examples().iter().map(|line| kind(line)).collect();
    let kinds = |of, kinds: &'static str| kinds.split(' ').map(move |kind| format!("{of} {kind}"));
    let requests = kinds("do", "hello prepare run usage release expand look reference bye");
    let answers =
        kinds("is", "hello ready sampled unsupported failed usage released suites looked reference");
    assert_eq!(shown, requests.chain(answers).collect());
}

#[test]
fn every_field_is_explained() {
    let mut missing = Vec::new();
    for line in fullest() {
        let message: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&line).unwrap();
        missing.extend(
            message.into_iter().map(|(field, _)| field).filter(|field| !DOC.contains(&format!("`{field}`"))),
        );
    }
    assert_eq!(missing, [""; 0]);
}

#[test]
fn the_fields_of_a_flat_row_are_known_by_their_names() {
    let row = serde_json::to_value(fullest_case()).unwrap();
    let row: BTreeSet<&str> = row.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(row, FlatCase::FIELDS.iter().copied().collect());
}

/// In the transcript every request but `bye` is followed by an answer about the same slot.
#[test]
fn the_transcript_takes_turns() {
    let lines: Vec<&str> = block("transcript").collect();
    for pair in lines.chunks(2) {
        let request = Request::decode(pair[0].strip_prefix("> ").unwrap()).unwrap();
        let Some(answer) = pair.get(1) else {
            assert_eq!(request, Request::Bye);
            continue;
        };
        let answer = Answer::decode(answer.strip_prefix("< ").unwrap()).unwrap();
        let slot = match request {
            Request::Prepare { slot, .. } | Request::Run { slot, .. } | Request::Release { slot } => {
                Some(slot)
            }
            _ => None,
        };
        assert_eq!(answer.slot(), slot);
    }
}

fn again(line: &str) -> String {
    match kind(line).starts_with("do") {
        true => Request::decode(line).map(|request| request.encode()).unwrap(),
        false => Answer::decode(line).map(|answer| answer.encode()).unwrap(),
    }
}

fn kind(line: &str) -> String {
    let message: serde_json::Value = serde_json::from_str(line).unwrap();
    let of = |field: &str| message[field].as_str().map(|kind| format!("{field} {kind}"));
    of("do").or_else(|| of("is")).unwrap()
}

fn examples() -> Vec<&'static str> {
    let bare = |line: &'static str| line.trim_start_matches(['>', '<', ' ']);
    block("json").chain(block("transcript")).map(bare).collect()
}

/// The lines of all fenced blocks of a language.
fn block(language: &str) -> impl Iterator<Item = &'static str> {
    let fence = format!("```{language}");
    let mut inside = false;
    DOC.lines().filter(move |line| {
        if line.starts_with("```") {
            inside = *line == fence;
            return false;
        }
        inside
    })
}

/// Messages that have every field there is.
fn fullest() -> Vec<String> {
    let cpu = Cpu { total: Nanos(3), user: Some(Nanos(2)), system: Some(Nanos(1)) };
    let sample = Sample {
        iterations: 1,
        wall: Nanos(1),
        cpu,
        bytes: Bytes(1),
        client: Some(cpu),
        server: Some(cpu),
        latency: Some(String::new()),
        parts: Parts { whole: vec![Nanos(1)], client: vec![Nanos(1)], server: vec![Nanos(1)] },
        client_core: ClientCore {
            latency: vec![Nanos(1)],
            throughput: vec![Nanos(1)],
            round_trip: vec![Nanos(1)],
        },
        client_waited: Some(Nanos(1)),
        instructions: Some(Box::new(Instructions { whole: 1, client: Some(1), server: Some(1) })),
    };
    let proof = Proof {
        version: Some(Version::Tls13),
        suite: Some(Suite::Aes128Gcm),
        group: Some(Group::X25519),
        key: Some(Key::EcdsaP256),
        round_trips: Some(1),
        flights: vec![1],
        answer: Some(String::new()),
        ..Proof::default()
    };
    vec![
        Request::Hello { protocol: 1, pki: String::new() }.encode(),
        prepare(),
        Request::Run { slot: 0, iterations: 1, warmup: 1, part: 1, count: Some(Count::Instructions) }
            .encode(),
        Request::Expand { string: String::new(), ciphersuites: Some(String::new()) }.encode(),
        serde_json::to_string(&fullest_case()).unwrap(),
        serde_json::to_string(&FlatSample::from(sample.clone())).unwrap(),
        Answer::Hello(Box::default()).encode(),
        Answer::Ready { slot: 0, proof: proof.clone(), port: Some(1) }.encode(),
        Answer::Sampled { slot: 0, sample, proof }.encode(),
        Answer::Unsupported { slot: 0, reason: String::new() }.encode(),
        Answer::Failed { slot: 0, stage: Stage::Run, message: String::new() }.encode(),
        Answer::Usage { slot: 0, usage: usage() }.encode(),
        Answer::Suites { names: Vec::new() }.encode(),
        Request::Look { port: 1, target: target(), version: Some(Version::Tls13) }.encode(),
        Answer::Looked(Box::new(sight())).encode(),
        Answer::Reference { latency: Nanos(1), throughput: Nanos(1) }.encode(),
    ]
}

fn usage() -> Usage {
    Usage {
        version: Some(Version::Tls13),
        suite: Some(Suite::Aes128Gcm),
        group: Some(Group::X25519),
        ..Usage::default()
    }
}

fn prepare() -> String {
    let id = Id::literal("any");
    let case = Case { library: id.clone(), threads: 1, workload: Workload::Load(Load::new(id, None)) };
    Request::Prepare { slot: 0, case, end: Some(Side::Client), port: Some(1), target: Some(target()) }
        .encode()
}

fn target() -> Target {
    Target { address: String::new(), name: String::new(), path: String::new(), method: Method::Put }
}

fn sight() -> Sight {
    Sight {
        version: Some(Version::Tls13),
        suite: Some(Suite::Aes128Gcm),
        group: Some(Group::X25519),
        key: Some(Key::EcdsaP256),
        resumptions: Vec::new(),
        http: Vec::new(),
        status: Some(200),
        body: Some(1),
        varies: true,
        keeps: true,
        problem: Some(String::new()),
    }
}

/// A row with every field of every kind. Not `..default()`: a new field must be thought of here.
fn fullest_case() -> FlatCase {
    FlatCase {
        library: String::new(),
        kind: String::new(),
        threads: Some(2),
        op: Some(Op::Sign),
        algorithm: Some(Algorithm::Md5),
        size: Some(1),
        pattern: Some(Pattern::Tls),
        version: Some(Version::Tls12),
        suite: Some(Suite::Aes128Gcm),
        group: Some(Group::X25519),
        key: Some(Key::Rsa2048),
        chain: Some(1),
        resumption: Some(Resumption::Full),
        mutual: Some(false),
        contexts: Some(Contexts::PerThread),
        direction: Some(Direction::Upload),
        record: Some(1),
        write: Some(1),
        buffer: Some(1),
        compression: Some(Compression::Deflate),
        content: Some(Content::Random),
        side: Some(Side::Client),
        connections: Some(1),
        client: Some(String::new()),
        requests_per_connection: Some(1),
        body: Some(1),
        work_us: Some(1),
        resumed_percent: Some(1),
        http: Some(Http::Http2),
        rate: Some(1),
        page: Some(Page::FastCgi),
        response_headers: Some(32),
        form: Some(true),
        sendfile: Some(false),
        tls_buffer: Some(1),
        workers: Some(2),
        pinned: Some(false),
        sessions: Some(Sessions::PerWorker),
    }
}
