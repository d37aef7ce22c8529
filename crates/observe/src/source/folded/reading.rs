//! Reads folded stacks.

use tlstax_doc::{Origin, Unit};

use super::first_frame::{self, FirstFrame};
use super::frame::{self, SEPARATORS};
use super::line;
use crate::collect::{Collector, Moment};
use crate::frame::FrameId;
use crate::source::idle::{self, IDLE_TASK};
use crate::source::input::Opened;
use crate::source::lines::TakeLines;
use crate::source::names::Names;
use crate::source::processes::NamedProcesses;
use crate::source::{Facts, SourceError, notes, stack};

/// Reads folded stacks; lines that are none are counted and left out.
pub fn read(input: Opened<'_>, into: &mut Collector<'_>) -> Result<Facts, SourceError> {
    let target = input.target();
    let mut folded = Folded::new(FirstFrame::of(&input.head), into);
    folded.cut = input.read_lines(&mut folded)?;
    Ok(folded.facts(target))
}

struct Folded<'f, 'c> {
    into: &'f mut Collector<'c>,
    first: FirstFrame,
    names: Names,
    processes: NamedProcesses,
    /// The stack of a line, kept for its memory.
    stack: Vec<FrameId>,
    /// What earlier counts had beyond whole numbers.
    fraction: f64,
    has_fractions: bool,
    broken: u64,
    idle: u64,
    deep: u64,
    /// Why the input ended before its end.
    cut: Option<String>,
}

impl TakeLines for Folded<'_, '_> {
    fn take(&mut self, line: &[u8]) {
        if line.trim_ascii().is_empty() || line.starts_with(b"#") {
            return;
        }
        match line::parse(line) {
            Some((frames, count)) => self.take_stack(frames, count),
            None => self.broken += 1,
        }
    }

    fn too_long(&mut self) {
        self.broken += 1;
    }

    fn samples(&self) -> u64 {
        self.into.samples()
    }
}

impl<'f, 'c> Folded<'f, 'c> {
    fn new(first: FirstFrame, into: &'f mut Collector<'c>) -> Self {
        Self {
            into,
            first,
            names: Names::default(),
            processes: NamedProcesses::default(),
            stack: Vec::new(),
            fraction: 0.0,
            has_fractions: false,
            broken: 0,
            idle: 0,
            deep: 0,
            cut: None,
        }
    }

    fn take_stack(&mut self, frames: &[u8], count: f64) {
        let weight = self.whole(count);
        if weight == 0 {
            return;
        }
        let is_idle_task = self.first != FirstFrame::Function && frames.starts_with(IDLE_TASK);
        let (process, frames) = self.process(frames);
        self.stack.clear();
        for text in frames.rsplit(|byte| *byte == b';') {
            if !text.is_empty() && !SEPARATORS.contains(&text) {
                self.stack.push(self.names.frame(text, self.into, frame::frame));
            }
        }
        self.deep += u64::from(stack::cut(&mut self.stack));
        if is_idle_task && idle::is_idle(&self.stack, self.into) {
            self.idle = self.idle.saturating_add(weight);
        } else {
            self.into.samples_at(&Moment { at_ns: None, process, weight }, &self.stack, weight);
        }
    }

    /// Counts with fractions are rounded so that their sum is kept.
    fn whole(&mut self, count: f64) -> u64 {
        let whole = (count + self.fraction).floor();
        let fraction = count + self.fraction - whole;
        self.has_fractions |= fraction > 0.0;
        self.fraction = fraction;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "counts are from 0 to 2^53"
        )]
        let whole = whole as u64;
        whole
    }

    /// The process, and the frames without it.
    fn process<'l>(&mut self, frames: &'l [u8]) -> (u32, &'l [u8]) {
        if self.first == FirstFrame::Function {
            return (0, frames);
        }
        let (first, others) = first_frame::first(frames);
        let numbered = first_frame::numbered(first).filter(|_| self.first == FirstFrame::NameAndNumber);
        let (name, number) = numbered.unwrap_or((first, None));
        (self.processes.number(number, name, self.into), others)
    }

    fn facts(self, target: String) -> Facts {
        let mut all = Vec::new();
        if self.first != FirstFrame::Function {
            all.push(notes::info("the first frame of each stack is taken for the name of the process"));
        }
        all.extend(idle::told(self.idle).map(notes::info));
        if self.has_fractions {
            all.push(notes::info("counts with fractions were rounded so that their sum is kept"));
        }
        all.extend(stack::told(self.deep).map(notes::info));
        if self.broken > 0 {
            let what = format!("{} lines are no folded stacks and were left out", self.broken);
            all.push(notes::warning(what, "see whether something was written between them"));
        }
        all.extend(self.cut.as_deref().map(notes::cut));
        Facts {
            origin: Origin { format: "folded".to_owned(), event: None, hertz: None, stacks: None },
            unit: Unit::Samples,
            target,
            started: None,
            duration_ns: None,
            cpus: None,
            lost: 0,
            notes: all,
        }
    }
}
