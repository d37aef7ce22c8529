//! Threads that count, and threads that give them something to do.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

use tlstax_doc::{Tool, Workload, merge_workloads};

use super::bad::FirstBad;
use super::feed::{Job, feed};
use super::shared::Shared;
use super::worker::{Label, Task, Worker};
use crate::window::Window;

/// How often progress is told.
const TELL: Duration = Duration::from_millis(100);

/// What all workers are told.
pub struct Orders<'o> {
    pub labels: &'o [Label],
    pub window: Window,
    pub tool: &'o Tool,
    pub threads: usize,
    pub keeps_bad: bool,
}

/// Counts all jobs. `tell` is called now and then while that goes on.
pub fn count(
    orders: &Orders<'_>,
    jobs: Vec<Job>,
    shared: &Shared,
    tell: &mut dyn FnMut(),
) -> (Workload, FirstBad) {
    let (plain, packed): (Vec<Job>, Vec<Job>) = jobs.into_iter().partition(Job::is_plain_file);
    let readers = packed.len().min(orders.threads);
    let packed = Mutex::new(VecDeque::from(packed));
    let (sender, receiver) = sync_channel(orders.threads * 2);
    let receiver = Arc::new(Mutex::new(receiver));
    let (is_done, done) = channel::<()>();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..orders.threads)
            .map(|_| {
                let (tasks, is_done) = (Arc::clone(&receiver), is_done.clone());
                scope.spawn(move || {
                    // Told by being dropped, whatever becomes of the worker.
                    let _is_done = is_done;
                    worker(orders, shared).run(tasks)
                })
            })
            .collect();
        // Without workers there is nobody to give anything to: then this is the last of the receiver.
        drop((receiver, is_done));
        for _ in 0..readers {
            let (packed, sender) = (&packed, sender.clone());
            scope.spawn(move || feed_all(packed, shared, &sender));
        }
        scope.spawn(move || plain.into_iter().for_each(|job| feed(job, shared, &sender)));
        wait(&done, tell);
        gather(orders, workers)
    })
}

fn worker<'o>(orders: &'o Orders<'_>, shared: &'o Shared) -> Worker<'o> {
    Worker::new(orders.labels, shared, orders.window, orders.tool, FirstBad::new(orders.keeps_bad))
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
) -> (Workload, FirstBad) {
    let mut bad = FirstBad::new(orders.keeps_bad);
    let parts: Vec<Workload> = workers
        .into_iter()
        .map(|worker| {
            let (workload, more) = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            bad.merge(more);
            workload
        })
        .collect();
    (merge_workloads(orders.tool, &parts), bad)
}
