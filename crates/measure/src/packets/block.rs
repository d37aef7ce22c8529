//! The packets in a block of a ring: `struct tpacket_hdr_v1` and `struct tpacket3_hdr`, linux/if_packet.h.

/// A packet from behind the header of its link on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packet<'r> {
    /// The type of what it begins with, as Ethernet has it: 0x0800 is IPv4.
    pub ether_type: u16,
    pub bytes: &'r [u8],
    /// How long it was.
    pub length: u32,
    /// When it was, seconds since 1970 and nanoseconds.
    pub at: (u32, u32),
}

/// Where a block has the number of its packets, and where the first of them is.
const COUNT: usize = 12;
const FIRST: usize = 16;

/// Where a packet has where the next one is, from its own beginning on; its time; how long it is as shown and as it was; and where
/// its bytes begin.
const NEXT: usize = 0;
const SECONDS: usize = 4;
const NANOSECONDS: usize = 8;
const SHOWN: usize = 12;
const LENGTH: usize = 16;
const BYTES: usize = 24;
/// Where the address behind it has the protocol.
const PROTOCOL: usize = 48 + 2;

/// The packets of a block. What contradicts itself ends them.
pub fn packets(block: &[u8]) -> impl Iterator<Item = Packet<'_>> {
    let count = u32_at(block, COUNT).unwrap_or(0);
    let mut next = u32_at(block, FIRST).unwrap_or(0) as usize;
    (0..count).map_while(move |_| {
        let header = block.get(next..)?;
        next += u32_at(header, NEXT)? as usize;
        packet(header)
    })
}

fn packet(header: &[u8]) -> Option<Packet<'_>> {
    let from = usize::from(u16_at(header, BYTES)?);
    let shown = u32_at(header, SHOWN)? as usize;
    Some(Packet {
        ether_type: u16::from_be(u16_at(header, PROTOCOL)?),
        bytes: header.get(from..)?.get(..shown)?,
        length: u32_at(header, LENGTH)?,
        at: (u32_at(header, SECONDS)?, u32_at(header, NANOSECONDS)?),
    })
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|bytes| u32::from_ne_bytes(*bytes))
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|bytes| u16::from_ne_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_that_contradicts_itself_ends() {
        let mut block = vec![0; 256];
        let mut put = |at: usize, number: u32| block[at..at + 4].copy_from_slice(&number.to_ne_bytes());
        put(COUNT, 9);
        put(FIRST, 48);
        put(48 + NEXT, 100);
        put(48 + SECONDS, 5);
        put(48 + SHOWN, 3);
        put(48 + LENGTH, 1_500);
        put(48 + BYTES, 70);
        put(148 + SHOWN, 900);
        block[48 + PROTOCOL..][..2].copy_from_slice(&[0x86, 0xdd]);
        block[48 + 70..][..3].copy_from_slice(&[1, 2, 3]);
        let found: Vec<_> = packets(&block).collect();
        assert_eq!(found, [Packet { ether_type: 0x86dd, bytes: &[1, 2, 3], length: 1_500, at: (5, 0) }]);
        assert_eq!(packets(&[]).count(), 0);
    }
}
