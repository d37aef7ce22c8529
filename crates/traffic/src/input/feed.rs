//! What gives workers something to do: regions of files, and lines of what can only be read from its beginning.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;

use super::archive::Packing;
use super::notice::Notice;
use super::pieces::{Piece, Pieces};
use super::shared::Shared;
use super::source::{FileId, Opening, PlainFile, Source, as_it_comes, in_order};
use super::worker::Task;

/// A file is given to workers in regions of this length.
const REGION: u64 = 4 << 20;

/// What is read from its beginning is given to workers in blocks of this length.
const BLOCK: usize = 1 << 19;

/// An input that is to be given to workers.
pub struct Job {
    /// Its place among the inputs.
    pub input: usize,
    pub name: String,
    pub source: Source,
    pub packing: Option<Packing>,
}

impl Job {
    /// Whether it can be read at any place, so that several threads may.
    pub const fn is_plain_file(&self) -> bool {
        matches!(self.source, Source::File(_)) && self.packing.is_none()
    }
}

/// Gives a job to workers. Ends early when nobody takes anything any more.
pub fn feed(job: Job, shared: &Shared, tasks: &SyncSender<Task>) {
    let Job { input, name, source, packing } = job;
    match source {
        Source::File(file) => {
            let size = file.size;
            let Some(opened) = open(file, &name, shared) else { return };
            match packing {
                None => regions(input, &Arc::new(opened), size, shared, tasks),
                Some(packing) => {
                    let packed = in_order(opened, size, shared);
                    unpacked(packing.unpack(packed), (input, &name), shared, tasks);
                }
            }
        }
        Source::Stream(head, ahead) => {
            let packed = as_it_comes(head, ahead, shared);
            match packing {
                None => lines(packed, false, (input, &name), shared, tasks),
                Some(packing) => unpacked(packing.unpack(packed), (input, &name), shared, tasks),
            }
        }
    }
}

/// Opens a file; whatever hinders that now is noted.
pub fn open(file: PlainFile, name: &str, shared: &Shared) -> Option<File> {
    let (path, known) = match file.opening {
        Opening::Open(file) => return Some(file),
        Opening::Path(path, known) => (path, known),
    };
    let opened = File::open(path).and_then(|file| Ok((FileId::of(&file)?, file)));
    match opened {
        Ok((id, file)) => {
            if id != known {
                shared.note(Notice::Replaced { name: name.to_owned() });
            }
            Some(file)
        }
        Err(source) => {
            shared.note(Notice::Unread { name: name.to_owned(), read: 0, source });
            None
        }
    }
}

fn regions(input: usize, file: &Arc<File>, size: u64, shared: &Shared, tasks: &SyncSender<Task>) {
    let mut from = 0;
    while from < size && !shared.is_to_end() {
        let until = from.saturating_add(REGION).min(size);
        let task = Task::Region { input, file: Arc::clone(file), from, until, size };
        if tasks.send(task).is_err() {
            return;
        }
        from = until;
    }
}

fn unpacked(
    unpacked: io::Result<impl Read>,
    (input, name): (usize, &str),
    shared: &Shared,
    tasks: &SyncSender<Task>,
) {
    match unpacked {
        Ok(unpacked) => lines(unpacked, true, (input, name), shared, tasks),
        Err(source) => shared.note(Notice::Unread { name: name.to_owned(), read: 0, source }),
    }
}

/// Gives the lines of what is read from its beginning.
fn lines(
    from: impl Read,
    is_archive: bool,
    (input, name): (usize, &str),
    shared: &Shared,
    tasks: &SyncSender<Task>,
) {
    let mut pieces = Pieces::new(from, shared.buffer(BLOCK), 0);
    while let Some(piece) = pieces.next() {
        let task = match piece {
            Piece::Lines { at, .. } => {
                Task::Lines { input, at, lines: pieces.exchange(shared.buffer(BLOCK)) }
            }
            Piece::TooLong { at, bytes } => Task::TooLong { input, at, bytes },
        };
        if tasks.send(task).is_err() {
            return;
        }
    }
    let (read, failure, buffer) = pieces.end();
    shared.give_back(buffer);
    if let Some(source) = failure
        && !shared.is_to_end()
    {
        shared.note(ended_early(name.to_owned(), is_archive, read, source));
    }
}

fn ended_early(name: String, is_archive: bool, read: u64, source: io::Error) -> Notice {
    match source.kind() {
        io::ErrorKind::UnexpectedEof if is_archive => Notice::Cut { name, unpacked: read },
        io::ErrorKind::InvalidData if is_archive => Notice::Damaged { name, unpacked: read, source },
        _ => Notice::Unread { name, read, source },
    }
}
