//! The worker processes of a run: one per library and role, started when first needed, replaced when lost.

use std::collections::{BTreeMap, HashMap};

use tlstax_doc::Library;
use tlstax_libraries::Entry;
use tlstax_libraries::Home;
use tlstax_libraries::identity;
use tlstax_libraries::library;
use tlstax_libraries::{Loss, Seat, Session};
use tlstax_measure::cgroup;
use tlstax_measure::noise;
use tlstax_measure::objects::Loaded;
use tlstax_measure::pin::{self, Cores};
use tlstax_peers::{Failure, Refused};
use tlstax_spec::wire::Hello;
use tlstax_spec::{Case, Cpu, Id, Nanos, Proof, Sample, Stage, Workload};

use crate::verify;

mod load;
mod peers;
mod place;
#[cfg(test)]
mod tests;

use peers::Peers;
use place::{Place, Process};

/// What a process is for. Each role has a process of its own, so that one role's memory and threads do not show in
/// the figures of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Role {
    /// One thread on the measuring core.
    Alone,
    /// Several threads on all cores.
    Threads,
    /// The server of loads, on the measuring core.
    Server,
    /// The client of loads, on the other core.
    Client,
    /// The client of loads in several threads, on all cores but the server's.
    Clients,
}

type Key = (Id, Role);

/// The running workers.
#[derive(Debug)]
pub struct Pool<'a> {
    home: &'a Home,
    cores: Cores,
    /// Every core that we may use, for work in several threads.
    all: Vec<usize>,
    steal_before: Nanos,
    entries: HashMap<Id, &'a Entry>,
    /// What each library is doing in each role. Real servers have a place too, without a process: they run elsewhere.
    places: BTreeMap<Key, Place>,
    /// Servers and clients that are no workers.
    peers: Peers,
    sitting: u32,
    /// What the first process of each library said, and the files that it had loaded: with another file it is another library.
    first: HashMap<Id, (Hello, Vec<Loaded>)>,
}

/// One batch, as measured from both sides of the bridge.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// The workers' own readings.
    pub sample: Sample,
    /// What was proved.
    pub proof: Proof,
    /// An independent reading of the CPU time of the processes that took part: the scheduler's; of a load, their control
    /// groups'.
    pub observed: Option<Nanos>,
    /// The part of the server of a load in it.
    pub observed_server: Option<Nanos>,
}

/// How much of a case to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Amount {
    /// Timed iterations, on each thread.
    pub iterations: u64,
    /// Untimed iterations before them.
    pub warmup: u64,
    /// The fewest iterations that make sense.
    pub least: u64,
    /// How long that should take, to know a hang from slowness.
    pub expected: Nanos,
}

impl Amount {
    /// One iteration, to see what it costs.
    pub const fn trial() -> Self {
        Self { iterations: 1, warmup: 0, least: 1, expected: Nanos(0) }
    }

    /// The same batch with this share of the iterations.
    pub fn shortened(self, share: f64) -> Self {
        let scaled = |number: u64| (number as f64 * share) as u64;
        Self {
            iterations: scaled(self.iterations).max(self.least),
            warmup: scaled(self.warmup),
            expected: Nanos(scaled(self.expected.0)),
            ..self
        }
    }
}

impl<'a> Pool<'a> {
    /// A pool without processes. The calling thread must not be pinned yet: its cores are those of several threads.
    pub fn new(home: &'a Home, cores: Cores, entries: &[&'a Entry]) -> Self {
        Self {
            home,
            cores,
            all: pin::available(),
            steal_before: noise::steal(cores.measure).unwrap_or_default(),
            entries: entries.iter().map(|entry| (entry.id.clone(), *entry)).collect(),
            places: BTreeMap::new(),
            peers: Peers::default(),
            sitting: 0,
            first: HashMap::new(),
        }
    }

    /// Starts a library's worker, asks it who it is, and looks at what the kernel loaded for it.
    ///
    /// # Errors
    /// Only an interruption; a library that does not start is one that is not there.
    pub fn probe(&mut self, entry: &Entry) -> Result<Library, Refused> {
        let home = self.home;
        if entry.is_peer() {
            return Ok(self.peers.probe(entry));
        }
        match self.session(&(entry.id.clone(), Role::Alone)) {
            Ok(session) => Ok(library::found(entry, home, session)),
            Err(Refused::Interrupted) => Err(Refused::Interrupted),
            Err(refused) => Ok(library::missing(entry, &refused)),
        }
    }

    /// A number that changes when a process that the case depends on was replaced.
    pub fn generation(&self, case: &Case) -> u32 {
        keys(case).iter().filter_map(|key| self.places.get(key)).map(|place| place.generation).sum()
    }

    /// Gets a case ready in the processes that it needs, and returns what a trial run proved.
    pub fn prepare(&mut self, slot: u32, case: &Case) -> Result<Proof, Refused> {
        let result = match &case.workload {
            Workload::Load(load) => self.prepare_load(slot, case, load),
            _ => self.session(&alone(case)).and_then(|session| session.prepare(slot, case, None, None, None)),
        };
        let ready = result.map_err(|refused| self.note_loss(case, refused))?;
        ready
            .proof
            .check(&case.workload)
            .map_err(|mismatch| Refused::failed(Stage::Proof, mismatch.to_string()))?;
        Ok(ready.proof)
    }

    /// Runs one batch of a prepared case and checks what came back.
    pub fn run(&mut self, slot: u32, case: &Case, amount: Amount) -> Result<Measured, Refused> {
        let result = match &case.workload {
            Workload::Load(load) => self.run_load(slot, case, load, amount),
            _ => self.run_alone(slot, case, amount),
        };
        let measured = result.map_err(|refused| self.note_loss(case, refused))?;
        measured
            .proof
            .check(&case.workload)
            .map_err(|mismatch| Refused::failed(Stage::Proof, mismatch.to_string()))?;
        let asked = match self.works_for_a_time(case) {
            true => measured.sample.iterations,
            false => amount.iterations,
        };
        verify::sample(case, asked, &measured.sample, &measured.proof)
            .map_err(|problem| Refused::failed(Stage::Proof, problem))?;
        Ok(measured)
    }

    fn run_alone(&mut self, slot: u32, case: &Case, amount: Amount) -> Result<Measured, Refused> {
        let process = self.process(&alone(case))?;
        let before = process.scheduled();
        let (sample, proof) = process.session.run(slot, amount.iterations, amount.warmup, amount.expected)?;
        let observed = before.zip(process.scheduled()).map(|(before, after)| after.since(before));
        process.note_work(observed);
        Ok(Measured { sample, proof, observed, observed_server: None })
    }

    /// Lets the workers forget a case that needs no more batches.
    pub fn release(&mut self, slot: u32, case: &Case) {
        for key in keys(case) {
            let Some(place) = self.places.get_mut(&key) else { continue };
            if let Some(Err(_)) = place.process_mut().map(|process| process.session.release(slot)) {
                // A worker that cannot forget is replaced before it is needed again.
                place.kill();
            }
        }
    }

    /// A scripted worker's reading of the reference kernels.
    pub fn reference(&mut self, library: &Id) -> Result<(Nanos, Nanos), Refused> {
        self.session(&(library.clone(), Role::Alone))?.reference()
    }

    /// What the hypervisor took from the measuring core since the last call; zero where the kernel does not tell.
    pub fn steal(&mut self) -> Nanos {
        let now = noise::steal(self.cores.measure).unwrap_or_default();
        now.since(std::mem::replace(&mut self.steal_before, now))
    }

    /// Begins a sitting: every process is replaced by a new one when it is next needed, but for those that are too dear.
    pub fn renew(&mut self, sitting: u32) {
        self.sitting = sitting;
        for place in self.places.values_mut() {
            place.renew();
        }
        for server in self.peers.end() {
            self.place((server, Role::Server)).generation += 1;
        }
    }

    /// Libraries of which a process was kept over sittings, so that their intervals lack the luck of a process.
    pub fn kept(&self) -> impl Iterator<Item = &str> {
        let mut kept: Vec<&str> = self
            .places
            .iter()
            .filter(|(_, place)| place.kept)
            .map(|((library, _), _)| library.as_str())
            .collect();
        kept.dedup();
        kept.into_iter()
    }

    /// Ends every worker.
    pub fn end(&mut self) {
        for place in self.places.values_mut() {
            place.end();
        }
        self.peers.end();
    }

    fn place(&mut self, key: Key) -> &mut Place {
        self.places.entry(key).or_default()
    }

    fn session(&mut self, key: &Key) -> Result<&mut Session, Refused> {
        Ok(&mut self.process(key)?.session)
    }

    /// The process of a library in a role, started if none runs.
    fn process(&mut self, key: &Key) -> Result<&mut Process, Refused> {
        let runs = self.places.get(key).is_some_and(|place| place.process().is_some());
        if !runs {
            self.check_patience(key)?;
            let process = self.start(key)?;
            self.place(key.clone()).take(process);
        }
        let process = self.places.get_mut(key).and_then(Place::process_mut);
        process.ok_or_else(|| unreachable!("the process was started above"))
    }

    fn start(&mut self, key: &Key) -> Result<Process, Refused> {
        let (library, role) = key;
        let entry = self.entries.get(library).ok_or_else(|| {
            Refused::failed(Stage::Start, format!("library {library} takes no part in this run"))
        })?;
        let group = matches!(role, Role::Server | Role::Client | Role::Clients)
            .then(cgroup::Group::create)
            .and_then(Result::ok);
        let seat = Seat {
            cpus: self.cpus(*role),
            group: group.as_ref().map(|group| group.path().to_owned()),
            remote: self.consent().filter(|_| matches!(role, Role::Client | Role::Clients)),
        };
        let started = Session::start(entry, self.home, seat, self.sitting);
        if let Err(Refused::Failed(Failure { lost: true, .. })) = &started {
            self.place(key.clone()).note_failed_start();
        }
        let session = started?;
        self.check_same_program(library, &session)?;
        Ok(Process::new(session, group))
    }

    /// Refuses to start a library, or a server, that was lost too often in this role.
    fn check_patience(&self, key: &Key) -> Result<(), Refused> {
        let (library, role) = key;
        self.places.get(key).map_or(Ok(()), |place| place.check_patience(library, role.words()))
    }

    fn check_same_program(&mut self, library: &Id, session: &Session) -> Result<(), Refused> {
        // What is shown by its cost may be missed once; whether it had to be off was checked when the worker started.
        let hello = Hello { without: Vec::new(), ..session.hello.clone() };
        let Some((said, before)) = self.first.get(library) else {
            self.first.insert(library.clone(), (hello, session.loaded.clone()));
            return Ok(());
        };
        let changed = |what: &str| {
            let message = format!("the worker of {library} was changed during the run: {what}; run it again");
            Err(Refused::failed(Stage::Start, message))
        };
        match identity::other_file(before, &session.loaded) {
            Some(file) => changed(&format!("{} is another file", file.display())),
            None if *said != hello => changed("it says other things of itself"),
            None => Ok(()),
        }
    }

    fn cpus(&self, role: Role) -> Vec<usize> {
        match role {
            Role::Alone | Role::Server => vec![self.cores.measure],
            Role::Client => vec![self.cores.client],
            Role::Clients => {
                match self.all.iter().copied().filter(|core| *core != self.cores.measure).collect() {
                    none if Vec::is_empty(&none) => vec![self.cores.client],
                    others => others,
                }
            }
            Role::Threads => self.all.clone(),
        }
    }

    /// Drops the processes of a case of which one can no longer be talked to. Both ends of a load go, which are in the middle
    /// of something with each other, but only the one that was lost is to blame.
    fn note_loss(&mut self, case: &Case, refused: Refused) -> Refused {
        let Refused::Failed(failure @ Failure { lost: true, .. }) = refused else { return refused };
        let mut losses = Vec::new();
        if let Workload::Load(load) = &case.workload {
            losses.extend(self.forget_server(case, load));
        }
        for key in keys(case) {
            let place = self.place(key);
            if let Some(loss) = place.loss() {
                losses.push(loss);
                place.note_loss(case.id());
            }
            place.kill();
        }
        match !losses.is_empty() && losses.iter().all(|loss| *loss == Loss::Silent) {
            true => Refused::Lost(failure),
            false => Refused::Failed(failure),
        }
    }
}

impl Role {
    /// As whose process it is given up; nothing where a library has one kind of work only.
    const fn words(self) -> &'static str {
        match self {
            Self::Alone | Self::Threads => "",
            Self::Server => " as a server",
            Self::Client | Self::Clients => " as a client",
        }
    }
}

/// The CPU time of two processes together, split where both are.
fn both(a: Cpu, b: Cpu) -> Cpu {
    let sum = |a: Option<Nanos>, b: Option<Nanos>| Some(a? + b?);
    Cpu { total: a.total + b.total, user: sum(a.user, b.user), system: sum(a.system, b.system) }
}

fn alone(case: &Case) -> Key {
    let role = if case.threads > 1 { Role::Threads } else { Role::Alone };
    (case.library.clone(), role)
}

fn ends(case: &Case) -> [Key; 2] {
    let client = match &case.workload {
        Workload::Load(load) => &load.client,
        _ => &case.library,
    };
    let role = if case.threads > 1 { Role::Clients } else { Role::Client };
    [(case.library.clone(), Role::Server), (client.clone(), role)]
}

fn keys(case: &Case) -> Vec<Key> {
    match &case.workload {
        Workload::Load(_) => ends(case).to_vec(),
        _ => vec![alone(case)],
    }
}
