//! [`Input`]: what is to be read, and its first bytes.

use std::fmt;
use std::io::{self, BufReader, Cursor, Read, Seek};

use flate2::bufread::MultiGzDecoder;

use super::SourceError;
use super::format::Format;
use super::lines::{Line, Lines, TakeLines};

/// So many bytes are looked at before an input is read: for its format, the events in it, and what its first frames are.
const HEAD: u64 = 1 << 20;

/// An input that is kept in memory as a whole may have so many bytes, unpacked. A profile of a fleet has a tenth of it.
pub const MOST_IN_MEMORY: u64 = 512 << 20;

const GZIP: [u8; 2] = [0x1f, 0x8b];

/// What can be read from any place.
pub trait ReadSeek: Read + Seek {}

impl<T: Read + Seek> ReadSeek for T {}

/// A profile to be read.
pub struct Input<'r> {
    name: String,
    format: Option<Format>,
    content: Content<'r>,
}

/// Where the bytes of an input come from.
pub enum Content<'r> {
    /// It can be read from any place.
    File(Box<dyn ReadSeek + 'r>),
    Stream(Box<dyn Read + 'r>),
}

impl<'r> Input<'r> {
    /// A file, or bytes; the name is for messages.
    pub fn file(name: impl Into<String>, content: impl ReadSeek + 'r) -> Self {
        Self { name: name.into(), format: None, content: Content::File(Box::new(content)) }
    }

    /// What comes once and cannot be gone back in: a pipe.
    pub fn stream(name: impl Into<String>, content: impl Read + 'r) -> Self {
        Self { name: name.into(), format: None, content: Content::Stream(Box::new(content)) }
    }

    /// Says its format, where it cannot be known by the first bytes.
    #[must_use]
    pub fn of(self, format: Format) -> Self {
        Self { format: Some(format), ..self }
    }

    /// Reads the first bytes, unpacked if it is packed by gzip.
    pub(super) fn open(self) -> Result<Opened<'r>, SourceError> {
        let Self { name, format, mut content } = self;
        let failed = |source| SourceError::Read { from: name.clone(), source };
        let mut head = content.head().map_err(failed)?;
        if head.starts_with(&GZIP) {
            let packed = BufReader::with_capacity(1 << 16, Cursor::new(head).chain(content.into_reader()));
            content = Content::Stream(Box::new(MultiGzDecoder::new(packed)));
            head = content.head().map_err(failed)?;
        }
        Ok(Opened { name, format, head, rest: content })
    }
}

impl fmt::Debug for Input<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Input")
            .field("name", &self.name)
            .field("format", &self.format)
            .finish_non_exhaustive()
    }
}

impl<'r> Content<'r> {
    /// The first bytes. Those before a failure are kept: the rest of the input fails again where it did.
    fn head(&mut self) -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        let reader: &mut dyn Read = match self {
            Self::File(file) => file,
            Self::Stream(stream) => stream,
        };
        match reader.take(HEAD).read_to_end(&mut head) {
            Err(failure) if head.is_empty() => Err(failure),
            _ => Ok(head),
        }
    }

    fn into_reader(self) -> Box<dyn Read + 'r> {
        match self {
            Self::File(file) => Box::new(file),
            Self::Stream(stream) => stream,
        }
    }
}

/// An input whose first bytes are known.
pub struct Opened<'r> {
    pub name: String,
    pub format: Option<Format>,
    pub head: Vec<u8>,
    rest: Content<'r>,
}

impl<'r> Opened<'r> {
    /// All of it, from the beginning.
    pub fn into_reader(self) -> Box<dyn Read + 'r> {
        Box::new(Cursor::new(self.head).chain(self.rest.into_reader()))
    }

    /// Hands on each line. Where reading fails after lines that gave samples, those are kept, and the answer is what failed.
    pub fn read_lines(self, to: &mut impl TakeLines) -> Result<Option<String>, SourceError> {
        let from = self.name.clone();
        let mut lines = Lines::new(self.into_reader());
        loop {
            match lines.next() {
                Ok(Some(Line::Text(line))) => to.take(line),
                Ok(Some(Line::TooLong)) => to.too_long(),
                Ok(None) => return Ok(None),
                Err(failure) if to.samples() > 0 => return Ok(Some(failure.to_string())),
                Err(source) => return Err(SourceError::Read { from, source }),
            }
        }
    }

    /// All of it, in memory.
    pub fn into_bytes(self, format: &'static str) -> Result<Vec<u8>, SourceError> {
        let from = self.name.clone();
        match at_most(self.into_reader(), MOST_IN_MEMORY) {
            Err(source) => Err(SourceError::Read { from, source }),
            Ok(Some(bytes)) => Ok(bytes),
            Ok(None) => Err(SourceError::Format {
                from,
                format,
                problem: format!("it has more than {} MiB, unpacked", MOST_IN_MEMORY >> 20),
                remedy: "take it in shorter spans, and merge the profiles with `tlstax observe merge`"
                    .to_owned(),
            }),
        }
    }

    /// The first bytes, and the input behind them.
    pub fn into_parts(self) -> (Vec<u8>, Content<'r>) {
        (self.head, self.rest)
    }

    /// Its name without folders, which are nobody's business in a document that is shown around.
    pub fn target(&self) -> String {
        self.name.rsplit('/').next().unwrap_or_default().to_owned()
    }

    pub fn failed(&self, format: &'static str, problem: impl Into<String>, remedy: &str) -> SourceError {
        SourceError::Format {
            from: self.name.clone(),
            format,
            problem: problem.into(),
            remedy: remedy.to_owned(),
        }
    }
}

/// All bytes, if there are no more than that: a few packed ones can become more than any memory has.
fn at_most(from: impl Read, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let read = from.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((read as u64 <= most).then_some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_not_read_to_it() {
        assert_eq!(at_most(io::repeat(0), 1000).unwrap(), None);
        assert_eq!(at_most(&[7; 1000][..], 1000).unwrap(), Some(vec![7; 1000]));
    }
}
