//! pcap: a header of a file, and one of each packet.

use std::io::{self, Read};

use tlstax_doc::Bad;

use super::buffer::{Buffer, LONGEST};
use super::fields::Fields;
use super::link::Link;
use super::packet::{Next, Packet};

/// Bytes of the header of a file.
pub const HEADER: usize = 24;
/// Bytes of the header of a packet.
const PACKET: usize = 16;

/// With times in microseconds, with times in nanoseconds, and with 8 bytes more before each packet (of a modified libpcap).
const MICROSECONDS: u32 = 0xa1b2_c3d4;
const NANOSECONDS: u32 = 0xa1b2_3c4d;
const MODIFIED: u32 = 0xa1b2_cd34;

/// What the header of a file says.
#[derive(Debug)]
pub struct Header {
    is_big: bool,
    /// Nanoseconds of the smaller unit of time.
    unit: u32,
    /// Bytes before each packet.
    before: usize,
    link: Link,
}

pub fn is_magic(beginning: &[u8]) -> bool {
    magic(beginning).is_some()
}

/// The number that a file begins with, and whether it is big-endian.
fn magic(beginning: &[u8]) -> Option<(u32, bool)> {
    let first = beginning.first_chunk::<4>()?;
    let known = |number: u32| matches!(number, MICROSECONDS | NANOSECONDS | MODIFIED);
    let both = [(u32::from_le_bytes(*first), false), (u32::from_be_bytes(*first), true)];
    both.into_iter().find(|(number, _)| known(*number))
}

impl Header {
    /// Reads the [`HEADER`] bytes that a file begins with.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let (number, is_big) = magic(bytes)?;
        // The upper bits say how long checksums of frames are.
        let link = Fields::of(bytes, is_big).u32(20) as u16;
        Some(Self {
            is_big,
            unit: if number == NANOSECONDS { 1 } else { 1_000 },
            before: if number == MODIFIED { PACKET + 8 } else { PACKET },
            link: Link::of(link),
        })
    }

    pub fn next<'b, R: Read>(&self, buffer: &'b mut Buffer<R>) -> io::Result<Next<'b>> {
        if !buffer.has(self.before)? {
            return Ok(Next::End((buffer.left() > 0).then_some(Bad::Cut)));
        }
        let fields = Fields::of(buffer.peek(self.before), self.is_big);
        let (seconds, part, captured) = (fields.u32(0), fields.u32(4), fields.length(8));
        let length = fields.u32(12);
        if captured > LONGEST {
            return Ok(Next::End(Some(Bad::Malformed)));
        }
        if !buffer.has(self.before + captured)? {
            return Ok(Next::End(Some(Bad::Cut)));
        }
        let bytes = &buffer.take(self.before + captured)[self.before..];
        let at = Some((seconds.into(), part.saturating_mul(self.unit)));
        // Some programs leave the length of packets away that they have made themselves.
        Ok(Next::Packet(Packet {
            link: self.link,
            at,
            bytes,
            length: u64::from(length).max(captured as u64),
        }))
    }
}
