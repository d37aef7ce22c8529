//! [`Worker`]: a thread that counts lines.

use std::fs::File;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::sync::{Mutex, PoisonError};

use tlstax_doc::{Bad, Workload, merge_workloads};

use super::bad::FirstBad;
use super::notice::Notice;
use super::pieces::{Piece, Pieces};
use super::settings::Settings;
use super::shared::Shared;
use super::source::Region;
use crate::reader::{Part, Reader};

/// What a worker reads at once: it stays in the cache of a core.
const BLOCK: usize = 1 << 18;

/// So many formats are counted at a time; of more, the ones longest unused are finished first.
const MOST_PARTS: usize = 8;

/// What there is to do.
pub enum Task {
    /// Lines of a file that begin between two places.
    Region { input: usize, file: Arc<File>, from: u64, until: u64, size: u64 },
    /// Lines of something else, from a place on.
    Lines { input: usize, at: u64, lines: Vec<u8> },
    /// A line that was too long to be kept.
    TooLong { input: usize, at: u64, bytes: u64 },
}

/// An input, as those who count it see it.
pub struct Label {
    pub name: String,
    pub reader: Arc<dyn Reader>,
}

/// A thread that counts lines.
pub struct Worker<'s> {
    labels: &'s [Label],
    shared: &'s Shared,
    settings: &'s Settings,
    /// The one in use is the last.
    parts: Vec<(usize, Box<dyn Part>)>,
    finished: Workload,
    bad: FirstBad,
    buffer: Vec<u8>,
}

impl<'s> Worker<'s> {
    pub fn new(labels: &'s [Label], shared: &'s Shared, settings: &'s Settings) -> Self {
        let finished = Workload::empty(settings.tool.clone());
        let bad = FirstBad::new(settings.keeps_bad);
        Self { labels, shared, settings, parts: Vec::new(), finished, bad, buffer: Vec::new() }
    }

    /// Does what there is to do until nothing comes any more.
    pub fn run(mut self, tasks: Arc<Mutex<Receiver<Task>>>) -> (Workload, FirstBad) {
        loop {
            let task = tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
            match task {
                // What is not read yet is left then. Whoever gives more is not kept waiting.
                Ok(Task::Region { .. }) if self.shared.is_to_end() => {}
                Ok(task) => self.work(task),
                Err(_) => return self.finish(),
            }
        }
    }

    fn work(&mut self, task: Task) {
        match task {
            Task::Region { input, file, from, until, size } => {
                let buffer = std::mem::take(&mut self.buffer);
                self.buffer = self.region(input, &file, (from, until), size, buffer);
            }
            Task::Lines { input, at, lines } => {
                self.lines(input, at, &lines);
                self.shared.give_back(lines);
            }
            Task::TooLong { input, at, bytes } => self.too_long(input, at, bytes),
        }
    }

    /// Counts the lines of a region; gives the buffer back.
    fn region(
        &mut self,
        input: usize,
        file: &Arc<File>,
        (from, until): (u64, u64),
        size: u64,
        mut buffer: Vec<u8>,
    ) -> Vec<u8> {
        buffer.resize(BLOCK, 0);
        // A line begins where a line feed stands before it.
        let begins = from.saturating_sub(1);
        let region = Region::new(Arc::clone(file), self.shared, begins, until);
        let mut pieces = Pieces::new(region, buffer, begins).until(until);
        if from > 0 {
            pieces.skip_line();
        }
        while let Some(piece) = pieces.next() {
            match piece {
                Piece::Lines { at, length } => self.lines(input, at, pieces.lines(length)),
                Piece::TooLong { at, bytes } => self.too_long(input, at, bytes),
            }
        }
        let place = pieces.place();
        let (at, failure, buffer) = pieces.end();
        match failure {
            _ if self.shared.is_to_end() => {}
            Some(source) => self.unread(input, at, source),
            None if at < until => self.shared.note(Notice::Shrank { name: self.name(input) }),
            None if until == size => self.tell_growth(input, file, place),
            None => {}
        }
        buffer
    }

    /// Says how much a file has grown behind the last line that counted.
    fn tell_growth(&self, input: usize, file: &File, place: u64) {
        let by = file.metadata().map_or(0, |metadata| metadata.len().saturating_sub(place));
        if by > 0 {
            self.shared.note(Notice::Grew { name: self.name(input), by });
        }
    }

    fn lines(&mut self, input: usize, at: u64, lines: &[u8]) {
        let mut bad = std::mem::take(&mut self.bad);
        self.part(input).lines(lines, &mut |from, line, what| bad.add(input, at + from as u64, what, line));
        self.bad = bad;
    }

    fn too_long(&mut self, input: usize, at: u64, bytes: u64) {
        self.part(input).too_long(bytes);
        self.bad.add(input, at, Bad::TooLong, b"");
    }

    fn unread(&self, input: usize, read: u64, source: io::Error) {
        self.shared.note(Notice::Unread { name: self.name(input), read, source });
    }

    fn name(&self, input: usize) -> String {
        self.labels[input].name.clone()
    }

    /// The part that counts an input: inputs of one reader have one.
    fn part(&mut self, input: usize) -> &mut dyn Part {
        let reader = &self.labels[input].reader;
        let id = Arc::as_ptr(reader).cast::<()>() as usize;
        if self.parts.last().is_none_or(|(last, _)| *last != id) {
            let known = self.parts.iter().position(|(known, _)| *known == id);
            let part = known.map(|known| self.parts.remove(known));
            let part = part.unwrap_or_else(|| (id, Arc::clone(reader).part(self.settings.window)));
            if self.parts.len() >= MOST_PARTS {
                let (_, oldest) = self.parts.remove(0);
                self.keep(oldest);
            }
            self.parts.push(part);
        }
        let (_, part) = self.parts.last_mut().expect("it was pushed, or is the last already");
        part.as_mut()
    }

    fn keep(&mut self, part: Box<dyn Part>) {
        let tool = &self.settings.tool;
        let finished = std::mem::replace(&mut self.finished, Workload::empty(tool.clone()));
        self.finished = merge_workloads(tool, &[finished, part.finish(tool)]);
    }

    fn finish(mut self) -> (Workload, FirstBad) {
        for (_, part) in std::mem::take(&mut self.parts) {
            self.keep(part);
        }
        (self.finished, self.bad)
    }
}
