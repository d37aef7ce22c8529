//! The conversation: a line in, a line out, unless the script wants it otherwise.

use std::collections::HashMap;
use std::io::{self, BufRead, Read, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;

use tlstax_spec::wire::{Answer, Request};
use tlstax_spec::{Case, Stage, Workload};

use super::costs::{self, Round};
use super::fault::{Faults, distort};
use super::format::{At, Fault, Script, ScriptError};
use super::machine::Machine;
use super::proof;
use super::recording::Recording;

/// The exit code of a worker that dies, as of a Rust program that panics.
const DEAD: u8 = 101;

/// Plays a script on standard input and output; without a file, the default one.
pub fn serve(file: Option<&Path>) -> ExitCode {
    match play(file) {
        Ok(code) => code,
        Err(error) => {
            // Nobody is left to tell if standard error is closed.
            let _ = writeln!(io::stderr(), "tlstax-worker-mock: {error}");
            ExitCode::FAILURE
        }
    }
}

fn play(file: Option<&Path>) -> Result<ExitCode, Box<dyn std::error::Error>> {
    let script = Script::read(file)?;
    // A hello that is none must not wait for the first request to be told.
    proof::hello(script.protocol, &script.hello)?;
    let recording = script.noise.recording.as_deref().map(Recording::read).transpose()?;
    let mut player = Player::new(script, recording, sitting()?);
    let mut input = io::stdin().lock();
    let mut line = String::new();
    while input.read_line(&mut line)? > 0 {
        let step = match Request::decode(line.trim_end()) {
            Ok(Request::Bye) => break,
            Ok(request) => player.answer(request, &mut input)?,
            Err(error) => {
                let failed = Answer::Failed { slot: 0, stage: Stage::Protocol, message: error.to_string() };
                say(&failed.encode())?;
                ControlFlow::Continue(())
            }
        };
        if let ControlFlow::Break(code) = step {
            return Ok(code);
        }
        line.clear();
    }
    Ok(ExitCode::SUCCESS)
}

/// Which generation of processes this one is of, as the orchestrator says; 0 for whoever plays a script by hand.
fn sitting() -> Result<u64, ScriptError> {
    match std::env::var_os("TLSTAX_SITTING") {
        None => Ok(0),
        Some(value) => {
            let value = value.to_string_lossy().into_owned();
            value.parse().map_err(|_| ScriptError::Sitting { value })
        }
    }
}

struct Player {
    script: Script,
    machine: Machine,
    faults: Faults,
    cases: HashMap<u32, Case>,
    batches: HashMap<String, u32>,
}

impl Player {
    fn new(script: Script, recording: Option<Recording>, sitting: u64) -> Self {
        let machine = Machine::new(script.noise.clone(), recording, script.seed, sitting);
        let faults = Faults::new(script.faults.clone());
        Self { script, machine, faults, cases: HashMap::new(), batches: HashMap::new() }
    }

    fn answer(&mut self, request: Request, input: &mut impl Read) -> io::Result<ControlFlow<ExitCode>> {
        let (at, slot) = kind(&request);
        if let Request::Prepare { slot, case, .. } = &request {
            self.cases.insert(*slot, case.clone());
        }
        let case = slot.and_then(|slot| self.cases.get(&slot)).cloned();
        let answer = self.honest(request)?;
        let id = case.as_ref().map(Case::id).unwrap_or_default();
        let Some(rule) = self.faults.next(at, &id) else {
            say(&answer.encode())?;
            return Ok(ControlFlow::Continue(()));
        };
        if !rule.stderr.is_empty() {
            writeln!(io::stderr(), "{}", rule.stderr)?;
        }
        misbehave(rule.fault, &distort(rule.fault, case.as_ref(), answer), input)
    }

    /// What a worker without faults would answer.
    fn honest(&mut self, request: Request) -> io::Result<Answer> {
        Ok(match request {
            Request::Hello { .. } => {
                Answer::Hello(Box::new(proof::hello(self.script.protocol, &self.script.hello)?))
            }
            Request::Prepare { slot, case, .. } if matches!(case.workload, Workload::Load(_)) => {
                let reason =
                    "a scripted worker makes no loads: its two ends could not agree on what they counted";
                Answer::Unsupported { slot, reason: reason.to_owned() }
            }
            Request::Prepare { slot, case, .. } => {
                Answer::Ready { slot, proof: proof::proof(&case, 1), port: None }
            }
            Request::Run { slot, iterations, part, .. } => match self.cases.get(&slot) {
                Some(case) => {
                    let batches = self.batches.entry(case.id()).or_default();
                    let parts = iterations.checked_div(part);
                    let mut factors = self.machine.batch(parts);
                    let jitter = self.machine.jitter(costs::jitter(&self.script, case));
                    factors.iter_mut().for_each(|factor| *factor = factor.times(jitter));
                    let (earlier, in_parts) = (*batches, parts.is_some());
                    let round = Round { iterations, earlier, factors: &factors, in_parts };
                    let sample = costs::sample(&self.script, case, &round);
                    *batches += 1;
                    Answer::Sampled { slot, sample, proof: proof::proof(case, iterations) }
                }
                None => failed(slot, Stage::Run, "nothing was prepared in this slot"),
            },
            Request::Usage { slot, .. } => failed(slot, Stage::Run, "a scripted worker serves no loads"),
            Request::Release { slot } => {
                self.cases.remove(&slot);
                Answer::Released { slot }
            }
            Request::Expand { string, ciphersuites } => self.expand(&string, ciphersuites.as_deref()),
            Request::Look { .. } => {
                let reason = "a scripted worker does not look at servers".to_owned();
                Answer::Unsupported { slot: 0, reason }
            }
            Request::Reference => {
                let (latency, throughput) = self.machine.references();
                Answer::Reference { latency, throughput }
            }
            Request::Bye => unreachable!("the conversation ends before it is answered"),
        })
    }

    /// The first word of the script that fits; what a library that knows none of them would complain otherwise.
    fn expand(&self, string: &str, ciphersuites: Option<&str>) -> Answer {
        let Some(rules) = &self.script.expand else {
            let reason = "the script has no cipher strings".to_owned();
            return Answer::Unsupported { slot: 0, reason };
        };
        let mut names: Vec<String> = ciphersuites
            .unwrap_or_default()
            .split(':')
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect();
        match rules.get(string) {
            Some(known) => names.extend(known.iter().cloned()),
            None if string.is_empty() => {}
            None => return failed(0, Stage::Expand, "no cipher match"),
        }
        Answer::Suites { names }
    }
}

fn failed(slot: u32, stage: Stage, message: &str) -> Answer {
    Answer::Failed { slot, stage, message: message.to_owned() }
}

fn kind(request: &Request) -> (At, Option<u32>) {
    match request {
        Request::Hello { .. } | Request::Bye => (At::Hello, None),
        Request::Prepare { slot, .. } => (At::Prepare, Some(*slot)),
        Request::Run { slot, .. } => (At::Run, Some(*slot)),
        Request::Usage { slot, .. } => (At::Usage, Some(*slot)),
        Request::Release { slot } => (At::Release, Some(*slot)),
        Request::Expand { .. } => (At::Expand, None),
        Request::Look { .. } => (At::Look, None),
        Request::Reference => (At::Reference, None),
    }
}

fn misbehave(fault: Fault, answer: &Answer, input: &mut impl Read) -> io::Result<ControlFlow<ExitCode>> {
    let line = answer.encode();
    match fault {
        Fault::Die => return Ok(ControlFlow::Break(ExitCode::from(DEAD))),
        Fault::DieInAnswer => {
            let mut output = io::stdout().lock();
            output.write_all(&line.as_bytes()[..line.len() / 2])?;
            output.flush()?;
            return Ok(ControlFlow::Break(ExitCode::from(DEAD)));
        }
        Fault::Hang => {
            // Reading on, deaf, ends with the orchestrator: a test that is killed leaves no process behind.
            io::copy(input, &mut io::sink())?;
            return Ok(ControlFlow::Break(ExitCode::SUCCESS));
        }
        Fault::Rubbish => say("Segmentation fault? No: \u{fffd} this line is no message {")?,
        Fault::Flood => say(&"x".repeat(4_000_000))?,
        _ => say(&line)?,
    }
    Ok(ControlFlow::Continue(()))
}

fn say(line: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "{line}")?;
    output.flush()
}
