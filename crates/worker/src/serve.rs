//! The worker's end of the bridge: reads requests line by line, does them one after the other, and answers.
//!
//! The only place in a worker that writes to standard output.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use tlstax_spec::wire::{Answer, Request, Target};
use tlstax_spec::{Case, Side, Stage};

use crate::adapter::Adapter;
use crate::conformance;
use crate::descriptors::raise_limit;
use crate::job::{Batch, Job, JobError, Refusal};
use crate::pki::Pki;
use crate::prepare::prepare;
use crate::setup;
use crate::threads::panicked;

const HELP: &str = "\
A worker of tlstax: measures one TLS library. It is started by `tlstax`, not by hand.

Usage:
  (no arguments)          answer requests on standard input, one JSON object per line; see docs/protocol.md
  --conformance PKI_DIR   check what can only be seen inside of the library; exit code 1 if a check fails
  --help                  print this
";

/// The whole of a worker's `main`: does what the command line says.
pub fn serve(adapter: impl Adapter) -> ExitCode {
    main(|| Ok(adapter))
}

/// As [`serve()`], for a library that has to be started first, which may fail.
pub fn main<A: Adapter>(start: impl FnOnce() -> Result<A, Refusal>) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match start() {
        Ok(adapter) => run(&adapter, &arguments),
        // Told in the conversation, so that it becomes a row that says so.
        Err(Refusal::Unsupported(reason)) if arguments.is_empty() => {
            let answer = Answer::Unsupported { slot: 0, reason };
            // The other end may be gone; the exit code still tells.
            let _ = writeln!(io::stdout(), "{}", answer.encode());
            ExitCode::FAILURE
        }
        // A machine that lacks what the library needs is no fault of the library.
        Err(Refusal::Unsupported(reason)) if arguments[0] == "--conformance" => {
            let _ = writeln!(io::stdout(), "skip  start: {reason}\n0 passed, 0 failed, 1 skipped");
            ExitCode::SUCCESS
        }
        Err(refusal) => {
            // Standard error may be closed; the exit code still tells.
            let _ = writeln!(io::stderr(), "the library does not start: {refusal}");
            ExitCode::FAILURE
        }
    }
}

/// As [`serve()`], for a worker that has arguments of its own and passes on the rest.
pub fn run(adapter: &dyn Adapter, arguments: &[String]) -> ExitCode {
    raise_limit();
    let mut output = io::stdout().lock();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments.as_slice() {
        [] => converse(adapter, io::stdin().lock(), &mut output).map(|()| ExitCode::SUCCESS),
        ["--conformance", pki] => conform(adapter, pki, &mut output),
        ["--help"] => write!(output, "{HELP}").map(|()| ExitCode::SUCCESS),
        _ => writeln!(io::stderr(), "unknown arguments: {}\n\n{HELP}", arguments.join(" "))
            .map(|()| ExitCode::from(2)),
    };
    // The other end of standard output is gone: there is nobody left to tell.
    done.unwrap_or(ExitCode::FAILURE)
}

fn conform(adapter: &dyn Adapter, pki: &str, output: &mut impl Write) -> io::Result<ExitCode> {
    let report = conformance::run(adapter, &Pki::new(pki), output)?;
    Ok(if report.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Answers requests until `bye` or the end of the input.
///
/// # Errors
/// Reading or writing a line failed.
pub fn converse(adapter: &dyn Adapter, mut input: impl BufRead, output: &mut impl Write) -> io::Result<()> {
    let mut desk = Desk { adapter, pki: None, jobs: HashMap::new() };
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&line);
        if text.trim().is_empty() {
            continue;
        }
        let answer = match Request::decode(text.trim()) {
            Ok(Request::Bye) => return Ok(()),
            Ok(request) => desk.answer(request),
            Err(error) => failed(0, JobError::failed(Stage::Prepare, error.to_string())),
        };
        // One write for the whole line: the reader waits for its end.
        let mut line = answer.encode();
        line.push('\n');
        output.write_all(line.as_bytes())?;
        output.flush()?;
    }
}

/// What the worker keeps between requests.
struct Desk<'a> {
    adapter: &'a dyn Adapter,
    pki: Option<Pki>,
    jobs: HashMap<u32, Box<dyn Job + 'a>>,
}

impl<'a> Desk<'a> {
    fn answer(&mut self, request: Request) -> Answer {
        let (slot, answer) = match request {
            Request::Hello { pki, .. } => {
                self.pki = Some(Pki::new(pki));
                // The orchestrator compares the versions of the protocol: it knows the remedy.
                (0, guarded(|| Ok(Answer::Hello(Box::new(setup::hello(self.adapter))))))
            }
            Request::Prepare { slot, case, end, port, target } => {
                (slot, self.prepare(slot, &case, end, port, target.as_ref()))
            }
            Request::Run { slot, iterations, warmup, part, count } => {
                let batch = Batch { iterations, warmup, part, count };
                let sampled = self.with_job(slot, |job| job.run(batch));
                (slot, sampled.map(|(sample, proof)| Answer::Sampled { slot, sample, proof }))
            }
            Request::Usage { slot, part } => {
                let usage = self.with_job(slot, |job| job.usage(part));
                (slot, usage.map(|usage| Answer::Usage { slot, usage }))
            }
            Request::Release { slot } => {
                let job = self.jobs.remove(&slot);
                let release = || {
                    drop(job);
                    Ok(Answer::Released { slot })
                };
                (slot, guarded(release))
            }
            Request::Expand { string, ciphersuites } => {
                let names = self.ask(Stage::Expand, |it| it.expand(&string, ciphersuites.as_deref()));
                (0, names.map(|names| Answer::Suites { names }))
            }
            Request::Look { port, target, version } => {
                let sight = self.ask(Stage::Look, |it| it.look(port, &target, version));
                (0, sight.map(|sight| Answer::Looked(Box::new(sight))))
            }
            // As to a request that is not known: only workers that claim to be scripted need know it.
            Request::Reference => (0, Err(JobError::failed(Stage::Prepare, "this worker is not scripted"))),
            Request::Bye => unreachable!("the loop ends at bye"),
        };
        answer.unwrap_or_else(|error| failed(slot, error))
    }

    fn prepare(
        &mut self,
        slot: u32,
        case: &Case,
        end: Option<Side>,
        port: Option<u16>,
        target: Option<&Target>,
    ) -> Result<Answer, JobError> {
        let pki = self
            .pki
            .as_ref()
            .ok_or_else(|| JobError::failed(Stage::Prepare, "the first request must be hello"))?;
        // A slot that is prepared anew gives up its threads and ports first.
        self.jobs.remove(&slot);
        let prepared =
            guarded(|| prepare(self.adapter, case, end, port, target, pki)).map_err(|error| match error {
                // The trial run is part of getting ready.
                JobError::Failed { stage: Stage::Run, message } => JobError::failed(Stage::Prepare, message),
                other => other,
            })?;
        self.jobs.insert(slot, prepared.job);
        Ok(Answer::Ready { slot, proof: prepared.proof, port: prepared.port })
    }

    /// Has the library do what needs no job.
    fn ask<T>(
        &self,
        stage: Stage,
        act: impl FnOnce(&dyn Adapter) -> Result<T, Refusal>,
    ) -> Result<T, JobError> {
        guarded(|| act(self.adapter).map_err(|refusal| JobError::refused(stage, refusal)))
    }

    fn with_job<T>(
        &mut self,
        slot: u32,
        act: impl FnOnce(&mut (dyn Job + 'a)) -> Result<T, JobError>,
    ) -> Result<T, JobError> {
        let job = self
            .jobs
            .get_mut(&slot)
            .ok_or_else(|| JobError::failed(Stage::Run, "no case is prepared in this slot"))?;
        guarded(|| act(&mut **job))
    }
}

/// A panic is a failure of one case and not of the worker.
fn guarded<T>(act: impl FnOnce() -> Result<T, JobError>) -> Result<T, JobError> {
    catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|panic| Err(panicked(&*panic)))
}

fn failed(slot: u32, error: JobError) -> Answer {
    match error {
        JobError::Unsupported(reason) => Answer::Unsupported { slot, reason },
        JobError::Failed { stage, message } => Answer::Failed { slot, stage, message },
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use tlstax_spec::wire::PROTOCOL;
    use tlstax_spec::{Contexts, Handshake, Id, Method, Resumption, Workload};

    use super::*;
    use crate::control::Control;

    fn converse(lines: &[String]) -> Vec<Answer> {
        let mut output = Vec::new();
        super::converse(&Control, lines.join("\n").as_bytes(), &mut output).unwrap();
        String::from_utf8(output).unwrap().lines().map(|line| Answer::decode(line).unwrap()).collect()
    }

    fn hello() -> String {
        Request::Hello { protocol: PROTOCOL, pki: "pki".to_owned() }.encode()
    }

    fn prepare_handshake(slot: u32, threads: u16) -> String {
        let handshake = Handshake {
            params: setup::USUAL,
            chain: 1,
            resumption: Resumption::Full,
            mutual: false,
            contexts: Contexts::Shared,
        };
        let case =
            Case { library: Id::literal("control"), threads, workload: Workload::Handshake(handshake) };
        Request::Prepare { slot, case, end: None, port: None, target: None }.encode()
    }

    #[test]
    fn a_case_is_prepared_run_and_released() {
        let run = Request::Run { slot: 7, iterations: 3, warmup: 1, part: 0, count: None }.encode();
        let release = Request::Release { slot: 7 }.encode();
        let answers =
            converse(&[hello(), prepare_handshake(7, 1), run.clone(), release, run, Request::Bye.encode()]);
        assert_eq!(answers.len(), 5);
        assert!(matches!(&answers[0], Answer::Hello(hello) if hello.protocol == PROTOCOL));
        assert!(matches!(&answers[1], Answer::Ready { slot: 7, proof, port: None } if proof.handshakes == 1));
        assert!(matches!(&answers[2], Answer::Sampled { slot: 7, sample, proof }
            if sample.iterations == 3 && proof.handshakes == 3));
        assert_eq!(answers[3], Answer::Released { slot: 7 });
        assert!(matches!(&answers[4], Answer::Failed { slot: 7, stage, .. } if *stage == Stage::Run));
    }

    #[test]
    fn bad_requests_are_answered_and_the_worker_goes_on() {
        let rubbish = "what?".to_owned();
        let incomplete = r#"{"do":"prepare","slot":3,"library":"control","kind":"handshake"}"#.to_owned();
        let usage = Request::Usage { slot: 1, part: 0 }.encode();
        let lines = [prepare_handshake(1, 1), rubbish, incomplete, hello(), prepare_handshake(1, 0)];
        let answers =
            converse(&[&lines[..], &[prepare_handshake(1, 1), usage, Request::Reference.encode()]].concat());
        let failures = |answer: &Answer| matches!(answer, Answer::Failed { .. });
        assert!(answers[..3].iter().all(failures), "{answers:?}");
        assert!(matches!(&answers[3], Answer::Hello(_)));
        assert!(matches!(&answers[4], Answer::Failed { slot: 1, stage, .. } if *stage == Stage::Prepare));
        assert!(matches!(&answers[5], Answer::Ready { slot: 1, .. }));
        assert!(answers[6..].iter().all(failures), "{answers:?}");
    }

    #[test]
    fn a_library_without_cipher_strings_that_does_not_look_at_servers_says_so() {
        let (address, name) = ("127.0.0.1".to_owned(), "server.test".to_owned());
        let target = Target { address, name, path: "/".to_owned(), method: Method::Post };
        for (request, why) in [
            (Request::Expand { string: "HIGH".to_owned(), ciphersuites: None }, "cipher strings"),
            (Request::Look { port: 443, target, version: None }, "lean"),
        ] {
            let answers = converse(&[request.encode()]);
            assert!(
                matches!(&answers[..], [Answer::Unsupported { slot: 0, reason }] if reason.contains(why)),
                "{answers:?}"
            );
        }
    }

    #[test]
    fn a_panic_is_a_failed_case() {
        let error = guarded::<()>(|| panic!("the library went mad")).unwrap_err();
        assert_eq!(
            failed(9, error),
            Answer::Failed {
                slot: 9,
                stage: Stage::Run,
                message: "the worker panicked: the library went mad".to_owned()
            }
        );
    }
}
