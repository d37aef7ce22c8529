//! [`Pieces`]: whole lines out of what is read in blocks.

use std::io::{self, Read};

use memchr::{memchr, memrchr};

use crate::reader::LONGEST_LINE;

/// Whole lines out of what is read in blocks, in bounded memory however long a line is.
pub struct Pieces<R> {
    from: R,
    buffer: Vec<u8>,
    /// So much of the buffer is filled, and so much of that was given away.
    filled: usize,
    given: usize,
    /// Where the buffer begins in what is read: after what was given away always with a line.
    at: u64,
    /// Lines that begin there or later are not of this part.
    until: u64,
    has_ended: bool,
    /// Why it ended before its end.
    failure: Option<io::Error>,
}

/// What comes next.
#[derive(Debug, PartialEq, Eq)]
pub enum Piece {
    /// So many bytes of whole lines, which stand in [`Pieces::lines`]; the very last may be without its line feed.
    Lines { at: u64, length: usize },
    /// A line that was too long to be kept, of so many bytes.
    TooLong { at: u64, bytes: u64 },
}

impl<R: Read> Pieces<R> {
    /// Reads in blocks as long as the buffer is, which comes filled with anything. The first byte is at this place of the whole.
    pub const fn new(from: R, buffer: Vec<u8>, at: u64) -> Self {
        Self { from, buffer, filled: 0, given: 0, at, until: u64::MAX, has_ended: false, failure: None }
    }

    /// Gives lines only that begin before a place.
    pub const fn until(mut self, until: u64) -> Self {
        self.until = until;
        self
    }

    /// Leaves out the rest of the line that it begins in.
    pub fn skip_line(&mut self) {
        while self.at < self.until && !self.has_ended {
            self.fill();
            if let Some(end) = memchr(b'\n', &self.buffer[..self.filled]) {
                self.given = end + 1;
                self.discard();
                return;
            }
            self.given = self.filled;
            self.discard();
        }
    }

    /// What comes next; none at the end.
    pub fn next(&mut self) -> Option<Piece> {
        self.discard();
        loop {
            if self.at >= self.until {
                return None;
            }
            self.fill();
            if let Some(length) = self.whole_lines() {
                self.given = length;
                return Some(Piece::Lines { at: self.at, length });
            }
            if self.has_ended {
                return self.rest();
            }
            if self.buffer.len() > LONGEST_LINE {
                return Some(self.too_long());
            }
            let room = (self.buffer.len() * 2).max(1 << 12);
            self.buffer.resize(room, 0);
        }
    }

    /// What stands in the buffer: [`Piece::Lines`] at its front.
    pub fn lines(&self, length: usize) -> &[u8] {
        &self.buffer[..length]
    }

    /// Gives the buffer with its lines away, for another one of any content.
    pub fn exchange(&mut self, other: Vec<u8>) -> Vec<u8> {
        let carried = self.filled - self.given;
        let mut full = std::mem::replace(&mut self.buffer, other);
        if self.buffer.len() < carried.max(full.len()) {
            self.buffer.resize(carried.max(full.len()), 0);
        }
        self.buffer[..carried].copy_from_slice(&full[self.given..self.filled]);
        self.at += self.given as u64;
        full.truncate(self.given);
        (self.filled, self.given) = (carried, 0);
        full
    }

    /// Behind the last line that was given.
    pub const fn place(&self) -> u64 {
        self.at + self.given as u64
    }

    /// Up to where it has read, and why it ended before its end; and the buffer, for another time.
    pub fn end(self) -> (u64, Option<io::Error>, Vec<u8>) {
        (self.at + self.filled as u64, self.failure, self.buffer)
    }

    fn discard(&mut self) {
        self.buffer.copy_within(self.given..self.filled, 0);
        self.at += self.given as u64;
        self.filled -= self.given;
        self.given = 0;
    }

    /// Reads until the buffer is full or nothing comes any more.
    fn fill(&mut self) {
        while self.filled < self.buffer.len() && !self.has_ended {
            match self.from.read(&mut self.buffer[self.filled..]) {
                Ok(0) => self.has_ended = true,
                Ok(read) => self.filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.has_ended = true;
                    self.failure = Some(error);
                }
            }
        }
    }

    /// How many bytes at the front of the buffer are whole lines of this part.
    fn whole_lines(&self) -> Option<usize> {
        let filled = &self.buffer[..self.filled];
        // The last line of this part ends with the first line feed at or after the byte before `until`.
        let last = usize::try_from(self.until - self.at - 1).unwrap_or(usize::MAX);
        let end = filled.get(last..).and_then(|behind| memchr(b'\n', behind)).map(|end| last + end);
        end.or_else(|| memrchr(b'\n', filled)).map(|end| end + 1)
    }

    /// The last line, without its line feed. Where reading failed it is no line.
    fn rest(&mut self) -> Option<Piece> {
        if self.filled == 0 || self.failure.is_some() {
            return None;
        }
        self.given = self.filled;
        Some(Piece::Lines { at: self.at, length: self.filled })
    }

    /// Leaves out a line that is too long, to its end.
    fn too_long(&mut self) -> Piece {
        let at = self.at;
        loop {
            self.given = self.filled;
            self.discard();
            self.fill();
            let end = memchr(b'\n', &self.buffer[..self.filled]);
            if end.is_some() || self.has_ended {
                self.given = end.map_or(self.filled, |end| end + 1);
                self.discard();
                return Piece::TooLong { at, bytes: self.at - at };
            }
        }
    }
}

#[cfg(test)]
mod tests;
