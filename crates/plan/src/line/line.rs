//! [`Line`]: so many bits in a second.

/// A line, and what it is called.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Line {
    gbit: f64,
}

/// A line that nobody has.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("no line has {gbit} Gbit/s: write a number above 0 and at most {}", Line::FASTEST)]
pub struct NoLine {
    gbit: f64,
}

impl Line {
    /// The fastest that a line can be thought to be, in Gbit/s.
    pub const FASTEST: f64 = 100_000.0;

    /// # Errors
    /// There is no such line.
    pub fn new(gbit: f64) -> Result<Self, NoLine> {
        match gbit > 0.0 && gbit <= Self::FASTEST {
            true => Ok(Self { gbit }),
            false => Err(NoLine { gbit }),
        }
    }

    /// Gbit/s.
    pub const fn gbit(self) -> f64 {
        self.gbit
    }

    /// Bytes in a second.
    pub fn bytes(self) -> f64 {
        self.gbit * 1e9 / 8.0
    }

    /// Seconds to send so many bytes, without anything that is added to them.
    pub fn seconds_to_send(self, bytes: f64) -> f64 {
        bytes / self.bytes()
    }
}

/// Seconds to encrypt so many bytes by so many bytes in a second.
pub fn seconds_to_encrypt(bytes: f64, rate: f64) -> f64 {
    bytes / rate
}
