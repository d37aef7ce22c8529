//! [`Source`]: where the bytes of an input come from.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::PathBuf;

use super::ahead::Ahead;
use super::shared::Shared;

/// One read asks for so much of a file that is read from its beginning to its end.
const BLOCK: usize = 1 << 18;

/// Behind the end of a part only the rest of a line is wanted.
const BEHIND: u64 = 1 << 12;

/// Where the bytes of an input come from.
pub enum Source {
    /// A file that can be read at any place.
    File(PlainFile),
    /// What comes once: its first bytes, which were looked at, and the rest.
    Stream(Vec<u8>, Ahead),
}

impl Source {
    /// Bytes on the disk, where that is known.
    pub const fn size(&self) -> Option<u64> {
        match self {
            Self::File(file) => Some(file.size),
            Self::Stream(..) => None,
        }
    }
}

/// A file as it was when it was looked at.
pub struct PlainFile {
    pub opening: Opening,
    pub size: u64,
}

/// How it is opened. Of a thousand files not all are open at once.
pub enum Opening {
    Path(PathBuf, FileId),
    /// Standard input that is a file.
    Open(File),
}

/// What tells files from each other, whatever they are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FileId {
    device: u64,
    inode: u64,
}

impl FileId {
    ///
    /// # Errors
    /// What the system says.
    pub fn of(file: &File) -> io::Result<Self> {
        let metadata = file.metadata()?;
        Ok(Self { device: metadata.dev(), inode: metadata.ino() })
    }
}

/// Reads a file from a place on. It has a place of its own, so that several threads may read one file.
pub struct Region<'s, F> {
    file: F,
    shared: &'s Shared,
    at: u64,
    until: u64,
}

impl<'s, F: AsRef<File>> Region<'s, F> {
    /// From a place on in blocks, and behind another in small ones.
    pub const fn new(file: F, shared: &'s Shared, at: u64, until: u64) -> Self {
        Self { file, shared, at, until }
    }
}

impl<F: AsRef<File>> Read for Region<'_, F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.shared.check()?;
        let left = if self.at < self.until { self.until - self.at } else { BEHIND };
        let length = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let read = self.file.as_ref().read_at(&mut buffer[..length], self.at)?;
        if self.at < self.until {
            self.shared.add_read(read);
        }
        self.at += read as u64;
        Ok(read)
    }
}

/// A file that is read by one thread only.
pub struct Whole(pub File);

impl AsRef<File> for Whole {
    fn as_ref(&self) -> &File {
        &self.0
    }
}

/// What comes from another thread, until nobody wants more.
pub struct Waiting<'s> {
    ahead: Ahead,
    shared: &'s Shared,
}

impl Read for Waiting<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.ahead.read(buffer, self.shared)?;
        self.shared.add_read(read);
        Ok(read)
    }
}

/// A file from its first byte on, by one thread. It may grow meanwhile: an archive ends where it says.
pub fn in_order(file: File, size: u64, shared: &Shared) -> BufReader<Region<'_, Whole>> {
    BufReader::with_capacity(BLOCK, Region::new(Whole(file), shared, 0, size))
}

/// What comes once, from its first byte on.
pub fn as_it_comes(
    head: Vec<u8>,
    ahead: Ahead,
    shared: &Shared,
) -> BufReader<io::Chain<Cursor<Vec<u8>>, Waiting<'_>>> {
    shared.add_read(head.len());
    BufReader::with_capacity(BLOCK, Cursor::new(head).chain(Waiting { ahead, shared }))
}
