//! Reads the text of `perf script`.

use tlstax_doc::{Origin, Unit};

use super::chosen::Chosen;
use super::frame_line::{self, FrameLine};
use super::sample_line::{self, SampleLine};
use crate::collect::{Collector, Moment};
use crate::frame::FrameId;
use crate::source::idle::{self, IDLE_TASK};
use crate::source::input::Opened;
use crate::source::lines::TakeLines;
use crate::source::names::Names;
use crate::source::processes::NamedProcesses;
use crate::source::{Facts, SourceError, notes, stack};

/// Whether a line can only be one of `perf script`: a frame with its address, or the first of a sample with its time.
pub fn is_of_script(line: &[u8]) -> bool {
    let is_frame = frame_line::parse(line).is_some_and(|frame| frame.address.is_some());
    is_frame || sample_line::parse(line).is_some_and(|sample| sample.at_ns.is_some())
}

/// Reads the text of `perf script`.
pub fn read(input: Opened<'_>, into: &mut Collector<'_>) -> Result<Facts, SourceError> {
    let target = input.target();
    let mut script = Script::new(Chosen::of(&input.head), into);
    script.cut = input.read_lines(&mut script)?;
    script.finish_sample();
    Ok(script.facts(target))
}

struct Script<'s, 'c> {
    into: &'s mut Collector<'c>,
    chosen: Chosen,
    names: Names,
    processes: NamedProcesses,
    /// The sample whose stack is being read; none while that of another event is.
    open: Option<Moment>,
    is_idle_task: bool,
    stack: Vec<FrameId>,
    /// Functions of the open sample that were put into the next one, whose address and file are theirs, too.
    inlined: Vec<(Option<u64>, Box<[u8]>)>,
    /// Text that was put together.
    text: Vec<u8>,
    /// Whether frames have addresses: then a line without one is something else, such as a place in the source.
    has_addresses: bool,
    first_ns: Option<u64>,
    last_ns: u64,
    cpus: Option<u32>,
    lost: u64,
    idle: u64,
    without_stack: u64,
    deep: u64,
    broken: u64,
    cut: Option<String>,
}

impl TakeLines for Script<'_, '_> {
    fn take(&mut self, line: &[u8]) {
        if line.trim_ascii().is_empty() {
            return self.finish_sample();
        }
        if line.starts_with(b"#") {
            return self.take_heading(line);
        }
        let frame = frame_line::parse(line);
        if let Some(frame) = frame.filter(|frame| frame.address.is_some()) {
            self.has_addresses = true;
            return self.take_frame(frame, true);
        }
        match (sample_line::parse(line), frame) {
            (Some(sample), None) => self.take_sample(sample),
            (Some(sample), Some(_)) if sample.at_ns.is_some() || self.open.is_none() => {
                self.take_sample(sample)
            }
            (_, Some(frame)) if !self.has_addresses => self.take_frame(frame, true),
            // A place in the source, or another detail of the frame before.
            (_, Some(_)) => {}
            (None, None) => self.broken += 1,
        }
    }

    fn too_long(&mut self) {
        self.broken += 1;
    }

    fn samples(&self) -> u64 {
        self.into.samples()
    }
}

impl<'s, 'c> Script<'s, 'c> {
    fn new(chosen: Chosen, into: &'s mut Collector<'c>) -> Self {
        Self {
            into,
            chosen,
            names: Names::default(),
            processes: NamedProcesses::default(),
            open: None,
            is_idle_task: false,
            stack: Vec::new(),
            inlined: Vec::new(),
            text: Vec::new(),
            has_addresses: false,
            first_ns: None,
            last_ns: 0,
            cpus: None,
            lost: 0,
            idle: 0,
            without_stack: 0,
            deep: 0,
            broken: 0,
            cut: None,
        }
    }

    /// What `--header` prints before the samples.
    fn take_heading(&mut self, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        if let Some((_, cpus)) = text.split_once("nrcpus online :") {
            self.cpus = cpus.trim().parse().ok();
        }
    }

    fn take_sample(&mut self, sample: SampleLine<'_>) {
        self.finish_sample();
        if sample.rest.starts_with(b"PERF_RECORD_") {
            return self.take_record(sample.rest);
        }
        if !self.chosen.takes(sample.event) {
            return;
        }
        if let Some(at_ns) = sample.at_ns {
            self.first_ns.get_or_insert(at_ns);
            self.last_ns = self.last_ns.max(at_ns);
        }
        let weight = if self.chosen.is_weighed() { sample.period.unwrap_or(0) } else { 1 };
        let at_ns = sample.at_ns.map(|at_ns| at_ns.saturating_sub(self.first_ns.unwrap_or(0)));
        self.is_idle_task = sample.process == Some(0) && sample.name.starts_with(IDLE_TASK);
        let process = self.processes.number(sample.process, sample.name, self.into);
        self.open = Some(Moment { at_ns, process, weight });
        if let Some(frame) = frame_line::parse_behind_event(sample.rest) {
            self.take_frame(frame, false);
            self.finish_sample();
        }
    }

    /// Other records, with `--show-lost-events` and its like: `PERF_RECORD_LOST lost 12`.
    fn take_record(&mut self, rest: &[u8]) {
        let mut words = sample_line::tokens(rest).map(|(_, word)| word);
        let is_lost = words.next().is_some_and(|word| word.starts_with(b"PERF_RECORD_LOST"));
        if let Some(lost) = words.nth(1).and_then(sample_line::number).filter(|_| is_lost) {
            self.lost = self.lost.saturating_add(lost);
        }
    }

    /// In a stack, perf prints addresses of user space as the file states them; behind an event, as the process had them.
    fn take_frame(&mut self, frame: FrameLine<'_>, is_in_stack: bool) {
        if self.open.is_none() {
            return;
        }
        if self.stack.len() > stack::DEEPEST || self.inlined.len() > stack::DEEPEST {
            return;
        }
        if frame.is_inlined {
            self.inlined.push((frame.address, frame.text.into()));
            return;
        }
        let file = frame_line::file_of(frame.text).unwrap_or_default();
        for (address, inlined) in std::mem::take(&mut self.inlined) {
            let file = if address == frame.address { file } else { &[] };
            self.push(&[&inlined[..], file].concat());
        }
        match frame.address.filter(|_| is_in_stack) {
            Some(place) if frame_line::is_nameless_in_file(frame.text) => {
                let mut text = std::mem::take(&mut self.text);
                frame_line::with_place(frame.text, place, &mut text);
                self.push(&text);
                self.text = text;
            }
            _ => self.push(frame.text),
        }
    }

    fn push(&mut self, text: &[u8]) {
        self.stack.push(self.names.frame(text, self.into, frame_line::frame));
    }

    fn finish_sample(&mut self) {
        let Some(moment) = self.open.take() else {
            return;
        };
        for (_, inlined) in std::mem::take(&mut self.inlined) {
            self.push(&inlined);
        }
        self.without_stack += u64::from(self.stack.is_empty());
        self.deep += u64::from(stack::cut(&mut self.stack));
        if std::mem::take(&mut self.is_idle_task) && idle::is_idle(&self.stack, self.into) {
            self.idle += 1;
        } else {
            self.into.sample(&moment, &self.stack);
        }
        self.stack.clear();
    }

    fn facts(self, target: String) -> Facts {
        let unit = if self.chosen.is_weighed() { self.chosen.kind.unit() } else { Unit::Samples };
        let duration = self.first_ns.map(|first| self.last_ns - first.min(self.last_ns));
        let notes = self.notes();
        Facts {
            origin: Origin {
                format: "perf script".to_owned(),
                event: self.chosen.event,
                hertz: None,
                stacks: None,
            },
            unit,
            target,
            started: None,
            duration_ns: duration.filter(|duration| *duration > 0),
            cpus: self.cpus,
            lost: self.lost,
            notes,
        }
    }

    fn notes(&self) -> Vec<tlstax_doc::Note> {
        let mut all = Vec::new();
        all.extend(self.chosen.left_out().map(notes::info));
        all.extend(idle::told(self.idle).map(notes::info));
        if let Some(event) = self.chosen.event.as_deref().filter(|_| self.chosen.kind.unit() == Unit::Samples)
        {
            let what = format!("its event is {event}, which does not count CPU time: shares are of {event}");
            all.push(notes::warning(what, "record cycles, or cpu-clock where there is no counter"));
        }
        if self.without_stack > 0 {
            let what = format!("{} samples have neither a stack nor an address", self.without_stack);
            all.push(notes::warning(what, "record with `--call-graph dwarf`, and print with `perf script`"));
        }
        all.extend(stack::told(self.deep).map(notes::info));
        if self.broken > 0 {
            let what = format!("{} lines are none of perf script and were left out", self.broken);
            all.push(notes::warning(what, "see whether something was written between them"));
        }
        all.extend(self.cut.as_deref().map(notes::cut));
        all
    }
}
