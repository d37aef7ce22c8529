//! The threads of a load. One is the calling one; several stay between windows, because their connections do.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Barrier};
use std::thread::JoinHandle;

use tlstax_measure::clock::{monotonic, thread_usage};
use tlstax_measure::pin;
use tlstax_spec::{Cpu, Nanos, Stage};
use tlstax_worker::cpu::used;
use tlstax_worker::threads::message;
use tlstax_worker::{Batch, JobError, Latencies};

use crate::engine::{Engine, Tally};
use crate::recipe::Recipe;
use crate::waiting::without;

pub(crate) struct Window {
    pub(crate) start: Nanos,
    pub(crate) end: Nanos,
    pub(crate) cpu: Cpu,
    /// CPU time spent looking for responses in vain, which is in no other figure.
    pub(crate) waited: Nanos,
    pub(crate) tally: Tally,
    pub(crate) latencies: Latencies,
    /// CPU time of each part of the batch.
    pub(crate) parts: Vec<Nanos>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Task {
    /// So many full handshakes, for the sessions in them.
    Prime(u64),
    /// So many requests on each thread, of which the load may wait for leave to connect.
    Trial(u64),
    /// A batch on each thread.
    Run(Batch),
}

pub(crate) enum Crew {
    One(Box<Engine>),
    Many(Vec<Member>),
}

impl Crew {
    /// Makes the engines, each in its thread.
    ///
    /// # Errors
    /// One could not be made.
    pub(crate) fn new(recipe: Recipe, threads: u16) -> Result<Self, JobError> {
        if threads == 1 {
            return recipe.engine().map(Box::new).map(Self::One);
        }
        let (recipe, gate) = (Arc::new(recipe), Arc::new(Barrier::new(threads.into())));
        let members: Vec<_> =
            (0..usize::from(threads)).map(|index| Member::new(index, recipe.clone(), gate.clone())).collect();
        for member in &members {
            member.report()?;
        }
        Ok(Self::Many(members))
    }

    /// Does a task on every thread; the first error is that of all.
    ///
    /// # Errors
    /// What went wrong on a thread.
    pub(crate) fn run(&mut self, task: Task) -> Result<Vec<Window>, JobError> {
        let members = match self {
            Self::One(engine) => return Ok(vec![work(engine, task, || {})?]),
            Self::Many(members) => members,
        };
        // If one is gone, the others would wait for it at the gate.
        if let Some(gone) =
            members.iter().find(|member| member.handle.as_ref().is_none_or(JoinHandle::is_finished))
        {
            return Err(JobError::failed(Stage::Run, format!("thread {} has ended before", gone.index)));
        }
        for member in members.iter() {
            member.tell(task);
        }
        // All are heard before the first error is returned.
        let reports: Vec<_> = members.iter().map(Member::report).collect();
        reports.into_iter().filter_map(Result::transpose).collect()
    }
}

pub(crate) struct Member {
    index: usize,
    tasks: Option<Sender<Task>>,
    reports: Receiver<Result<Option<Window>, JobError>>,
    handle: Option<JoinHandle<()>>,
}

impl Member {
    fn new(index: usize, recipe: Arc<Recipe>, gate: Arc<Barrier>) -> Self {
        let (tasks, told) = channel();
        let (report, reports) = channel();
        let handle = std::thread::spawn(move || {
            let cores = pin::available();
            // Where the system forbids it, the scheduler decides; a thread more than there are cores shares one.
            let _ = cores.get(index % cores.len().max(1)).map(|core| pin::pin_thread(*core));
            let mut engine = match recipe.engine() {
                Ok(engine) => engine,
                Err(error) => {
                    // Nobody is left to hear it if the job is gone.
                    let _ = report.send(Err(error));
                    return;
                }
            };
            let mut next = Ok(None);
            while report.send(next).is_ok() {
                let Ok(task) = told.recv() else { return };
                next = guarded(&mut engine, task, &gate).map(Some);
            }
        });
        Self { index, tasks: Some(tasks), reports, handle: Some(handle) }
    }

    fn tell(&self, task: Task) {
        // A thread that has ended does not report either, and that is told.
        let _ = self.tasks.as_ref().map(|tasks| tasks.send(task));
    }

    fn report(&self) -> Result<Option<Window>, JobError> {
        let ended = || JobError::failed(Stage::Run, format!("thread {} ended without a report", self.index));
        self.reports.recv().map_err(|_| ended())?
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        self.tasks = None;
        if let Some(handle) = self.handle.take() {
            // Its panics were reported.
            let _ = handle.join();
        }
    }
}

/// A panic must not keep the others waiting at the gate for ever.
fn guarded(engine: &mut Engine, task: Task, gate: &Barrier) -> Result<Window, JobError> {
    let mut is_passed = false;
    let pass = || {
        is_passed = true;
        gate.wait();
    };
    let done = catch_unwind(AssertUnwindSafe(|| work(engine, task, pass)));
    if !is_passed {
        gate.wait();
    }
    done.unwrap_or_else(|panic| {
        Err(JobError::failed(Stage::Run, format!("a thread panicked: {}", message(&*panic))))
    })
}

/// Does a task. What is timed begins behind the gate.
fn work(engine: &mut Engine, task: Task, gate: impl FnOnce()) -> Result<Window, JobError> {
    let batch = match task {
        Task::Prime(handshakes) => {
            engine.prime(handshakes)?;
            Batch::whole(0, 0)
        }
        Task::Trial(iterations) => Batch::whole(iterations, 0),
        Task::Run(batch) => batch,
    };
    let may_wait = !matches!(task, Task::Run(_));
    engine.load(batch.warmup, may_wait)?;
    gate();
    engine.waiting.taken();
    let (cpu, start) = (thread_usage(), monotonic());
    engine.parts.begin(batch.part);
    let done = engine.load(batch.iterations, may_wait);
    let parts = engine.parts.end();
    let (end, waited) = (monotonic(), engine.waiting.taken());
    let cpu = without(used(cpu, thread_usage()), waited);
    done?;
    Ok(Window {
        start,
        end,
        cpu,
        waited,
        tally: engine.tally.clone(),
        latencies: engine.latencies.clone(),
        parts,
    })
}
