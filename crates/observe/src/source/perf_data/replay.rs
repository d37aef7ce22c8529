//! [`Replay`]: goes through the records in the order of their times, and makes samples of them.

use std::collections::{BTreeMap, HashMap};

use tlstax_doc::Unit;

use super::attribute::{Attribute, has};
use super::event_records::{Event, MODE};
use super::features::Features;
use super::fields::Order;
use super::kernel::Kernel;
use super::layout::{Layout, SAMPLE};
use super::sample::Sample;
use super::stacks::{Stacks, places_in_kernel};
use crate::collect::{Collector, Moment};
use crate::frame::FrameId;
use crate::resolve::Architecture;
use crate::source::event::{Kind, kind};
use crate::source::{idle, stack};

/// Goes through the records of a recording.
pub struct Replay<'r, 'c> {
    pub into: &'r mut Collector<'c>,
    order: Order,
    stacks: Stacks,
    kernel: Kernel,
    names: HashMap<u32, String>,
    frames: Vec<FrameId>,
    pub chosen: Chosen,
    pub first_ns: Option<u64>,
    last_ns: u64,
    pub counts: Counts,
}

/// The event that is read.
#[derive(Debug, Default)]
pub struct Chosen {
    pub event: String,
    pub is_weighed: bool,
    pub unit: Option<Unit>,
    /// Whether samples of an attribute are read, by its index.
    takes: Vec<bool>,
}

/// What is counted on the way.
#[derive(Debug, Default)]
pub struct Counts {
    pub lost: u64,
    pub throttled: u64,
    pub broken: u64,
    pub deep: u64,
    pub idle: u64,
    /// Samples of events that are not read, by attribute.
    pub others: BTreeMap<usize, u64>,
}

impl Chosen {
    /// Of several events that which counts CPU time; of both kinds of cores, if there are two.
    fn of(attributes: &[Attribute]) -> Self {
        let best = attributes.iter().min_by_key(|attribute| kind(&attribute.event()));
        let Some(best) = best else {
            return Self::default();
        };
        let event = best.event();
        let takes = attributes.iter().map(|attribute| attribute.event() == event).collect();
        let has_period = best.has(has::PERIOD) || best.usual_period().is_some();
        let is_weighed = has_period && kind(&event) != Kind::Other;
        let unit = if is_weighed { kind(&event).unit() } else { Unit::Samples };
        Self { event, is_weighed, unit: Some(unit), takes }
    }
}

impl<'r, 'c> Replay<'r, 'c> {
    pub fn new(order: Order, into: &'r mut Collector<'c>) -> Self {
        Self {
            into,
            order,
            stacks: Stacks::of(Some(Architecture::X86_64)),
            kernel: Kernel::default(),
            names: HashMap::new(),
            frames: Vec::new(),
            chosen: Chosen::default(),
            first_ns: None,
            last_ns: 0,
            counts: Counts::default(),
        }
    }

    /// Takes a record of the kernel.
    pub fn take(&mut self, kind: u32, misc: u16, body: &[u8], layout: &Layout, features: &Features) {
        if kind == SAMPLE {
            if self.take_sample(misc, body, layout, features).is_none() {
                self.counts.broken += 1;
            }
        } else if let Some(event) = Event::read(kind, misc, body, self.order) {
            self.take_event(event, features);
        }
    }

    fn take_event(&mut self, event: Event, features: &Features) {
        match event {
            Event::Map { process, mut mapping } => {
                mapping.build_id =
                    mapping.build_id.or_else(|| features.build_ids.get(&mapping.path).map(str::to_owned));
                self.stacks.resolver.map(process, mapping);
            }
            Event::KernelMap { name, symbol } => self.kernel.take(&name, symbol),
            Event::Name { process, name, is_exec } => {
                if is_exec {
                    self.stacks.resolver.exec(process);
                }
                self.into.name_process(process, &name);
                self.names.insert(process, name);
            }
            Event::Fork { parent, child } => {
                self.stacks.resolver.fork(parent, child);
                if let Some(name) = self.names.get(&parent).cloned() {
                    self.into.name_process(child, &name);
                    self.names.insert(child, name);
                }
            }
            Event::Lost(lost) => self.counts.lost = self.counts.lost.saturating_add(lost),
            Event::Throttled => self.counts.throttled += 1,
        }
    }

    /// None if it is broken.
    fn take_sample(&mut self, misc: u16, body: &[u8], layout: &Layout, features: &Features) -> Option<()> {
        let (index, attribute) = layout.attribute(SAMPLE, body)?;
        if self.chosen.takes.len() != layout.attributes.len() {
            self.chosen = Chosen::of(&layout.attributes);
        }
        if !self.chosen.takes[index] {
            *self.counts.others.entry(index).or_default() += 1;
            return Some(());
        }
        let sample = Sample::read(body, attribute, self.order)?;
        if !self.stacks.knows_kernel() && places_in_kernel(misc & MODE, &sample) {
            self.stacks.set_kernel(self.kernel.running_here(features));
        }
        self.frames.clear();
        self.stacks.frames(misc & MODE, &sample, attribute, self.order, self.into, &mut self.frames);
        self.counts.deep += u64::from(stack::cut(&mut self.frames));
        let moment = self.moment(&sample, attribute);
        if sample.process == 0 && sample.thread == 0 && idle::is_idle(&self.frames, self.into) {
            self.counts.idle += 1;
        } else {
            self.into.sample(&moment, &self.frames);
        }
        Some(())
    }

    fn moment(&mut self, sample: &Sample<'_>, attribute: &Attribute) -> Moment {
        let first = sample.time.map(|time| *self.first_ns.get_or_insert(time));
        self.last_ns = self.last_ns.max(sample.time.unwrap_or(0));
        let period = sample.period.or_else(|| attribute.usual_period()).unwrap_or(1);
        Moment {
            at_ns: sample.time.zip(first).map(|(time, first)| time.saturating_sub(first)),
            process: sample.process,
            weight: if self.chosen.is_weighed { period } else { 1 },
        }
    }

    pub fn duration_ns(&self) -> Option<u64> {
        self.first_ns.and_then(|first| self.last_ns.checked_sub(first)).filter(|duration| *duration > 0)
    }

    /// Before anything is mapped: a pipe says it among its first records.
    pub fn set_architecture(&mut self, architecture: Option<Architecture>) {
        if self.stacks.architecture != architecture {
            self.stacks = Stacks::of(architecture);
        }
    }

    /// What has to be told of it.
    pub fn told(&self) -> (&Chosen, &Counts, &Stacks) {
        (&self.chosen, &self.counts, &self.stacks)
    }
}
