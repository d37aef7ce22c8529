//! Whether a worker keeps to the form of the protocol: it answers each line, goes on after one that it cannot read, and
//! ends when it is asked to.

use std::time::Duration;

use tlstax_measure::process::Worker;
use tlstax_spec::known_answers::{name, operations};
use tlstax_spec::wire::{Answer, Hello, PROTOCOL, Request};
use tlstax_spec::{Pattern, Primitive, Stage, Workload};

use super::checks::Checks;
use super::handshakes::full;
use super::subject::{HELLO, Miss, SLOT, Subject};
use crate::session::{Seat, end_in_order, launch};

/// How long a worker may take for an answer once it has said who it is, and to end after the last.
const PATIENCE: Duration = Duration::from_secs(20);

pub(super) fn check(checks: &mut Checks<'_>) {
    checks.check("conversation", |subject| {
        let mut talk = Talk::start(subject)?;
        misunderstandings(&mut talk)?;
        match something(subject) {
            Some(workload) => slots(&mut talk, &prepare(subject, workload))?,
            None => return Err("nothing that it claims can be asked for".into()),
        }
        talk.end(Some(&Request::Bye.encode()))
    });
    checks.check("the end of the input ends the worker", |subject| Talk::start(subject)?.end(None));
}

/// What cannot be done is answered, and the worker goes on.
fn misunderstandings(talk: &mut Talk) -> Result<(), Miss> {
    let early = |answer: &Answer| matches!(answer, Answer::Failed { slot: 0 | 4, .. });
    let unread = |answer: &Answer| matches!(answer, Answer::Failed { slot: 0, .. });
    talk.answers(r#"{"do":"prepare","slot":4,"kind":"primitive"}"#, "failed", early)?;
    talk.answers("what?", "failed", unread)?;
    talk.answers(r#"{"do":"dance"}"#, "failed", unread)?;
    // Fields that a worker does not know are passed over.
    let hello = Request::Hello { protocol: PROTOCOL, pki: talk.pki.clone() }.encode();
    let newer = hello.replacen('{', r#"{"news":"later","#, 1);
    talk.answers(&newer, "hello", |answer| matches!(answer, Answer::Hello(_)))?;
    talk.patience = PATIENCE;
    let unknown = r#"{"do":"prepare","slot":1,"library":"x","kind":"primitive","op":"encrypt","algorithm":"rot13","size":64,"pattern":"tls"}"#;
    let strange = |answer: &Answer| {
        matches!(answer, Answer::Unsupported { slot: SLOT, .. } | Answer::Failed { slot: 0, .. })
    };
    talk.answers(unknown, "unsupported, or a failure about no slot", strange)?;
    talk.answers(&run(), "failed in stage run", is_failed_run)
}

/// A slot is prepared, prepared again, run and released; then it is empty.
fn slots(talk: &mut Talk, prepare: &str) -> Result<(), Miss> {
    let is_ready = |answer: &Answer| matches!(answer, Answer::Ready { slot: SLOT, .. });
    if let Answer::Unsupported { slot: SLOT, .. } = talk.ask(prepare)? {
        // A client alone: what it can do needs the other end.
        return Ok(());
    }
    talk.answers(prepare, "ready", is_ready)?;
    talk.answers(prepare, "ready", is_ready)?;
    talk.answers(&run(), "sampled", |answer| matches!(answer, Answer::Sampled { slot: SLOT, .. }))?;
    let release = Request::Release { slot: SLOT }.encode();
    talk.answers(&release, "released", |answer| *answer == Answer::Released { slot: SLOT })?;
    talk.answers(&run(), "failed in stage run", is_failed_run)
}

fn run() -> String {
    Request::Run { slot: SLOT, iterations: 1, warmup: 0, part: 0, count: None }.encode()
}

fn is_failed_run(answer: &Answer) -> bool {
    matches!(answer, Answer::Failed { slot: SLOT, stage, .. } if *stage == Stage::Run)
}

fn prepare(subject: &Subject<'_>, workload: Workload) -> String {
    let case = subject.case(1, workload);
    Request::Prepare { slot: SLOT, case, end: None, port: None, target: None }.encode()
}

/// Something that the worker claims and that needs no other end.
fn something(subject: &Subject<'_>) -> Option<Workload> {
    let hello = &subject.hello;
    let handshake = || Some(Workload::Handshake(full(*hello.combinations().first()?)));
    primitive(hello).map(Workload::Primitive).or_else(handshake)
}

/// The first primitive that is claimed.
pub(super) fn primitive(hello: &Hello) -> Option<Primitive> {
    let is_claimed = |&(algorithm, op): &_| hello.primitives.contains(&name(algorithm, op));
    let (algorithm, op) = operations().find(is_claimed)?;
    let size = if algorithm.class().is_sized() { 64 } else { 0 };
    Some(Primitive { op, algorithm, size, pattern: Pattern::Tls })
}

struct Talk {
    worker: Worker,
    pki: String,
    patience: Duration,
}

impl Talk {
    fn start(subject: &Subject<'_>) -> Result<Self, Miss> {
        let block = subject.entry.block().ok_or("it is no library in a worker")?;
        let launch = launch(&subject.entry, block, subject.home, Seat::default(), 0);
        let worker = launch.spawn().map_err(|error| error.to_string())?;
        Ok(Self { worker, pki: subject.home.pki().display().to_string(), patience: HELLO })
    }

    /// Sends a line, whose answer must be a certain one.
    fn answers(&mut self, line: &str, wanted: &str, is_wanted: impl Fn(&Answer) -> bool) -> Result<(), Miss> {
        let answer = self.ask(line)?;
        match is_wanted(&answer) {
            true => Ok(()),
            false => {
                Err(format!("after {line}: the answer must be {wanted}, it is {}", answer.encode()).into())
            }
        }
    }

    fn ask(&mut self, line: &str) -> Result<Answer, Miss> {
        let problem = |error: &dyn std::fmt::Display| Miss::Failed(format!("after {line}: {error}"));
        let sent = self.worker.send_line(line).and_then(|()| self.worker.receive_line(self.patience));
        Answer::decode(&sent.map_err(|error| problem(&error))?).map_err(|error| problem(&error))
    }

    fn end(mut self, last: Option<&str>) -> Result<(), Miss> {
        Ok(end_in_order(&mut self.worker, last, PATIENCE)?)
    }
}
