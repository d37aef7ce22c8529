//! Reads a recording of perf.

use std::io::Read;

use tlstax_doc::{Origin, Unit, rfc3339};

use super::attribute::Attribute;
use super::build_ids::BuildIds;
use super::features::Features;
use super::fields::{Fields, Order};
use super::layout::Layout;
use super::opening::{self, Missing, Recording};
use super::queue::{Queue, Waiting};
use super::records::{End, Record, Records, kinds};
use super::replay::Replay;
use super::telling;
use crate::collect::Collector;
use crate::resolve::Architecture;
use crate::source::input::Opened;
use crate::source::{Facts, SourceError};

/// So many bytes may wait for their turn. A round of perf is no more than the buffers of all CPUs, half a megabyte each.
const MOST_WAITING: usize = 192 << 20;

/// Reads a recording of perf.
pub fn read(input: Opened<'_>, into: &mut Collector<'_>) -> Result<Facts, SourceError> {
    let (from, target) = (input.name.clone(), input.target());
    let no_recording = input.failed(
        "perf.data",
        "it does not begin as `perf record` writes it, or ends before the first record",
        "get the file anew",
    );
    let (head, content) = input.into_parts();
    let recording = opening::open(head, content).map_err(|source| SourceError::Read { from, source })?;
    let mut reading = Reading::new(recording.ok_or(no_recording)?, into);
    let end = reading.go_through();
    Ok(reading.facts(target, &end))
}

struct Reading<'r, 'c> {
    layout: Layout,
    features: Features,
    records: Records<Box<dyn Read + 'r>>,
    missing: Option<Missing>,
    queue: Queue,
    replay: Replay<'r, 'c>,
}

impl<'r, 'c> Reading<'r, 'c> {
    fn new(recording: Recording<'r>, into: &'r mut Collector<'c>) -> Self {
        let Recording { layout, features, records, missing, .. } = recording;
        let mut replay = Replay::new(layout.order, into);
        let architecture = features.architecture.as_deref().unwrap_or(std::env::consts::ARCH);
        replay.set_architecture(known(architecture));
        Self { layout, features, records, missing, queue: Queue::default(), replay }
    }

    fn go_through(&mut self) -> End {
        let end = loop {
            match self.records.next() {
                Ok(record) => self.take(record),
                Err(end) => break end,
            }
            if self.records.blocks.size() > MOST_WAITING {
                let due = self.queue.take_half();
                self.play(due);
            }
        };
        let due = self.queue.take_all();
        self.play(due);
        end
    }

    fn take(&mut self, record: Record) {
        if record.kind >= kinds::FIRST_OF_PERF {
            if record.kind == kinds::FINISHED_ROUND && !self.records.is_compressed {
                // What is compressed comes out later than the mark of its round.
                let due = self.queue.finish_round();
                self.play(due);
            }
            self.take_of_perf(&record);
            return self.records.blocks.release(record.place.block);
        }
        let time = self.layout.time(record.kind, self.records.body(&record));
        let Record { kind, misc, place } = record;
        // What perf has made up of what was there before has no time.
        let waiting = Waiting { time: time.filter(|time| *time != u64::MAX).unwrap_or(0), kind, misc, place };
        if waiting.time == 0 { self.play(vec![waiting]) } else { self.queue.push(waiting) }
    }

    fn play(&mut self, due: Vec<Waiting>) {
        for record in due {
            let body = self.records.blocks.get(record.place);
            self.replay.take(record.kind, record.misc, body, &self.layout, &self.features);
            self.records.blocks.release(record.place.block);
        }
    }

    /// What a pipe has in records, and a file in sections.
    fn take_of_perf(&mut self, record: &Record) {
        let (body, order) = (self.records.body(record), self.layout.order);
        match record.kind {
            kinds::ATTRIBUTE => {
                if let Some(attribute) = attribute(body, order) {
                    self.layout.add(attribute);
                    self.layout.name(&self.features.events);
                }
            }
            kinds::FEATURE => {
                let mut fields = Fields::of(body, order);
                if let Some(number) = fields.u64().and_then(|number| u32::try_from(number).ok()) {
                    self.features.take(number, fields.rest(), order);
                    self.layout.name(&self.features.events);
                    if let Some(name) =
                        self.features.architecture.as_deref().filter(|_| number == Features::ARCH)
                    {
                        self.replay.set_architecture(known(name));
                    }
                }
            }
            kinds::BUILD_ID => {
                let ids: &mut BuildIds = &mut self.features.build_ids;
                ids.take(record.misc, body, order);
            }
            _ => {}
        }
    }

    fn facts(self, target: String, end: &End) -> Facts {
        let chosen = &self.replay.chosen;
        let attribute = self.layout.attributes.iter().find(|attribute| attribute.event() == chosen.event);
        let started = self.replay.first_ns.and_then(|first| self.features.wall_seconds(first));
        Facts {
            origin: Origin {
                format: "perf.data".to_owned(),
                event: Some(chosen.event.clone()).filter(|event| !event.is_empty()),
                hertz: attribute.and_then(Attribute::hertz),
                stacks: attribute.map(|attribute| attribute.stacks().to_owned()),
            },
            unit: chosen.unit.unwrap_or(Unit::Samples),
            target,
            started: started.map(rfc3339),
            duration_ns: self.replay.duration_ns(),
            cpus: self.features.cpus,
            lost: self.replay.counts.lost,
            notes: telling::notes(end, self.missing, &self.layout, self.replay.told()),
        }
    }
}

/// A pipe has the attribute, then its ids.
fn attribute(body: &[u8], order: Order) -> Option<Attribute> {
    let mut fields = Fields::of(body, order);
    let size = {
        let mut head = fields;
        let (_kind, size) = (head.u32()?, head.u32()?);
        size
    };
    let mut attribute = Attribute::read(fields.items(size.into(), 1)?, order)?;
    attribute.ids = std::iter::from_fn(|| fields.u64()).collect();
    Some(attribute)
}

fn known(architecture: &str) -> Option<Architecture> {
    match architecture {
        "x86_64" => Some(Architecture::X86_64),
        "aarch64" | "arm64" => Some(Architecture::Aarch64),
        _ => None,
    }
}
