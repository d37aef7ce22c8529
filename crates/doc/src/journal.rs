//! The journal: what a running study has found so far, one JSON line at a time, so that a crash, a full disk or a
//! kill loses at most the line that was being written.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, OFlags, flock};

use serde::{Deserialize, Serialize};

use crate::older;
use crate::results::{Batch, Measurement, Note, Outcome, Results, Slice};
use crate::store::{StoreError, Versioned, cannot_write, make_folder, read};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(clippy::large_enum_variant, reason = "there is one at a time, and most are of the largest kind")]
enum Line {
    /// The first line: results without slices and batches. Every case of the study stands in it; those that are
    /// ready to be measured with no batches, the others with their reason.
    Begin(Box<Results>),
    /// A reading of the reference kernels.
    Slice(Slice),
    /// A batch of the measurement with this index.
    Batch(usize, Batch),
    /// The measurement with this index will get no more batches.
    Done(usize),
    /// The measurement with this index ended in a hole.
    Hole(usize, Outcome),
    /// Something happened to the measurement with this index that its reader has to know.
    Note(usize, Note),
}

/// A journal that is being written. Only one process has it: the lock goes with the file.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: BufWriter<File>,
    is_begun: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Unfinished {
    pub results: Results,
    /// The indices of measurements that are done.
    pub done: Vec<usize>,
}

impl Journal {
    /// Takes the name for a run that is about to begin. Until it has begun, the file is empty, and goes with this.
    ///
    /// # Errors
    /// Another run writes it, or it holds one that did not end; it cannot be made, or is no file.
    pub fn claim(path: &Path) -> Result<Self, StoreError> {
        make_folder(path).map_err(|source| cannot_write(path, source))?;
        let journal = Self::open(path, Self::options().append(true).create(true))?;
        let owner = journal.file.get_ref().metadata().map_err(|source| cannot_write(path, source))?.uid();
        // An empty file that another user has laid there would be theirs, whatever we write into it.
        match journal.is_begun || owner != rustix::process::geteuid().as_raw() {
            true => Err(StoreError::Unfinished { path: path.to_owned() }),
            false => Ok(journal),
        }
    }

    /// Takes the journal of a run that did not end, to go on with it.
    ///
    /// # Errors
    /// Another run writes it; it is not there, or is no file.
    pub fn resume(path: &Path) -> Result<Self, StoreError> {
        let mut journal = Self::open(path, Self::options().append(true))?;
        // The last line may have been cut off: what follows must begin on a line of its own.
        let kept = whole_lines(&read(path)?).len();
        journal.file.get_ref().set_len(kept as u64).map_err(|source| cannot_write(path, source))?;
        // An empty one is refused by whoever reads it, and not removed.
        journal.is_begun = true;
        Ok(journal)
    }

    #[expect(clippy::disallowed_methods, reason = "journals are files, and this crate makes the files")]
    fn options() -> OpenOptions {
        OpenOptions::new()
    }

    /// Opens and locks the file, and no link to one: what a link names was not meant.
    fn open(path: &Path, options: &mut OpenOptions) -> Result<Self, StoreError> {
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed();
        let cannot = |source| cannot_write(path, source);
        loop {
            let file = options.custom_flags(flags).open(path).map_err(cannot)?;
            let found = file.metadata().map_err(cannot)?;
            if !found.is_file() {
                return Err(cannot(io::Error::other("it is no regular file")));
            }
            // Where a file system has no locks, nothing is known of others.
            if flock(&file, FlockOperation::NonBlockingLockExclusive) == Err(rustix::io::Errno::WOULDBLOCK) {
                return Err(StoreError::Busy { path: path.to_owned() });
            }
            // Whoever had it before may have removed it while we came.
            let is_there = fs::symlink_metadata(path)
                .is_ok_and(|there| (there.dev(), there.ino()) == (found.dev(), found.ino()));
            if is_there {
                let is_begun = file.metadata().map_err(cannot)?.len() > 0;
                return Ok(Self { path: path.to_owned(), file: BufWriter::new(file), is_begun });
            }
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it holds a run.
    pub fn is_begun(&self) -> bool {
        self.is_begun
    }

    /// Writes the first line: what the run is, before its first batch.
    ///
    /// # Errors
    /// The line cannot be written.
    pub fn begin(&mut self, results: &Results) -> Result<(), StoreError> {
        self.is_begun = true;
        self.put(&Line::Begin(Box::new(results.clone())))?;
        self.flush()
    }

    /// Notes a reading of the reference kernels.
    ///
    /// # Errors
    /// The line cannot be written.
    pub fn slice(&mut self, slice: &Slice) -> Result<(), StoreError> {
        self.put(&Line::Slice(slice.clone()))
    }

    /// Notes a batch.
    ///
    /// # Errors
    /// The line cannot be written.
    pub fn batch(&mut self, measurement: usize, batch: &Batch) -> Result<(), StoreError> {
        self.put(&Line::Batch(measurement, batch.clone()))
    }

    /// Notes that a measurement is done.
    ///
    /// # Errors
    /// The line cannot be written.
    pub fn done(&mut self, measurement: usize) -> Result<(), StoreError> {
        self.put(&Line::Done(measurement))
    }

    /// Notes that a measurement ended in a hole.
    ///
    /// # Errors
    /// The line cannot be written.
    pub fn hole(&mut self, measurement: usize, outcome: &Outcome) -> Result<(), StoreError> {
        self.put(&Line::Hole(measurement, outcome.clone()))
    }

    /// Notes what the reader has to know of a measurement that goes on.
    ///
    /// # Errors
    /// The line cannot be written.
    pub fn note(&mut self, measurement: usize, note: &Note) -> Result<(), StoreError> {
        self.put(&Line::Note(measurement, note.clone()))
    }

    /// Hands everything noted so far to the system: called at the end of each round.
    ///
    /// # Errors
    /// The line cannot be written.
    pub fn flush(&mut self) -> Result<(), StoreError> {
        self.file.flush().map_err(|source| self.failed(source))
    }

    /// Removes the journal: its run has ended, and the results stand in a document.
    ///
    /// # Errors
    /// The file cannot be removed.
    pub fn remove(self) -> Result<(), StoreError> {
        fs::remove_file(&self.path).map_err(|source| self.failed(source))
    }

    fn put(&mut self, line: &Line) -> Result<(), StoreError> {
        let mut text = serde_json::to_vec(line).expect("journal lines have string keys");
        text.push(b'\n');
        self.file.write_all(&text).map_err(|source| self.failed(source))
    }

    fn failed(&self, source: io::Error) -> StoreError {
        cannot_write(&self.path, source)
    }
}

/// What was written to its end: a last line without an end was cut off.
fn whole_lines(text: &str) -> &str {
    &text[..text.rfind('\n').map_or(0, |end| end + 1)]
}

impl Drop for Journal {
    fn drop(&mut self) {
        if !self.is_begun {
            // There is nothing in it. One that stays is taken by the next run of that name.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Reads the journal of a run that did not end. A last line that was cut off is passed over.
///
/// # Errors
/// The file cannot be read, or holds no journal of a version that this program reads, or a damaged line.
pub fn read_journal(path: &Path) -> Result<Unfinished, StoreError> {
    parse_journal(&read(path)?, path)
}

/// Reads the text of a journal; the path is for messages.
///
/// # Errors
/// The text is no journal of a version that this program reads, or has a damaged line.
pub fn parse_journal(text: &str, path: &Path) -> Result<Unfinished, StoreError> {
    let mut lines = whole_lines(text).lines().zip(1..).filter(|(line, _)| !line.is_empty());
    let results = begun(lines.next().map_or("", |(line, _)| line), path)?;
    let mut unfinished = Unfinished { results, done: Vec::new() };
    let mut batches: BTreeMap<usize, Vec<Batch>> = BTreeMap::new();
    for (line, number) in lines {
        let damaged = |source| StoreError::Damaged { path: path.to_owned(), line: number, source };
        match serde_json::from_str(line).map_err(damaged)? {
            Line::Begin(_) => return Err(damaged(serde::de::Error::custom("another run begins here"))),
            Line::Slice(slice) => unfinished.results.slices.push(slice),
            // Batches name readings by their place: with one line lost, the others would be those of other batches.
            Line::Batch(_, batch) if batch.slice as usize + 1 != unfinished.results.slices.len() => {
                return Err(damaged(serde::de::Error::custom("a reading before this batch is missing")));
            }
            Line::Batch(index, batch) => batches.entry(index).or_default().push(batch),
            Line::Done(index) => unfinished.done.push(index),
            Line::Note(index, note) => {
                if let Some(measurement) = unfinished.results.measurements.get_mut(index) {
                    measurement.notes.push(note);
                }
            }
            Line::Hole(index, outcome) => {
                if let Some(measurement) = unfinished.results.measurements.get_mut(index) {
                    measurement.outcome = outcome;
                }
            }
        }
    }
    for (index, found) in batches {
        if let Some(Measurement { outcome: Outcome::Measured { batches, .. }, .. }) =
            unfinished.results.measurements.get_mut(index)
        {
            *batches = found;
        }
    }
    Ok(unfinished)
}

/// The results that a journal begins with.
fn begun(line: &str, path: &Path) -> Result<Results, StoreError> {
    let malformed = |source| StoreError::Malformed {
        what: "results",
        path: path.to_owned(),
        source,
        remedy: "a journal must begin with the line that tlstax wrote; start the study anew",
    };
    #[derive(Deserialize)]
    struct First {
        begin: Versioned,
    }
    let first: First = serde_json::from_str(line).map_err(malformed)?;
    first.begin.check(path)?;
    match serde_json::from_str(line).map_err(malformed)? {
        Line::Begin(results) => Ok(older::brought_up(*results)),
        _ => unreachable!("it has a field of that name, and a line has one field"),
    }
}
