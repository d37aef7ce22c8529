//! [`Buffer`]: the next bytes of an input.

use std::io::{self, Read};

/// As much as is read at once: it stays in a cache of the CPU until it is looked at.
const BLOCK: usize = 256 << 10;

/// The longest packet or block that is read, bytes: far more than programs capture of a packet.
pub const LONGEST: usize = 16 << 20;

/// The next bytes of an input.
pub struct Buffer<R> {
    input: R,
    bytes: Vec<u8>,
    start: usize,
    end: usize,
    passed: u64,
}

impl<R: Read> Buffer<R> {
    pub fn new(input: R) -> Self {
        Self { input, bytes: vec![0; BLOCK], start: 0, end: 0, passed: 0 }
    }

    /// Whether there are so many bytes more, at most [`LONGEST`]; they are there then.
    #[inline]
    pub fn has(&mut self, count: usize) -> io::Result<bool> {
        if self.left() >= count { Ok(true) } else { self.refill(count) }
    }

    fn refill(&mut self, count: usize) -> io::Result<bool> {
        self.bytes.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.bytes.len() < count {
            self.bytes.resize(count.next_power_of_two(), 0);
        }
        while self.end < count {
            match self.input.read(&mut self.bytes[self.end..]) {
                Ok(0) => return Ok(false),
                Ok(read) => self.end += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }

    /// Bytes that are there already.
    pub const fn left(&self) -> usize {
        self.end - self.start
    }

    /// So many bytes that [`Self::has`] has found.
    pub fn peek(&self, count: usize) -> &[u8] {
        &self.bytes[self.start..self.start + count]
    }

    /// The same, and goes on behind them.
    pub fn take(&mut self, count: usize) -> &[u8] {
        let start = self.start;
        self.start += count;
        self.passed += count as u64;
        &self.bytes[start..start + count]
    }

    /// How many bytes have been taken.
    pub const fn passed(&self) -> u64 {
        self.passed
    }
}
