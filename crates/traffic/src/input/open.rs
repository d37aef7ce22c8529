//! [`Opened`]: an input and its first bytes.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::ahead::Ahead;
use super::archive::Packing;
use super::error::InputError;
use super::shared::Shared;
use super::source::{FileId, Opening, PlainFile, Source};

/// So many bytes are looked at before an input is read, unpacked: they tell its format.
const HEAD: usize = 1 << 18;

/// What is to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// Standard input.
    Standard,
    File(PathBuf),
}

/// An input that can be read, and its first bytes.
pub struct Opened {
    pub name: String,
    pub source: Source,
    pub packing: Option<Packing>,
    /// Unpacked.
    pub head: Vec<u8>,
    /// Of what is a file and no pipe: which it is.
    pub id: Option<FileId>,
}

impl Input {
    /// `-` is standard input, everything else a path.
    pub fn of(word: PathBuf) -> Self {
        if word == Path::new("-") { Self::Standard } else { Self::File(word) }
    }

    /// What messages call it.
    pub fn name(&self) -> String {
        match self {
            Self::Standard => "standard input".to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }

    /// Opens it and reads its first bytes.
    pub(super) fn open(&self, shared: &Shared) -> Result<Opened, InputError> {
        let name = self.name();
        let failed = |source| InputError::Read { name: name.clone(), source };
        let file = match self {
            Self::Standard => File::from(io::stdin().as_fd().try_clone_to_owned().map_err(failed)?),
            Self::File(path) => File::open(path).map_err(failed)?,
        };
        let metadata = file.metadata().map_err(failed)?;
        if metadata.is_dir() {
            return Err(InputError::Folder { name });
        }
        // What a program before has read of standard input is not ours.
        let is_plain = metadata.is_file() && (matches!(self, Self::File(_)) || is_at_its_beginning(&file));
        let opened = if is_plain { self.plain(file, metadata.len()) } else { stream(file, shared) };
        let (source, id, head) = opened.map_err(failed)?;
        let packing = Packing::of(&head);
        let head = match packing {
            Some(packing) => unpacked(packing, &head),
            None => head,
        };
        Ok(Opened { name, source, packing, head, id })
    }

    fn plain(&self, file: File, size: u64) -> io::Result<(Source, Option<FileId>, Vec<u8>)> {
        let head = head_of(&file)?;
        let id = FileId::of(&file)?;
        let opening = match self {
            Self::Standard => Opening::Open(file),
            Self::File(path) => Opening::Path(path.clone(), id),
        };
        Ok((Source::File(PlainFile { opening, size }), Some(id), head))
    }
}

fn is_at_its_beginning(mut file: &File) -> bool {
    io::Seek::stream_position(&mut file).is_ok_and(|at| at == 0)
}

fn stream(file: File, shared: &Shared) -> io::Result<(Source, Option<FileId>, Vec<u8>)> {
    let mut ahead = Ahead::begin(file);
    let head = ahead.head(HEAD, shared)?;
    Ok((Source::Stream(head.clone(), ahead), None, head))
}

fn head_of(file: &File) -> io::Result<Vec<u8>> {
    let mut head = vec![0; HEAD];
    let mut filled = 0;
    while filled < HEAD {
        match file.read_at(&mut head[filled..], filled as u64) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    head.truncate(filled);
    Ok(head)
}

/// What the first bytes of an archive hold. Where they end is no end, so that no failure is one.
fn unpacked(packing: Packing, packed: &[u8]) -> Vec<u8> {
    let mut head = vec![0; HEAD];
    let mut filled = 0;
    let Ok(mut unpacked) = packing.unpack(packed) else { return Vec::new() };
    while filled < HEAD {
        match unpacked.read(&mut head[filled..]) {
            Ok(read @ 1..) => filled += read,
            Ok(0) | Err(_) => break,
        }
    }
    head.truncate(filled);
    head
}
