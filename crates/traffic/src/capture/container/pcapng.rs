//! pcapng: sections with interfaces, and blocks of packets.

use std::io::{self, Read};

use tlstax_doc::Bad;

use super::buffer::{Buffer, LONGEST};
use super::fields::Fields;
use super::link::Link;
use super::packet::{Next, Packet};

/// Bytes that tell a section: type, length and byte order.
pub const BEGINNING: usize = 12;
/// A block without a body: type, and the length before and behind it.
const SHORTEST: usize = 12;

const SECTION: u32 = 0x0a0d_0d0a;
const BYTE_ORDER: u32 = 0x1a2b_3c4d;
const INTERFACE: u32 = 1;
/// Obsolete, and still written by some.
const PACKET: u32 = 2;
const SIMPLE_PACKET: u32 = 3;
const STATISTICS: u32 = 5;
const ENHANCED_PACKET: u32 = 6;

const OPTION_RESOLUTION: u16 = 9;
const OPTION_OFFSET: u16 = 14;
const OPTION_DROPPED: u16 = 5;

/// Interfaces of a section: more than a machine has.
const MOST_INTERFACES: usize = 65_536;

/// What the blocks of a section have said until now.
#[derive(Debug, Default)]
pub struct Section {
    is_big: bool,
    interfaces: Vec<Interface>,
}

#[derive(Debug, Clone, Copy)]
struct Interface {
    link: Link,
    /// Bytes that are captured of a packet at most; 0 is no limit.
    snaplen: usize,
    /// Units of time in a second.
    per_second: u64,
    /// Seconds that are added to each time.
    offset: i64,
}

pub fn is_magic(beginning: &[u8]) -> bool {
    matches!(beginning, [0x0a, 0x0d, 0x0d, 0x0a, _, _, _, _, order @ ..] if byte_order(order).is_some())
}

/// Whether a section is big-endian.
fn byte_order(bytes: &[u8]) -> Option<bool> {
    let bytes = bytes.first_chunk::<4>()?;
    match (u32::from_be_bytes(*bytes), u32::from_le_bytes(*bytes)) {
        (BYTE_ORDER, _) => Some(true),
        (_, BYTE_ORDER) => Some(false),
        _ => None,
    }
}

impl Section {
    pub fn next<'b, R: Read>(&mut self, buffer: &'b mut Buffer<R>) -> io::Result<Next<'b>> {
        if !buffer.has(SHORTEST)? {
            return Ok(Next::End((buffer.left() > 0).then_some(Bad::Cut)));
        }
        let beginning = buffer.peek(BEGINNING);
        if Fields::of(beginning, self.is_big).u32(0) == SECTION {
            let Some(is_big) = byte_order(&beginning[8..]) else {
                return Ok(Next::End(Some(Bad::Malformed)));
            };
            *self = Self { is_big, interfaces: Vec::new() };
        }
        let length = Fields::of(beginning, self.is_big).length(4);
        if !length.is_multiple_of(4) || !(SHORTEST..=LONGEST).contains(&length) {
            return Ok(Next::End(Some(Bad::Malformed)));
        }
        if !buffer.has(length)? {
            return Ok(Next::End(Some(Bad::Cut)));
        }
        let block = Fields::of(buffer.peek(length), self.is_big);
        if block.length(length - 4) != length {
            return Ok(Next::End(Some(Bad::Malformed)));
        }
        let kind = block.u32(0);
        let body = &buffer.take(length)[8..length - 4];
        Ok(self.block(kind, body))
    }

    fn block<'b>(&mut self, kind: u32, body: &'b [u8]) -> Next<'b> {
        let fields = Fields::of(body, self.is_big);
        match kind {
            INTERFACE if body.len() < 8 || self.interfaces.len() >= MOST_INTERFACES => {
                Next::Bad(Bad::Malformed)
            }
            INTERFACE => {
                self.interfaces.push(self.interface(body));
                Next::Other
            }
            ENHANCED_PACKET => self.packet(fields.u32(0), 4, body),
            PACKET => self.packet(fields.u16(0).into(), 4, body),
            SIMPLE_PACKET => self.simple_packet(body),
            SECTION => Next::Section,
            STATISTICS => self.statistics(body),
            _ => Next::Other,
        }
    }

    fn interface(&self, body: &[u8]) -> Interface {
        let fields = Fields::of(body, self.is_big);
        let mut interface = Interface {
            link: Link::of(fields.u16(0)),
            snaplen: fields.length(4),
            per_second: 1_000_000,
            offset: 0,
        };
        for (code, value) in options(&body[8..], self.is_big) {
            match (code, value) {
                (OPTION_RESOLUTION, [resolution, ..]) => interface.per_second = per_second(*resolution),
                (OPTION_OFFSET, [_, _, _, _, _, _, _, _, ..]) => {
                    interface.offset = Fields::of(value, self.is_big).u64(0).cast_signed();
                }
                _ => {}
            }
        }
        interface
    }

    /// A packet whose time stands there in the block.
    fn packet<'b>(&self, interface: u32, time_at: usize, body: &'b [u8]) -> Next<'b> {
        let fields = Fields::of(body, self.is_big);
        let interface = usize::try_from(interface).ok().and_then(|index| self.interfaces.get(index));
        let captured = fields.length(time_at + 8);
        let bytes = body.get(time_at + 16..).and_then(|rest| rest.get(..captured));
        let (Some(interface), Some(bytes)) = (interface, bytes) else { return Next::Bad(Bad::Malformed) };
        let time = u64::from(fields.u32(time_at)) << 32 | u64::from(fields.u32(time_at + 4));
        let length = u64::from(fields.u32(time_at + 12)).max(captured as u64);
        Next::Packet(Packet { link: interface.link, at: interface.time(time), bytes, length })
    }

    /// A packet of the first interface, without a time.
    fn simple_packet<'b>(&self, body: &'b [u8]) -> Next<'b> {
        let (Some(interface), Some(data)) = (self.interfaces.first(), body.get(4..)) else {
            return Next::Bad(Bad::Malformed);
        };
        let length = Fields::of(body, self.is_big).length(0);
        let limit = if interface.snaplen == 0 { usize::MAX } else { interface.snaplen };
        let bytes = &data[..data.len().min(length).min(limit)];
        Next::Packet(Packet { link: interface.link, at: None, bytes, length: length as u64 })
    }

    fn statistics<'b>(&self, body: &'b [u8]) -> Next<'b> {
        let interface = Fields::of(body, self.is_big).u32(0);
        let dropped = options(body.get(12..).unwrap_or_default(), self.is_big)
            .find(|(code, value)| *code == OPTION_DROPPED && value.len() >= 8);
        match dropped {
            Some((_, value)) => Next::Dropped { interface, packets: Fields::of(value, self.is_big).u64(0) },
            None => Next::Other,
        }
    }
}

impl Interface {
    fn time(&self, units: u64) -> Option<(u64, u32)> {
        let seconds = (units / self.per_second).checked_add_signed(self.offset)?;
        let part = u128::from(units % self.per_second) * 1_000_000_000 / u128::from(self.per_second);
        // Below 10^9, as the rest is below the divisor.
        Some((seconds, part as u32))
    }
}

/// Units in a second: 10^n, or 2^n where the highest bit is set. What is finer than 64 bits can tell is taken as nanoseconds.
fn per_second(resolution: u8) -> u64 {
    let power = u32::from(resolution & 0x7f);
    let units = if resolution & 0x80 == 0 { 10_u64.checked_pow(power) } else { 1_u64.checked_shl(power) };
    units.unwrap_or(1_000_000_000)
}

/// The options of a block: codes and values.
fn options(mut bytes: &[u8], is_big: bool) -> impl Iterator<Item = (u16, &[u8])> {
    std::iter::from_fn(move || {
        let (head, rest) = bytes.split_first_chunk::<4>()?;
        let head = Fields::of(head, is_big);
        let (code, length) = (head.u16(0), usize::from(head.u16(2)));
        let value = rest.get(..length).filter(|_| code != 0)?;
        bytes = rest.get(length.next_multiple_of(4)..).unwrap_or_default();
        Some((code, value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_of_any_resolution() {
        let of = |resolution, offset| Interface {
            link: Link::Ethernet,
            snaplen: 0,
            per_second: per_second(resolution),
            offset,
        };
        assert_eq!(of(6, 0).time(1_500_000), Some((1, 500_000_000)));
        assert_eq!(of(9, 10).time(2_000_000_001), Some((12, 1)));
        assert_eq!(of(0x80 | 10, 0).time(1_024 + 512), Some((1, 500_000_000)));
        assert_eq!(of(255, 0).time(7).map(|(seconds, _)| seconds), Some(0));
        assert_eq!(of(6, -5).time(1), None);
    }
}
