//! [`Candidate`]: a format that a log may have, and what reads it. [`Reader`] is [`Lines`] of any format.

use std::collections::BTreeSet;
use std::sync::Arc;

use memchr::memchr2_iter;
use tlstax_doc::{Bad, PassedOver, Tell, Tool, Workload};

use crate::line::Lines;
use crate::tally::Tally;
use crate::window::Window;

/// A line may have so many bytes.
pub const LONGEST_LINE: usize = 1 << 20;

/// A format that a log may have.
#[derive(Clone)]
pub struct Candidate {
    /// What `--format` takes for it: `combined`.
    pub word: String,
    /// What it is, in a few words: "the usual format of nginx and Apache".
    pub about: String,
    pub reader: Arc<dyn Reader>,
    /// Whether its times say in which zone they are, or have none to say.
    pub has_zone: bool,
}

impl Candidate {
    pub fn new(
        word: impl Into<String>,
        about: impl Into<String>,
        lines: impl Lines + Send + 'static,
    ) -> Self {
        Self { word: word.into(), about: about.into(), reader: Arc::new(lines), has_zone: true }
    }
}

/// Reads logs of one format: [`Lines`], whatever they remember.
pub trait Reader: Send + Sync {
    /// The word of its format in documents: `nginx`.
    fn format(&self) -> &'static str;

    /// What its lines tell.
    fn tells(&self) -> BTreeSet<Tell>;

    /// Begins to count a part of what there is.
    fn part(self: Arc<Self>, window: Window) -> Box<dyn Part>;
}

/// Counts a part of what there is, on one thread.
pub trait Part {
    /// Counts lines, each with its line feed; the last may be without. Tells which are bad: where each begins, what it is, and what
    /// is wrong with it.
    fn lines(&mut self, lines: &[u8], bad: &mut dyn FnMut(usize, &[u8], Bad));

    /// Counts a line that was too long to be kept, of so many bytes.
    fn too_long(&mut self, bytes: u64);

    /// What was counted.
    fn finish(self: Box<Self>, tool: &Tool) -> Workload;
}

impl<L: Lines + Send + 'static> Reader for L {
    fn format(&self) -> &'static str {
        Lines::format(self)
    }

    fn tells(&self) -> BTreeSet<Tell> {
        Lines::tells(self)
    }

    fn part(self: Arc<Self>, window: Window) -> Box<dyn Part> {
        Box::new(LinePart { reader: self, memory: L::Memory::default(), tally: Tally::new(window) })
    }
}

/// A part of lines of one format.
struct LinePart<L: Lines> {
    reader: Arc<L>,
    memory: L::Memory,
    tally: Tally,
}

impl<L: Lines> LinePart<L> {
    fn line(&mut self, line: &[u8], has_nul: bool) -> Result<(), Bad> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            self.tally.pass_over(PassedOver::Empty);
            return Ok(());
        }
        if line.len() > LONGEST_LINE {
            return Err(Bad::TooLong);
        }
        if has_nul {
            return Err(Bad::Nul);
        }
        if let Some(seen) = self.reader.read(line, &mut self.memory, &mut self.tally)? {
            self.tally.add(&seen);
        }
        Ok(())
    }
}

impl<L: Lines> Part for LinePart<L> {
    fn lines(&mut self, lines: &[u8], bad: &mut dyn FnMut(usize, &[u8], Bad)) {
        let (mut from, mut entries, mut has_nul) = (0, 0, false);
        let mut take = |from: usize, to: usize, has_nul: bool| {
            let line = &lines[from..to];
            if let Err(what) = self.line(line, has_nul) {
                self.tally.add_bad(what);
                bad(from, line, what);
            }
        };
        for at in memchr2_iter(b'\n', 0, lines) {
            if lines[at] == 0 {
                has_nul = true;
                continue;
            }
            take(from, at, has_nul);
            (from, entries, has_nul) = (at + 1, entries + 1, false);
        }
        if from < lines.len() {
            take(from, lines.len(), has_nul);
            entries += 1;
        }
        self.tally.add_read(lines.len() as u64, entries);
    }

    fn too_long(&mut self, bytes: u64) {
        self.tally.add_bad(Bad::TooLong);
        self.tally.add_read(bytes, 1);
    }

    fn finish(self: Box<Self>, tool: &Tool) -> Workload {
        let tells = Lines::tells(&*self.reader);
        self.tally.into_workload(tool.clone(), Lines::format(&*self.reader), tells)
    }
}

#[cfg(test)]
mod tests;
