//! The pool of a run: every participant in every role, started when first needed, replaced when lost.

use std::collections::{BTreeSet, HashMap};

use tlstax_doc::Library;
use tlstax_libraries::{Counting, Entry, Home, Peer, library, verify};
use tlstax_measure::noise;
use tlstax_measure::pin::Cores;
use tlstax_measure::throttle::Throttle;
use tlstax_peers::{Loss, Refused};
use tlstax_spec::{Case, Id, Load, Nanos, Proof, Stage, Workload};

use crate::batch::{Amount, Measured};
use crate::ends::{Key, Pair, Participant, Role, Setup, Task, keys};

#[derive(Debug)]
pub struct Pool<'a> {
    participants: HashMap<Key, Participant<'a>>,
    /// Whether any client of the run leaves requests behind when its time is over.
    has_loose_ends: bool,
    steal_before: Nanos,
    throttle: Throttle,
    /// After the participants: a server that still runs would write into its folder while that is removed.
    setup: Setup<'a>,
}

impl<'a> Pool<'a> {
    /// A pool without processes. The calling thread must not be pinned yet: its cores are those of several threads.
    pub fn new(home: &'a Home, cores: Cores, entries: &[&'a Entry]) -> Self {
        let in_all_roles = |entry: &&'a Entry| {
            let entry = *entry;
            Role::ALL.map(|role| ((entry.id.clone(), role), Participant::new(entry, role)))
        };
        let loose_ends =
            |entry: &&Entry| matches!(entry.peer(), Some(Peer::Client(client)) if !client.counts);
        Self {
            participants: entries.iter().flat_map(in_all_roles).collect(),
            has_loose_ends: entries.iter().any(loose_ends),
            steal_before: noise::steal(cores.measure).unwrap_or_default(),
            throttle: Throttle::find(),
            setup: Setup::new(home, cores, entries),
        }
    }

    /// Counts instructions from now on: under callgrind if not by the CPU. What runs is ended.
    ///
    /// # Errors
    /// There is no folder for what callgrind writes.
    pub fn count(&mut self, is_by_cpu: bool) -> Result<(), Refused> {
        let counting = match is_by_cpu {
            true => Counting::Hardware,
            false => Counting::Callgrind { dumps: self.setup.folder()?.folder().path().join("counts") },
        };
        self.end();
        self.setup.count(counting);
        Ok(())
    }

    /// What an entry is on this machine; a library is started and asked.
    ///
    /// # Errors
    /// Only an interruption; a library that does not start is one that is not there.
    pub fn probe(&mut self, entry: &Entry) -> Result<Library, Refused> {
        let key = (entry.id.clone(), Participant::role_of(entry));
        let probed = find(&mut self.participants, &key).and_then(|found| found.end.probe(&mut self.setup));
        match probed {
            Ok(library) => Ok(library),
            Err(Refused::Interrupted) => Err(Refused::Interrupted),
            Err(refused) => Ok(library::missing(entry, &refused)),
        }
    }

    /// A number that changes when a process that the case depends on was replaced.
    pub fn generation(&self, case: &Case) -> u32 {
        keys(case).iter().filter_map(|key| self.participants.get(key)).map(|found| found.generation).sum()
    }

    /// Gets a case ready in the processes that it needs, and returns what a trial run proved.
    ///
    /// # Errors
    /// The case cannot be done, a process fails, or the user interrupts.
    pub fn prepare(&mut self, slot: u32, case: &Case) -> Result<Proof, Refused> {
        let task = Task::new(slot, case);
        let prepared = match task.load {
            Some(load) => self.pair(case, load).and_then(|mut pair| pair.prepare(task)),
            None => self.prepare_whole(task),
        };
        let proof = prepared.map_err(|refused| self.note_loss(task, refused))?;
        check(&proof, case)?;
        Ok(proof)
    }

    /// Runs one batch of a prepared case and checks what came back.
    ///
    /// # Errors
    /// A process fails or contradicts the case, or the user interrupts.
    pub fn run(&mut self, slot: u32, case: &Case, amount: Amount) -> Result<Measured, Refused> {
        let task = Task::new(slot, case);
        let ran = match task.load {
            Some(load) => self.pair(case, load).and_then(|mut pair| pair.run(task, amount)),
            None => self.run_whole(task, amount),
        };
        let measured = ran.map_err(|refused| self.note_loss(task, refused))?;
        check(&measured.proof, case)?;
        let works_for_a_time = |key| self.participants.get(key).is_some_and(|one| one.end.works_for_a_time());
        let asked = match keys(case).iter().any(works_for_a_time) {
            true => measured.sample.iterations,
            false => amount.iterations,
        };
        verify::sample(case, asked, &measured.sample, &measured.proof)
            .map_err(|problem| Refused::failed(Stage::Proof, problem))?;
        Ok(measured)
    }

    fn prepare_whole(&mut self, task: Task<'_>) -> Result<Proof, Refused> {
        let alone = find(&mut self.participants, &keys(task.case)[0])?;
        Ok(alone.prepare(&mut self.setup, task)?.proof.unwrap_or_default())
    }

    fn run_whole(&mut self, task: Task<'_>, amount: Amount) -> Result<Measured, Refused> {
        let end = &mut find(&mut self.participants, &keys(task.case)[0])?.end;
        let before = end.observe();
        let (sample, proof) = end.run(&mut self.setup, task, amount)?;
        let observed = before.zip(end.observe()).map(|(before, after)| after.since(before));
        end.note_work(observed);
        Ok(Measured { sample, proof: proof.unwrap_or_default(), observed, observed_server: None })
    }

    fn pair<'p>(&'p mut self, case: &Case, load: &'p Load) -> Result<Pair<'p, 'a>, Refused> {
        let keys = keys(case);
        // One of them is a server and the other is not, so that no library is there twice.
        let [server, client] = self.participants.get_disjoint_mut([&keys[0], &keys[1]]);
        Ok(Pair {
            setup: &mut self.setup,
            server: server.ok_or_else(|| stranger(&case.library))?,
            client: client.ok_or_else(|| stranger(&load.client))?,
            load,
            threads: case.threads,
            has_loose_ends: self.has_loose_ends,
        })
    }

    /// The processes that do the work of a case, of a load those of its server.
    pub fn processes(&mut self, slot: u32, case: &Case) -> Vec<u32> {
        let found = keys(case).first().and_then(|key| self.participants.get_mut(key));
        found.map(|found| found.end.processes(Task::new(slot, case))).unwrap_or_default()
    }

    /// How long a window of a load should take, where that is not as with workers on both ends: its client decides before its server.
    pub fn window(&self, case: &Case) -> Option<Nanos> {
        let Workload::Load(_) = &case.workload else { return None };
        keys(case).iter().rev().find_map(|key| self.participants.get(key)?.end.window())
    }

    /// Lets the workers forget a case that needs no more batches.
    pub fn release(&mut self, slot: u32, case: &Case) {
        for key in keys(case) {
            if let Some(found) = self.participants.get_mut(&key) {
                found.release(Task::new(slot, case));
            }
        }
    }

    /// A scripted worker's reading of the reference kernels.
    ///
    /// # Errors
    /// The worker is not scripted, or fails.
    pub fn reference(&mut self, library: &Id) -> Result<(Nanos, Nanos), Refused> {
        let key = (library.clone(), Role::Alone);
        find(&mut self.participants, &key)?.start(&mut self.setup)?.reference()
    }

    /// What the hypervisor took from the measuring core since the last call; zero where the kernel does not state it.
    pub fn steal(&mut self) -> Nanos {
        let now = noise::steal(self.setup.cores.measure).unwrap_or_default();
        now.since(std::mem::replace(&mut self.steal_before, now))
    }

    /// For how long a CPU quota has stopped the run since the last call, summed over CPUs.
    pub fn throttled(&mut self) -> Nanos {
        self.throttle.since_last()
    }

    /// Begins a sitting: every process is replaced by a new one when it is next needed, but for those that are too dear.
    pub fn renew(&mut self, sitting: u32) {
        self.setup.sitting = sitting;
        self.participants.values_mut().for_each(Participant::renew);
    }

    /// Libraries of which a process was kept over sittings, so that their intervals lack the luck of a process.
    pub fn kept(&self) -> impl Iterator<Item = &str> {
        let kept = self.participants.iter().filter(|(_, found)| found.kept);
        kept.map(|((library, _), _)| library.as_str()).collect::<BTreeSet<_>>().into_iter()
    }

    pub fn end(&mut self) {
        for found in self.participants.values_mut() {
            found.end.end();
        }
    }

    /// Drops the processes of a case of which one can no longer be talked to. Both ends of a load go, which are in the middle
    /// of something with each other, but only the one that was lost is to blame.
    fn note_loss(&mut self, task: Task<'_>, refused: Refused) -> Refused {
        let Refused::Failed(failure) = refused else { return refused };
        if !failure.lost {
            return Refused::Failed(failure);
        }
        let mut worst = None;
        for key in keys(task.case) {
            worst = worst.max(self.participants.get_mut(&key).and_then(|found| found.abandon(task)));
        }
        match worst {
            None | Some(Loss::Untrustworthy) => Refused::Failed(failure),
            Some(loss) => Refused::Lost(failure, loss),
        }
    }
}

/// Whoever takes part by this key.
fn find<'m, 'a>(
    participants: &'m mut HashMap<Key, Participant<'a>>,
    key: &Key,
) -> Result<&'m mut Participant<'a>, Refused> {
    participants.get_mut(key).ok_or_else(|| stranger(&key.0))
}

fn stranger(id: &Id) -> Refused {
    Refused::failed(Stage::Start, format!("library {id} takes no part in this run"))
}

/// Holds a proof against its case.
fn check(proof: &Proof, case: &Case) -> Result<(), Refused> {
    proof.check(&case.workload).map_err(|mismatch| Refused::failed(Stage::Proof, mismatch.to_string()))
}
