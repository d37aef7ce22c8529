//! Frames of zstd, one after the other.

use std::io::{self, BufRead, Read};

/// Frames of zstd, one after the other; those that hold something else are left out.
pub fn frames<'r>(packed: impl BufRead + Send + 'r) -> io::Result<impl Read + Send + 'r> {
    Ok(Frames(zstd::stream::read::Decoder::with_buffer(packed)?))
}

struct Frames<R>(R);

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(of_archive)
    }
}

/// What the decoder says of an archive that is damaged has one kind.
fn of_archive(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::Other if error.raw_os_error().is_none() => {
            io::Error::new(io::ErrorKind::InvalidData, error)
        }
        _ => error,
    }
}
