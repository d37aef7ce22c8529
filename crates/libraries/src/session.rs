//! A [`Session`]: one worker process and the conversation with it.

use std::path::PathBuf;
use std::time::Duration;

use tlstax_measure::objects::{Loaded, loaded};
use tlstax_measure::process::{Launch, Worker, WorkerError};
use tlstax_peers::{Loss, Refused};
use tlstax_spec::wire::{Answer, Count, Hello, OLDEST_PROTOCOL, PROTOCOL, Request, Sight, Target, Usage};
use tlstax_spec::{Case, Nanos, PARTS, Proof, Sample, Side, Stage, Switch, Version, Workload};

use crate::Home;
use crate::build::record;
use crate::callgrind::{self, Counting};
use crate::compression;
use crate::identity;
use crate::proven;
use crate::registry::{Block, Entry, Origin};

/// The variable that tells a worker which other machine it may load.
const REMOTE_VARIABLE: &str = "TLSTAX_REMOTE";

/// Tells the client lean not to look for responses awake.
const SLEEPS_VARIABLE: &str = "TLSTAX_SLEEPS";

/// How long a worker may take for anything but a batch.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a worker that does not know the request to expand a string has not got.
const NOT_ASKED: &str = "its worker does not know the question for cipher strings: where the library has such strings, the worker \
                         is too old, and tlstax libraries build makes it anew";

/// What a worker that does not know the request to look at a server has not got.
const NO_LOOKING: &str = "its worker does not look at servers; the client lean does, and tlstax libraries build lean makes it anew where it is too old";

/// The first protocol that has batches in parts.
pub(crate) const PARTS_PROTOCOL: u32 = 2;

/// How long a worker may take to exit after `bye`.
const FAREWELL: Duration = Duration::from_millis(500);

/// What a worker gets more for each byte of a file that it is to send once: 10 MB in a second.
const PER_BYTE: Duration = Duration::from_nanos(100);

/// A worker process after its hello.
#[derive(Debug)]
pub struct Session {
    worker: Worker,
    /// How many times as long as natively everything may take.
    slowness: u32,
    pub hello: Hello,
    /// The files that were mapped as code after the hello.
    pub loaded: Vec<Loaded>,
    loss: Option<Loss>,
}

/// Where a worker runs, and what it may do.
#[derive(Debug, Clone, Default)]
pub struct Seat {
    pub cpus: Vec<usize>,
    /// The folder of its control group.
    pub group: Option<PathBuf>,
    /// The address of another machine that it may load: the user has typed it twice.
    pub remote: Option<String>,
    /// How its instructions are counted; none where it is timed.
    pub counting: Option<Counting>,
    /// Whether a client sleeps while it waits: its core is the server's, or a hardware thread of it.
    pub sleeps: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ready {
    /// What a trial run proved.
    pub proof: Proof,
    /// The port of a server.
    pub port: Option<u16>,
}

/// How the worker of an entry is started; its environment says which sitting it is for.
pub(crate) fn launch(entry: &Entry, block: &Block, home: &Home, seat: Seat, sitting: u32) -> Launch {
    let program = block.program_path(home);
    let arguments = block.command()[1..].iter().map(Into::into).collect();
    let (program, arguments) = match &seat.counting {
        Some(Counting::Callgrind { dumps }) => callgrind::command(dumps, program, arguments),
        _ => (program, arguments),
    };
    Launch {
        program,
        arguments,
        is_repeatable: seat.counting.is_some(),
        environment: entry
            .env
            .iter()
            .map(|(name, value)| (name.into(), value.into()))
            .chain([("TLSTAX_SITTING".into(), sitting.to_string().into())])
            .chain(seat.counting.as_ref().and_then(callgrind::variable))
            .chain(seat.remote.map(|address| (REMOTE_VARIABLE.into(), address.into())))
            .chain(seat.sleeps.then(|| (SLEEPS_VARIABLE.into(), "1".into())))
            .collect(),
        cpus: seat.cpus,
        group: seat.group,
    }
}

impl Session {
    /// Starts a worker and greets it. Its environment says which sitting it is for.
    ///
    /// # Errors
    /// The worker is not there, is not proven, does not start, or has loaded another library than it should.
    pub fn start(entry: &Entry, home: &Home, seat: Seat, sitting: u32) -> Result<Self, Refused> {
        Self::start_within(PATIENCE, entry, home, seat, sitting)
    }

    /// Starts a worker that may take so long to say who it is: it tries out what its library has.
    pub(crate) fn start_within(
        patience: Duration,
        entry: &Entry,
        home: &Home,
        seat: Seat,
        sitting: u32,
    ) -> Result<Self, Refused> {
        let Some(block) = entry.block() else {
            return Err(Refused::Unsupported(format!("{} is no library in a worker", entry.id)));
        };
        let program = block.program_path(home);
        let is_there = program.exists();
        let is_by_us = matches!(entry.origin, Origin::Built(_) | Origin::Pointed(_));
        if seat.counting.is_some() {
            Counting::check(block).map_err(Refused::Unsupported)?;
        }
        let unproven = is_by_us && is_there && record(home, &program).is_none();
        let slowness = seat.counting.as_ref().map_or(1, Counting::slowness);
        let launch = launch(entry, block, home, seat, sitting);
        let lost = |message: String| {
            let remedy = if home.is_shared(&program) { block.remedy_installed() } else { block.remedy() };
            Refused::lost(Stage::Start, format!("{message}; remedy: {remedy}"))
        };
        if matches!(entry.origin, Origin::Built(_)) && !is_there {
            let reason = format!("it is not built; to get it: {}", block.remedy());
            return Err(Refused::failed(Stage::Start, reason));
        }
        if unproven {
            return Err(lost("this worker has not passed the conformance suite as it is now".to_owned()));
        }
        let worker = launch.spawn().map_err(|error| lost(error.to_string()))?;
        let mut session = Self { worker, slowness, hello: Hello::default(), loaded: Vec::new(), loss: None };
        let pki = home.pki().display().to_string();
        match session.ask(Stage::Hello, &Request::Hello { protocol: PROTOCOL, pki }, patience)? {
            Answer::Hello(hello) if (OLDEST_PROTOCOL..=PROTOCOL).contains(&hello.protocol) => {
                session.hello = *hello
            }
            Answer::Hello(hello) => {
                return Err(lost(other_protocol(hello.protocol)));
            }
            Answer::Unsupported { reason, .. } => return Err(Refused::Unsupported(reason)),
            other => return Err(session.rubbish(Stage::Hello, &other)),
        }
        let loaded = loaded(session.pid())
            .map_err(|error| lost(format!("cannot read which files the worker has loaded: {error}")))?;
        identity::check(entry, &loaded).map_err(|problem| Refused::failed(Stage::Start, problem))?;
        if is_by_us && !proven::holds(home, &block.program_path(home), &loaded) {
            let reason = format!(
                "this worker came built, and has not passed the conformance suite with the files that it loads here; to have it run: \
                 tlstax libraries conform {}",
                block.id
            );
            return Err(Refused::failed(Stage::Start, reason));
        }
        session.does_without(entry)?;
        Ok(Self { loaded, ..session })
    }

    /// What was to be switched off must be off, as read back from the library.
    fn does_without(&self, entry: &Entry) -> Result<(), Refused> {
        let is_on = |switch: &&Switch| !self.hello.without.iter().any(|off| off == switch.name());
        let Some(on) = entry.without.iter().find(is_on) else { return Ok(()) };
        let hello = &self.hello;
        let off = if hello.without.is_empty() { "nothing".to_owned() } else { hello.without.join(", ") };
        Err(Refused::Unsupported(format!(
            "{} still uses what {on} stands for, although its switch was set; it does without: {off}",
            hello.version
        )))
    }

    pub fn pid(&self) -> u32 {
        self.worker.pid()
    }

    /// Whether the worker can be asked for parts of the windows of a load, at either end.
    pub fn tells_load_parts(&self) -> bool {
        self.hello.loads.iter().any(|word| word == PARTS)
    }

    /// Why the worker can no longer be talked to; none where it can.
    pub fn loss(&self) -> Option<Loss> {
        self.loss
    }

    /// Gets a case ready.
    ///
    /// # Errors
    /// The library cannot do the case, fails at it, or the worker is lost.
    pub fn prepare(
        &mut self,
        slot: u32,
        case: &Case,
        end: Option<Side>,
        port: Option<u16>,
        target: Option<Target>,
    ) -> Result<Ready, Refused> {
        compression::check(&self.hello, case).map_err(Refused::Unsupported)?;
        let request = Request::Prepare { slot, case: case.clone(), end, port, target };
        match self.ask_about(Stage::Prepare, slot, &request, patience(case))? {
            Answer::Ready { proof, port, .. } => Ok(Ready { proof, port }),
            other => Err(self.rubbish(Stage::Prepare, &other)),
        }
    }

    /// Runs one batch that should take about so long, in parts of so many iterations if the worker tells them apart.
    ///
    /// # Errors
    /// The batch fails, or the worker is lost.
    pub fn run(
        &mut self,
        slot: u32,
        iterations: u64,
        warmup: u64,
        part: u64,
        expected: Nanos,
        count: Option<Count>,
    ) -> Result<(Sample, Proof), Refused> {
        let patience = Duration::from_secs(10) + 20 * Duration::from_nanos(expected.0);
        let part = if self.hello.protocol < PARTS_PROTOCOL { 0 } else { part };
        let request = Request::Run { slot, iterations, warmup, part, count };
        match self.ask_about(Stage::Run, slot, &request, patience)? {
            Answer::Sampled { sample, proof, .. } => Ok((sample, proof)),
            other => Err(self.rubbish(Stage::Run, &other)),
        }
    }

    /// What the server of a load has used and counted, and what each part took that was asked for before. From now on it is to tell
    /// parts of so many responses.
    ///
    /// # Errors
    /// Nothing serves in this slot, or the worker is lost.
    pub fn usage(&mut self, slot: u32, part: u64) -> Result<Usage, Refused> {
        let part = if self.tells_load_parts() { part } else { 0 };
        match self.ask_about(Stage::Run, slot, &Request::Usage { slot, part }, PATIENCE)? {
            Answer::Usage { usage, .. } => Ok(usage),
            other => Err(self.rubbish(Stage::Run, &other)),
        }
    }

    /// Lets the worker forget a case.
    ///
    /// # Errors
    /// The worker cannot forget it, or is lost.
    pub fn release(&mut self, slot: u32) -> Result<(), Refused> {
        match self.ask_about(Stage::Run, slot, &Request::Release { slot }, PATIENCE)? {
            Answer::Released { .. } => Ok(()),
            other => Err(self.rubbish(Stage::Run, &other)),
        }
    }

    /// A scripted worker's reading of the reference kernels.
    ///
    /// # Errors
    /// The worker is not scripted, or is lost.
    pub fn reference(&mut self) -> Result<(Nanos, Nanos), Refused> {
        match self.ask(Stage::Run, &Request::Reference, PATIENCE)? {
            Answer::Reference { latency, throughput } => Ok((latency, throughput)),
            other => Err(self.rubbish(Stage::Run, &other)),
        }
    }

    /// The suites that the library chooses by these words; see [`Request::Expand`].
    ///
    /// # Errors
    /// The library refuses the words or has none, or the worker is lost.
    pub fn expand(&mut self, string: &str, ciphersuites: Option<&str>) -> Result<Vec<String>, Refused> {
        let (string, ciphersuites) = (string.to_owned(), ciphersuites.map(str::to_owned));
        match self.ask(Stage::Expand, &Request::Expand { string, ciphersuites }, PATIENCE)? {
            Answer::Suites { names } => Ok(names),
            Answer::Unsupported { reason, .. } => Err(Refused::Unsupported(reason)),
            Answer::Failed { stage: Stage::Expand, message, .. } => {
                Err(Refused::failed(Stage::Expand, message))
            }
            Answer::Failed { .. } => Err(Refused::Unsupported(NOT_ASKED.to_owned())),
            other => Err(self.rubbish(Stage::Expand, &other)),
        }
    }

    /// What a server negotiates and answers; see [`Request::Look`].
    ///
    /// # Errors
    /// The server cannot be looked at, the worker does not look at servers, or it is lost.
    pub fn look(&mut self, port: u16, target: Target, version: Option<Version>) -> Result<Sight, Refused> {
        match self.ask(Stage::Look, &Request::Look { port, target, version }, PATIENCE)? {
            Answer::Looked(sight) => Ok(*sight),
            Answer::Failed { stage: Stage::Look, message, .. } => Err(Refused::failed(Stage::Look, message)),
            Answer::Unsupported { reason, .. } => Err(Refused::Unsupported(reason)),
            Answer::Failed { .. } => Err(Refused::Unsupported(NO_LOOKING.to_owned())),
            other => Err(self.rubbish(Stage::Look, &other)),
        }
    }

    fn ask_about(
        &mut self,
        stage: Stage,
        slot: u32,
        request: &Request,
        patience: Duration,
    ) -> Result<Answer, Refused> {
        let answer = self.ask(stage.clone(), request, patience)?;
        match answer {
            answer if answer.slot() != Some(slot) => {
                let answered =
                    answer.slot().map_or_else(|| "no case".to_owned(), |other| format!("case {other}"));
                Err(self
                    .lost(stage, format!("asked about case {slot}, the worker answered about {answered}")))
            }
            Answer::Unsupported { reason, .. } => Err(Refused::Unsupported(reason)),
            Answer::Failed { stage, message, .. } => {
                Err(Refused::failed(stage, message).with_output(self.worker.stderr()))
            }
            answer => Ok(answer),
        }
    }

    fn ask(&mut self, stage: Stage, request: &Request, patience: Duration) -> Result<Answer, Refused> {
        let line = self
            .worker
            .send_line(&request.encode())
            .and_then(|()| self.worker.receive_line(patience * self.slowness))
            .map_err(|error| self.broken(stage.clone(), error))?;
        Answer::decode(&line).map_err(|error| self.lost(stage, error.to_string()))
    }

    fn broken(&mut self, stage: Stage, error: WorkerError) -> Refused {
        match error {
            WorkerError::Interrupted => Refused::Interrupted,
            WorkerError::Closed { status, stderr } => {
                self.loss = Some(Loss::Ended);
                Refused::lost(stage, format!("the worker ended ({status})")).with_output(stderr)
            }
            WorkerError::Timeout { .. } => {
                let silent = self.lost(stage, error.to_string());
                self.loss = Some(Loss::Silent);
                silent
            }
            other => self.lost(stage, other.to_string()),
        }
    }

    fn rubbish(&mut self, stage: Stage, answer: &Answer) -> Refused {
        self.lost(stage, format!("the worker answered something that was not asked: {}", answer.encode()))
    }

    fn lost(&mut self, stage: Stage, message: String) -> Refused {
        self.loss = Some(Loss::Untrustworthy);
        Refused::lost(stage, message).with_output(self.worker.stderr())
    }

    /// Lets the worker end by itself, for which it has so long; the error says how it ended otherwise.
    pub(crate) fn end_in_order(mut self, patience: Duration) -> Result<(), String> {
        end_in_order(&mut self.worker, Some(&Request::Bye.encode()), patience)
    }

    pub fn end(mut self) {
        // It is ended either way; what a worker answers to `bye` changes no figure.
        let _ = self.worker.send_line(&Request::Bye.encode());
        let _ = self.worker.finish(FAREWELL);
    }
}

/// Why a worker of another protocol than ours is not used.
fn other_protocol(theirs: u32) -> String {
    let side = if theirs > PROTOCOL { "newer" } else { "older" };
    format!(
        "the worker speaks protocol {theirs}, this tlstax {OLDEST_PROTOCOL} to {PROTOCOL}: the worker is {side} than tlstax"
    )
}

/// Closes a worker's input, after a last line if there is one: it must end by itself, and in order.
pub(crate) fn end_in_order(
    worker: &mut Worker,
    last: Option<&str>,
    patience: Duration,
) -> Result<(), String> {
    if let Some(line) = last {
        worker.send_line(line).map_err(|error| error.to_string())?;
    }
    let ended = worker.finish(patience).map_err(|error| error.to_string())?;
    match ended.status.success() {
        true => Ok(()),
        false => Err(format!("the worker did not end in order ({}) {}", ended.status, worker.stderr())),
    }
}

/// How long it may take to get a case ready.
fn patience(case: &Case) -> Duration {
    match &case.workload {
        Workload::Load(load) => PATIENCE + load.body * PER_BYTE,
        _ => PATIENCE,
    }
}
