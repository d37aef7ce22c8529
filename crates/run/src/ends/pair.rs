//! A [`Pair`]: the two ends of a load. The client works, and the server is read while it rests.

use tlstax_measure::pin::{self, Cores};
use tlstax_measure::reference::{self, Reading};
use tlstax_measure::round_trip;
use tlstax_peers::Refused;
use tlstax_spec::wire::Usage;
use tlstax_spec::{Case, ClientCore, Cpu, Load, Nanos, Parts, Proof, Sample, Stage};

use super::end::{End, Sampled, Task};
use super::participant::Participant;
use super::setup::Setup;
use super::shares::{self, Point};
use super::watched::{Outside, Watched};
use crate::batch::{Amount, Measured};
use tlstax_libraries::verify;

/// A shorter window has no parts that could be told apart from outside.
const SHORTEST_READ: Nanos = Nanos::from_millis(30);

#[derive(Debug)]
pub struct Pair<'p, 'a> {
    pub setup: &'p mut Setup<'a>,
    pub server: &'p mut Participant<'a>,
    pub client: &'p mut Participant<'a>,
    pub load: &'p Load,
    /// Threads of the case.
    pub threads: u16,
    /// Whether any client of the run leaves requests behind when its time is over.
    pub has_loose_ends: bool,
}

impl Pair<'_, '_> {
    /// Gets both ends of a load ready, the server first.
    ///
    /// # Errors
    /// One of the ends cannot do it, or fails.
    pub fn prepare(&mut self, task: Task<'_>) -> Result<Proof, Refused> {
        let counts = self.server.end.counts();
        self.client.start(self.setup)?.check_client(task, counts)?;
        let served = self.server.prepare(self.setup, task)?;
        let silent = || Refused::failed(Stage::Prepare, "the server did not say which port it listens on");
        let listening = served.listening.ok_or_else(silent)?;
        let prepared = self.client.prepare(self.setup, Task { server: Some(&listening), ..task });
        let proof = match prepared.map_err(|refused| self.explained(task, refused))?.proof {
            Some(proof) => proof,
            None => self.run(task, trial(self.load, task.case))?.proof,
        };
        // The client has made requests of its own to get ready.
        self.server.end.settle(task)?;
        Ok(proof)
    }

    /// A window of load: the client works, and the server is read before and after.
    ///
    /// # Errors
    /// One of the ends fails, or their accounts differ.
    pub fn run(&mut self, task: Task<'_>, amount: Amount) -> Result<Measured, Refused> {
        let (load, lag) = (self.load, self.server.end.lag(task));
        if self.has_loose_ends || lag > 0 {
            // What a window before, of this case or of another on the same server, cut off or left may be written down yet.
            self.server.end.settle(task)?;
        }
        let before = self.server.end.read(task, 0, amount.part)?;
        let client_before = self.client.end.observe();
        let mut core = ClientCore::default();
        self.read_core(&mut core);
        let (ran, read) = self.run_watched(task, amount);
        let (mut sample, proof) = ran.map_err(|refused| self.explained(task, refused))?;
        self.read_core(&mut core);
        let requests = sample.iterations.saturating_add(amount.warmup);
        let counted = before.usage.requests + requests.saturating_sub(lag);
        let after = self.server.end.read(task, counted, 0)?;
        let client_used = since(client_before, self.client.end.observe());
        let server_used = since(before.grouped, after.grouped);
        self.client.end.note_work(client_used);
        self.server.end.note_work(server_used);
        if self.server.end.counts() {
            // What a client cuts off at its end, the server may have counted.
            let slack = if self.client.end.works_for_a_time() { u64::from(load.connections) } else { 0 };
            let allowed = verify::Allowed { fewer: lag, more: slack + lag };
            verify::load(load, requests, allowed, &before.usage, &after.usage)
                .map_err(|problem| Refused::failed(Stage::Proof, problem))?;
        }
        let used = used(&before.usage, &after.usage);
        sample.server = (used.total > Nanos(0)).then_some(used);
        sample.cpu = both(sample.client.unwrap_or_default(), used);
        sample.client_core = core;
        sample.parts = parts(load, amount, &sample, &after.usage.parts_ns, &read);
        let proof = proof.unwrap_or_else(|| proved(load, &before.usage, &after.usage));
        let observed = client_used.zip(server_used).map(|(client, server)| client + server);
        Ok(Measured { sample, proof, observed, observed_server: server_used })
    }

    /// Reads the reference kernels on the client's core, where it is not the measuring core, which is read anyway; and how far the two
    /// are apart.
    fn read_core(&self, core: &mut ClientCore) {
        let Cores { measure, client, .. } = self.setup.cores;
        let read = move || pin::pin_thread(client).ok().map(|()| reference::read());
        if client == measure {
            return;
        }
        if let Ok(Some(Reading { latency, throughput })) = std::thread::spawn(read).join() {
            core.latency.push(latency);
            core.throughput.push(throughput);
        }
        if self.is_one_to_one() {
            core.round_trip.extend(round_trip::between(measure, client));
        }
    }

    /// Whether one core serves and one other asks, so that the way between these two is the one that counts.
    fn is_one_to_one(&self) -> bool {
        self.load.tuning.workers <= 1 && self.threads == 1 && self.server.end.is_on_its_core()
    }

    /// Has the client work, while those ends are read from outside that do not tell the parts of a window themselves.
    fn run_watched(&mut self, task: Task<'_>, amount: Amount) -> (Result<Sampled, Refused>, [Vec<Point>; 2]) {
        let has_parts = amount.part > 0 || self.load.cycle() == 1;
        let is_worth_it = has_parts && amount.expected >= SHORTEST_READ && task.case.threads == 1;
        let outside = |end: &mut dyn End, core| {
            let is_told = amount.part > 0 && end.tells_parts();
            (is_worth_it && !is_told).then(|| Outside::new(core, end.processes(task)))
        };
        let Cores { measure, client, .. } = self.setup.cores;
        let watched = Watched {
            client: outside(&mut *self.client.end, client),
            server: outside(&mut *self.server.end, measure),
        };
        let task = Task { watched: Some(&watched), ..task };
        watched.during(|| self.client.end.run(self.setup, task, amount))
    }

    /// A failure that the client reports, with what the server knows of it.
    fn explained(&mut self, task: Task<'_>, refused: Refused) -> Refused {
        match refused {
            Refused::Failed(failure) => Refused::Failed(self.server.end.explain(task, failure)),
            other => other,
        }
    }
}

/// The run of a client program that shows whether it works at all.
fn trial(load: &Load, case: &Case) -> Amount {
    Amount { iterations: u64::from(load.connections.max(1)), ..Amount::trial_of(case) }
}

/// What an account has grown by; none where it could not be read.
fn since(before: Option<Nanos>, after: Option<Nanos>) -> Option<Nanos> {
    Some(after?.since(before?))
}

/// The parts of a window, as its ends tell them or as they were read from outside.
fn parts(load: &Load, amount: Amount, sample: &Sample, server: &[Nanos], read: &[Vec<Point>; 2]) -> Parts {
    let number = match (amount.iterations.checked_div(amount.part), load.cycle()) {
        (Some(parts), _) => parts,
        (None, 1) => shares::in_transfer(sample),
        // A part shorter than a cycle would not be like the others.
        (None, _) => 0,
    };
    let side = |told: &[Nanos], read: &[Point], used: Option<Cpu>| match used {
        Some(used) if told.is_empty() => shares::of_window(read, load, sample, used.total, number),
        _ => told.to_vec(),
    };
    let [of_client, of_server] = read;
    // Outside one sees the time that it looked in vain, too.
    let of_client = if sample.client_waited.is_some() { &Vec::new() } else { of_client };
    Parts {
        whole: Vec::new(),
        client: side(&sample.parts.client, of_client, sample.client),
        server: side(server, of_server, sample.server),
    }
}

fn used(before: &Usage, after: &Usage) -> Cpu {
    let (user, system) = (after.user_ns.since(before.user_ns), after.system_ns.since(before.system_ns));
    // Without a tick in the window nothing is known of the parts.
    let is_split = user + system > Nanos(0);
    Cpu {
        total: after.cpu_ns.since(before.cpu_ns),
        user: is_split.then_some(user),
        system: is_split.then_some(system),
    }
}

/// The CPU time of two processes together, split where both are.
fn both(a: Cpu, b: Cpu) -> Cpu {
    let sum = |a: Option<Nanos>, b: Option<Nanos>| Some(a? + b?);
    Cpu { total: a.total + b.total, user: sum(a.user, b.user), system: sum(a.system, b.system) }
}

/// What a server says of a window. The key is the one that it was started with.
fn proved(load: &Load, before: &Usage, after: &Usage) -> Proof {
    let Some(params) = load.params else { return Proof::default() };
    Proof {
        version: after.version,
        suite: after.suite,
        // Not every server tells the group; it was started with this one and no other.
        group: after.group.or(params.group),
        key: Some(params.key),
        handshakes: after.handshakes - before.handshakes,
        resumed: after.resumed - before.resumed,
        early: after.early - before.early,
        ..Proof::default()
    }
}
