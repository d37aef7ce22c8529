//! `--observe`: the processes that do the work of a run are sampled while they are measured.

use std::collections::BTreeSet;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tlstax_doc::Profile;
use tlstax_observe::live::{Capture, Finished, LiveError, Settings, Target};
use tlstax_observe::{Classifier, Collector, Facts, Surroundings};
use tlstax_run::{Event, Observer};

use super::documents::tool;
use crate::progress::Screen;

/// How often samples are taken out of the kernel's buffers, which hold more than that.
const STEP: Duration = Duration::from_millis(100);

/// An observer of a run that hands the processes of each batch to a thread that samples them.
pub struct Beside<'s> {
    screen: &'s mut Screen,
    processes: Sender<Vec<u32>>,
    known: BTreeSet<u32>,
    thread: JoinHandle<Result<Option<Profile>, LiveError>>,
}

impl<'s> Beside<'s> {
    pub fn begin(screen: &'s mut Screen) -> Self {
        let (processes, told) = channel();
        Self { screen, processes, known: BTreeSet::new(), thread: thread::spawn(move || sample(&told)) }
    }

    /// What was sampled; none where no process was ever named.
    ///
    /// # Errors
    /// The kernel does not let us sample.
    pub fn end(self) -> Result<Option<Profile>, LiveError> {
        drop(self.processes);
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

impl Observer for Beside<'_> {
    fn observe(&mut self, event: Event<'_>) {
        if let Event::Batch(progress) = &event {
            let new: Vec<u32> =
                progress.processes.iter().copied().filter(|pid| self.known.insert(*pid)).collect();
            if !new.is_empty() {
                // If it has ended, it says why at the end.
                let _ = self.processes.send(new);
            }
        }
        self.screen.observe(event);
    }
}

/// Samples all processes that are told, until there is nobody left who could tell more.
fn sample(told: &Receiver<Vec<u32>>) -> Result<Option<Profile>, LiveError> {
    let Ok(first) = told.recv() else { return Ok(None) };
    let classifier = Classifier::built_in();
    let mut collector = Collector::new(&classifier);
    let mut capture = Capture::begin(&Target::Processes(first), &Settings::default())?;
    loop {
        // The run ends by itself if somebody interrupts, and processes come and go with its sittings.
        capture.poll(&mut collector, STEP)?;
        match told.recv_timeout(Duration::ZERO) {
            Ok(new) => capture.also(&new)?,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let Finished { facts, own } = capture.finish(&mut collector);
    // Their numbers say nothing to anybody: they ended with the run.
    let facts = Facts { target: "the processes that did the work".to_owned(), ..facts };
    let surroundings = Surroundings { own: Some(own), ..Surroundings::default() };
    Ok((collector.samples() > 0).then(|| collector.finish(facts, surroundings, tool())))
}
