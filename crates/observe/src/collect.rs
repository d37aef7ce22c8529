//! [`Collector`]: adds samples up and makes a profile of them.

mod frames;
mod moment;
mod processes;
mod spans;

use std::collections::HashMap;

use foldhash::fast::RandomState;
use tlstax_doc::{Capture, Class, Evidence, OwnCost, PROFILE_VERSION, Profile, Stack, Tool, Work, merge};
use tlstax_spec::Host;

use self::frames::Frames;
use self::processes::Processes;
use self::spans::Spans;
use crate::classify::{Classifier, Reading};
use crate::frame::{Frame, FrameId};
use crate::source::Facts;

pub use self::moment::Moment;

/// What surrounds the samples of a live capture; an import has nothing of it.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Surroundings {
    pub host: Option<Host>,
    pub own: Option<OwnCost>,
    pub work: Option<Work>,
}

/// Adds samples up. Its memory is bounded by distinct stacks, not by samples.
#[derive(Debug)]
pub struct Collector<'c> {
    classifier: &'c Classifier,
    frames: Frames,
    /// What the rules say of each frame.
    readings: Vec<Reading>,
    stacks: HashMap<Box<[FrameId]>, usize, RandomState>,
    kept: Vec<Kept>,
    spans: Spans,
    processes: Processes,
    samples: u64,
    /// Whether every sample so far has a time.
    has_times: bool,
}

/// A distinct stack.
#[derive(Debug)]
struct Kept {
    class: Class,
    evidence: Evidence,
    weight: u64,
}

impl<'c> Collector<'c> {
    pub fn new(classifier: &'c Classifier) -> Self {
        Self {
            classifier,
            frames: Frames::default(),
            readings: Vec::new(),
            stacks: HashMap::default(),
            kept: Vec::new(),
            spans: Spans::default(),
            processes: Processes::default(),
            samples: 0,
            has_times: true,
        }
    }

    /// The number of a frame, the same for the same frame.
    pub fn frame(&mut self, frame: Frame) -> FrameId {
        let id = self.frames.id(frame);
        if id.0 as usize == self.readings.len() {
            self.readings.push(self.classifier.read(self.frames.get(id)));
        }
        id
    }

    /// The function of a frame.
    pub(crate) fn function(&self, id: FrameId) -> Option<&str> {
        self.frames.get(id).function.as_deref()
    }

    /// Says what a process is called, from now on.
    pub fn name_process(&mut self, process: u32, name: &str) {
        self.processes.name(process, name);
    }

    /// Says what CPU time the kernel accounts to all processes of a name in the time of the capture, nanoseconds.
    pub fn account(&mut self, name: &str, cpu_ns: u64) {
        self.processes.account(name, cpu_ns);
    }

    /// Adds a sample; the innermost frame comes first.
    pub fn sample(&mut self, moment: &Moment, stack: &[FrameId]) {
        self.samples_at(moment, stack, 1);
    }

    /// Adds so many samples of the same stack, whose weight all together the moment has.
    pub fn samples_at(&mut self, moment: &Moment, stack: &[FrameId], samples: u64) {
        let at = match self.stacks.get(stack) {
            Some(at) => *at,
            None => self.keep(stack),
        };
        let kept = &mut self.kept[at];
        kept.weight = kept.weight.saturating_add(moment.weight);
        self.spans.add(moment, kept.class, samples);
        self.processes.add(moment, samples);
        self.samples = self.samples.saturating_add(samples);
        self.has_times &= moment.at_ns.is_some();
    }

    fn keep(&mut self, stack: &[FrameId]) -> usize {
        let read = |id: &FrameId| (self.frames.get(*id), &self.readings[id.0 as usize]);
        let frames: Vec<(&Frame, &Reading)> = stack.iter().map(read).collect();
        let (class, evidence) = self.classifier.classify_read(&frames);
        self.kept.push(Kept { class, evidence, weight: 0 });
        self.stacks.insert(stack.into(), self.kept.len() - 1);
        self.kept.len() - 1
    }

    /// Samples so far.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// Weights by class so far, in the order of classes: for a display that is renewed while it goes on.
    pub fn weights(&self) -> Vec<(Class, u64)> {
        self.spans.totals().into_iter().collect()
    }

    /// The profile of everything so far.
    pub fn finish(self, facts: Facts, surroundings: Surroundings, tool: Tool) -> Profile {
        let stacks = self.stacks.iter().map(|(frames, at)| {
            let kept = &self.kept[*at];
            Stack {
                // The document has the outermost first.
                frames: frames.iter().rev().map(|id| id.0).collect(),
                class: kept.class,
                evidence: kept.evidence.clone(),
                weight: kept.weight,
            }
        });
        let profile = Profile {
            schema: PROFILE_VERSION,
            document: "profile".to_owned(),
            tool,
            unit: facts.unit,
            stacks: stacks.collect(),
            frames: self.frames.shown(),
            captures: vec![Capture {
                origin: facts.origin,
                target: facts.target,
                started: facts.started,
                duration_ns: facts.duration_ns,
                host: surroundings.host,
                cpus: facts.cpus,
                processes: self.processes.in_order(),
                lost: facts.lost,
                own: surroundings.own,
                span_ns: self.spans.width(self.has_times),
                spans: self.spans.in_order(),
                work: surroundings.work,
                notes: facts.notes,
            }],
        };
        // Frames that differ only in what is not shown fall together, and everything gets its order.
        merge(&[profile]).expect("one profile has one unit")
    }
}
