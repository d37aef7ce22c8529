//! The worker processes of a run: one per library and role, started when first needed, replaced when lost.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use tlstax_doc::Library;
use tlstax_measure::cgroup;
use tlstax_measure::objects::{self, Program};
use tlstax_measure::pin::{self, Cores};
use tlstax_measure::{accounting, noise};
use tlstax_spec::wire::Hello;
use tlstax_spec::{Case, Cpu, Id, Nanos, Proof, Sample, Workload};

use crate::library;
use crate::registry::Entry;
use crate::session::{Failure, Refused, Seat, Session};
use crate::{Home, verify};

mod load;
mod peers;

use peers::Peers;

/// After so many lost workers of one library its remaining cases are given up.
const PATIENCE_WITH_A_LIBRARY: u32 = 5;

/// A process is kept over sittings if getting ready took this long, and this many times what it has worked since: a virtual
/// machine that compiles as it goes would do nothing else.
const DEAR: Nanos = Nanos::from_millis(2000);
const DEAR_TIMES: u64 = 10;

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
    sessions: BTreeMap<Key, Session>,
    /// The control groups of the ends of loads: the second account of their CPU time.
    groups: HashMap<Key, cgroup::Group>,
    /// Servers and clients that are no workers.
    peers: Peers,
    /// How often a process was replaced: a case prepared in an earlier one has to be prepared again.
    generations: HashMap<Key, u32>,
    lost: HashMap<Id, u32>,
    /// The CPU time of the batches that each process has run.
    worked: HashMap<Key, Nanos>,
    /// Libraries of which a process was kept over sittings.
    kept: BTreeSet<Id>,
    sitting: u32,
    /// What the first process of each library said, and the file that it was: a rebuilt worker is another library.
    first: HashMap<Id, (Hello, Option<Program>)>,
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
            sessions: BTreeMap::new(),
            groups: HashMap::new(),
            peers: Peers::default(),
            generations: HashMap::new(),
            lost: HashMap::new(),
            worked: HashMap::new(),
            kept: BTreeSet::new(),
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
            Err(refused) => Ok(library::missing(&entry.id, &refused)),
        }
    }

    /// A number that changes when a process that the case depends on was replaced.
    pub fn generation(&self, case: &Case) -> u32 {
        keys(case).iter().map(|key| self.generations.get(key).copied().unwrap_or_default()).sum()
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
            .map_err(|mismatch| Refused::failed("proof", mismatch.to_string()))?;
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
            .map_err(|mismatch| Refused::failed("proof", mismatch.to_string()))?;
        let asked = match self.works_for_a_time(case) {
            true => measured.sample.iterations,
            false => amount.iterations,
        };
        verify::sample(case, asked, &measured.sample, &measured.proof)
            .map_err(|problem| Refused::failed("proof", problem))?;
        Ok(measured)
    }

    fn run_alone(&mut self, slot: u32, case: &Case, amount: Amount) -> Result<Measured, Refused> {
        let session = self.session(&alone(case))?;
        let before = scheduled(session.pid());
        let (sample, proof) = session.run(slot, amount.iterations, amount.warmup, amount.expected)?;
        let observed = before.zip(scheduled(session.pid())).map(|(before, after)| after.since(before));
        *self.worked.entry(alone(case)).or_default() += observed.unwrap_or_default();
        Ok(Measured { sample, proof, observed, observed_server: None })
    }

    /// Lets the workers forget a case that needs no more batches.
    pub fn release(&mut self, slot: u32, case: &Case) {
        for key in keys(case) {
            let released = self.sessions.get_mut(&key).map(|session| session.release(slot));
            if let Some(Err(_)) = released {
                // A worker that cannot forget is replaced before it is needed again.
                self.drop_session(&key);
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
        for (key, session) in std::mem::take(&mut self.sessions) {
            if self.is_dear(&key, &session) {
                self.kept.insert(key.0.clone());
                self.sessions.insert(key, session);
                continue;
            }
            self.worked.remove(&key);
            *self.generations.entry(key).or_default() += 1;
            session.end();
        }
        for server in self.peers.end() {
            *self.generations.entry((server, Role::Server)).or_default() += 1;
        }
    }

    /// Whether getting a process ready again would take most of the time.
    fn is_dear(&self, key: &Key, session: &Session) -> bool {
        let worked = self.worked.get(key).copied().unwrap_or_default();
        let ready = scheduled(session.pid()).unwrap_or_default().since(worked);
        ready >= DEAR && ready.0 >= DEAR_TIMES * worked.0
    }

    /// Libraries of which a process was kept over sittings, so that their intervals lack the luck of a process.
    pub fn kept(&self) -> impl Iterator<Item = &str> {
        self.kept.iter().map(Id::as_str)
    }

    /// Ends every worker.
    pub fn end(&mut self) {
        for (_, session) in std::mem::take(&mut self.sessions) {
            session.end();
        }
        self.groups.clear();
        self.peers.end();
    }

    /// What a process has used, by its control group, or by the scheduler where there is none.
    fn observe(&self, key: &Key) -> Option<Nanos> {
        match self.groups.get(key) {
            Some(group) => Some(group.usage().ok()?.total),
            None => scheduled(self.sessions.get(key)?.pid()),
        }
    }

    /// Refuses to start a library, or a server, that was lost too often.
    fn give_up_on(&self, library: &str) -> Result<(), Refused> {
        match self.lost.get(library) {
            Some(lost) if *lost >= PATIENCE_WITH_A_LIBRARY => {
                let message = format!("given up: {lost} processes of {library} were lost in this run");
                Err(Refused::failed("start", message))
            }
            _ => Ok(()),
        }
    }

    fn session(&mut self, key: &Key) -> Result<&mut Session, Refused> {
        let (library, role) = key;
        if !self.sessions.contains_key(key) {
            self.give_up_on(library)?;
            let entry = self.entries.get(library).ok_or_else(|| {
                Refused::failed("start", format!("library {library} takes no part in this run"))
            })?;
            let group = matches!(role, Role::Server | Role::Client | Role::Clients)
                .then(cgroup::Group::create)
                .and_then(Result::ok);
            let seat = Seat {
                cpus: self.cpus(*role),
                group: group.as_ref().map(|group| group.path().to_owned()),
                remote: self.consent().filter(|_| matches!(role, Role::Client | Role::Clients)),
            };
            let session = Session::start(entry, self.home, seat, self.sitting)?;
            self.check_same_program(library, &session)?;
            self.sessions.insert(key.clone(), session);
            self.groups.extend(group.map(|group| (key.clone(), group)));
        }
        self.sessions.get_mut(key).ok_or_else(|| unreachable!("the session was started above"))
    }

    fn check_same_program(&mut self, library: &Id, session: &Session) -> Result<(), Refused> {
        // What is shown by its cost may be missed once; whether it had to be off was checked when the worker started.
        let hello = Hello { without: Vec::new(), ..session.hello.clone() };
        let now = (hello, objects::program(session.pid()).ok());
        match self.first.get(library) {
            Some(first) if *first != now => Err(Refused::failed(
                "start",
                format!("the worker of {library} was changed during the run: run it again"),
            )),
            Some(_) => Ok(()),
            None => {
                self.first.insert(library.clone(), now);
                Ok(())
            }
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

    /// Drops the processes of a case of which one can no longer be talked to.
    fn note_loss(&mut self, case: &Case, refused: Refused) -> Refused {
        if let Refused::Failed(failure @ Failure { lost: true, .. }) = &refused {
            if let Workload::Load(load) = &case.workload {
                self.forget_server(case, load, failure);
            }
            for key in keys(case) {
                self.drop_session(&key);
            }
            *self.lost.entry(case.library.clone()).or_default() += 1;
        }
        refused
    }

    /// Kills a process; what was prepared in it has to be prepared again.
    fn drop_session(&mut self, key: &Key) {
        self.sessions.remove(key);
        self.worked.remove(key);
        *self.generations.entry(key.clone()).or_default() += 1;
    }
}

/// The CPU time of two processes together, split where both are.
fn both(a: Cpu, b: Cpu) -> Cpu {
    let sum = |a: Option<Nanos>, b: Option<Nanos>| Some(a? + b?);
    Cpu { total: a.total + b.total, user: sum(a.user, b.user), system: sum(a.system, b.system) }
}

fn scheduled(pid: u32) -> Option<Nanos> {
    accounting::scheduled(pid).ok()
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
