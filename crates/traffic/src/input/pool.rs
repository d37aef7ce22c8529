//! Threads that count, and threads that give them something to do.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

use tlstax_doc::{Workload, merge_workloads};

use super::bad::FirstBad;
use super::captures;
use super::feed::{Job, feed};
use super::settings::Settings;
use super::shared::Shared;
use super::worker::{Label, Task, Worker};

/// How often progress is told.
const TELL: Duration = Duration::from_millis(100);

/// What all workers are told.
pub struct Orders<'o> {
    pub labels: &'o [Label],
    pub settings: &'o Settings,
}

/// Counts all jobs. `tell` is called now and then while that goes on.
pub fn count(
    orders: &Orders<'_>,
    jobs: Vec<Job>,
    captures: Vec<Job>,
    shared: &Shared,
    tell: &mut dyn FnMut(),
) -> (Workload, FirstBad) {
    let threads = orders.settings.threads.max(1);
    let (plain, packed): (Vec<Job>, Vec<Job>) = jobs.into_iter().partition(Job::is_plain_file);
    let readers = packed.len().min(threads);
    let packed = Mutex::new(VecDeque::from(packed));
    let (sender, receiver) = sync_channel(threads * 2);
    let receiver = Arc::new(Mutex::new(receiver));
    let (is_done, done) = channel::<()>();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                let (tasks, is_done) = (Arc::clone(&receiver), is_done.clone());
                scope.spawn(move || {
                    // Told by being dropped, whatever becomes of the worker.
                    let _is_done = is_done;
                    worker(orders, shared).run(tasks)
                })
            })
            .collect();
        let captures = (!captures.is_empty()).then(|| {
            let is_done = is_done.clone();
            scope.spawn(move || {
                let _is_done = is_done;
                captures::count(captures, orders.settings, shared)
            })
        });
        // Without workers there is nobody to give anything to: then this is the last of the receiver.
        drop((receiver, is_done));
        for _ in 0..readers {
            let (packed, sender) = (&packed, sender.clone());
            scope.spawn(move || feed_all(packed, shared, &sender));
        }
        scope.spawn(move || plain.into_iter().for_each(|job| feed(job, shared, &sender)));
        wait(&done, tell);
        gather(orders, workers, captures)
    })
}

fn worker<'o>(orders: &'o Orders<'_>, shared: &'o Shared) -> Worker<'o> {
    Worker::new(orders.labels, shared, orders.settings)
}

/// Takes one job after the other, beside other threads that do.
fn feed_all(jobs: &Mutex<VecDeque<Job>>, shared: &Shared, tasks: &SyncSender<Task>) {
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        match job {
            Some(job) if !shared.is_to_end() => feed(job, shared, tasks),
            _ => return,
        }
    }
}

/// Waits for the end of all workers.
fn wait(done: &Receiver<()>, tell: &mut dyn FnMut()) {
    while let Err(RecvTimeoutError::Timeout) = done.recv_timeout(TELL) {
        tell();
    }
}

fn gather(
    orders: &Orders<'_>,
    workers: Vec<ScopedJoinHandle<'_, (Workload, FirstBad)>>,
    captures: Option<ScopedJoinHandle<'_, Workload>>,
) -> (Workload, FirstBad) {
    let mut bad = FirstBad::new(orders.settings.keeps_bad);
    let mut parts: Vec<Workload> = workers
        .into_iter()
        .map(|worker| {
            let (workload, more) = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            bad.merge(more);
            workload
        })
        .collect();
    parts.extend(
        captures.map(|captures| captures.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))),
    );
    (merge_workloads(&orders.settings.tool, &parts), bad)
}
