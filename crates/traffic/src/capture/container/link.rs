//! [`Link`]: what stands before the IP header.

/// What stands before the IP header, by the numbers of tcpdump.org/linktypes.html.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    Ethernet,
    /// A protocol family of 4 bytes, in any byte order.
    Loopback,
    Ip,
    LinuxCooked,
    LinuxCooked2,
    /// Nothing: the type that Ethernet has for what follows is told beside it.
    EtherType(u16),
    /// One that is not read.
    Other(u16),
}

/// Why there is no IP header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoIp {
    /// It ends before.
    Short,
    Other,
}

/// Tags that stand one in another: more than networks have.
const MOST_TAGS: usize = 4;

impl Link {
    pub const fn of(number: u16) -> Self {
        match number {
            0 | 108 => Self::Loopback,
            1 => Self::Ethernet,
            // 12 and 14 are what systems have for raw IP where 101 is meant.
            12 | 14 | 101 | 228 | 229 => Self::Ip,
            113 => Self::LinuxCooked,
            276 => Self::LinuxCooked2,
            other => Self::Other(other),
        }
    }

    /// The packet from its IP header on.
    pub fn ip(self, bytes: &[u8]) -> Result<&[u8], NoIp> {
        match self {
            Self::Ethernet => by_type(bytes, 12, 14),
            Self::LinuxCooked => by_type(bytes, 14, 16),
            Self::LinuxCooked2 => by_type(bytes, 0, 20),
            Self::Ip => Ok(bytes),
            Self::Loopback => loopback(bytes),
            Self::EtherType(ether_type) => behind(ether_type, bytes),
            Self::Other(_) => Err(NoIp::Other),
        }
    }
}

/// Behind a header that has the type of what follows.
fn by_type(bytes: &[u8], type_at: usize, header: usize) -> Result<&[u8], NoIp> {
    let ether_type = u16_at(bytes, type_at)?;
    behind(ether_type, bytes.get(header..).ok_or(NoIp::Short)?)
}

/// Behind any tags of VLANs.
fn behind(mut ether_type: u16, mut rest: &[u8]) -> Result<&[u8], NoIp> {
    for _ in 0..MOST_TAGS {
        match ether_type {
            0x0800 | 0x86dd => return Ok(rest),
            0x8100 | 0x88a8 | 0x9100 | 0x9200 => {
                ether_type = u16_at(rest, 2)?;
                rest = rest.get(4..).ok_or(NoIp::Short)?;
            }
            _ => return Err(NoIp::Other),
        }
    }
    Err(NoIp::Other)
}

fn u16_at(bytes: &[u8], at: usize) -> Result<u16, NoIp> {
    match bytes.get(at..at + 2) {
        Some(&[high, low]) => Ok(u16::from_be_bytes([high, low])),
        _ => Err(NoIp::Short),
    }
}

/// Families are small numbers: 2 is IPv4 everywhere, IPv6 is 10 on Linux, 24, 28 and 30 on the BSDs and macOS.
fn loopback(bytes: &[u8]) -> Result<&[u8], NoIp> {
    let (family, rest) = bytes.split_first_chunk::<4>().ok_or(NoIp::Short)?;
    match u32::from_be_bytes(*family).min(u32::from_le_bytes(*family)) {
        2 | 10 | 24 | 28 | 30 => Ok(rest),
        _ => Err(NoIp::Other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_vlans_stand_one_in_another() {
        let mut bytes = vec![0; 12];
        bytes.extend([0x88, 0xa8, 0, 1, 0x81, 0, 0, 2, 0x08, 0, 0x45]);
        assert_eq!(Link::Ethernet.ip(&bytes), Ok(&[0x45][..]));
        assert_eq!(Link::Ethernet.ip(&bytes[..18]), Err(NoIp::Short));
        let endless = [0x81, 0].repeat(40);
        assert_eq!(Link::Ethernet.ip(&endless), Err(NoIp::Other));
    }

    #[test]
    fn a_family_is_of_any_byte_order() {
        for (bytes, ip) in [
            (&[0, 0, 0, 2, 0x45][..], Ok(&[0x45][..])),
            (&[30, 0, 0, 0, 0x60], Ok(&[0x60])),
            (&[7, 0, 0, 0], Err(NoIp::Other)),
            (&[2, 0], Err(NoIp::Short)),
        ] {
            assert_eq!(Link::of(0).ip(bytes), ip);
        }
    }

    #[test]
    fn cooked_headers_have_their_type_at_the_end_or_at_the_beginning() {
        let mut old = vec![0; 14];
        old.extend([0x86, 0xdd, 0x60]);
        assert_eq!(Link::of(113).ip(&old), Ok(&[0x60][..]));
        let mut new = vec![0x08, 0];
        new.extend([0; 18]);
        new.push(0x45);
        assert_eq!(Link::of(276).ip(&new), Ok(&[0x45][..]));
        assert_eq!(Link::of(147).ip(&new), Err(NoIp::Other));
    }
}
