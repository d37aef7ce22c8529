//! Members of gzip, one after the other, as logrotate and `cat a.gz b.gz` make them.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

/// Members of gzip, one after the other.
pub struct Members<R> {
    state: State<R>,
}

enum State<R> {
    Member(Box<GzDecoder<R>>),
    /// Behind a member.
    Between(R),
    Ended,
}

impl<R: BufRead> Members<R> {
    pub fn new(packed: R) -> Self {
        Self { state: State::Member(Box::new(GzDecoder::new(packed))) }
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match std::mem::replace(&mut self.state, State::Ended) {
                State::Ended => return Ok(0),
                State::Between(packed) => self.state = behind(packed)?,
                State::Member(mut member) => {
                    let read = member.read(buffer).map_err(of_archive)?;
                    if read == 0 && !buffer.is_empty() {
                        self.state = State::Between(member.into_inner());
                        continue;
                    }
                    self.state = State::Member(member);
                    return Ok(read);
                }
            }
        }
    }
}

/// What stands behind a member: the next one, zeros that fill a block of a tape, or nothing.
fn behind<R: BufRead>(mut packed: R) -> io::Result<State<R>> {
    loop {
        let next = packed.fill_buf()?;
        let zeros = next.iter().take_while(|byte| **byte == 0).count();
        match next.get(zeros) {
            None if next.is_empty() => return Ok(State::Ended),
            Some(0x1f) if zeros == 0 => return Ok(State::Member(Box::new(GzDecoder::new(packed)))),
            Some(_) if zeros == 0 => {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "no gzip behind its last member"));
            }
            _ => packed.consume(zeros),
        }
    }
}

/// What the decoder says of an archive that is damaged has one kind.
fn of_archive(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::InvalidInput => io::Error::new(io::ErrorKind::InvalidData, error),
        _ => error,
    }
}
