//! [`Segment`]: what a packet says of a TCP connection.

use std::net::IpAddr;

use etherparse::err::tcp::HeaderSliceError;
use etherparse::{LaxIpPayloadSlice, LaxIpSlice, TcpSlice, ip_number};
use tlstax_doc::{Bad, PassedOver};

use super::container::{NoIp, Packet};

/// Both ends of a connection, in an order that is the same for packets of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tuple {
    addresses: [u128; 2],
    ports: [u16; 2],
}

/// One of the ends of a [`Tuple`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    First,
    Second,
}

/// What a packet says of a TCP connection.
#[derive(Debug, Clone, Copy)]
pub struct Segment<'p> {
    pub tuple: Tuple,
    /// Who sent it.
    pub from: Side,
    /// The sequence number of the first byte, behind that of a SYN.
    pub at: u32,
    /// What the sender waits for, if it says so.
    pub acknowledged: Option<u32>,
    pub is_syn: bool,
    pub is_fin: bool,
    pub is_reset: bool,
    /// The bytes that were captured of it.
    pub bytes: &'p [u8],
    /// How many bytes it had that were not captured.
    pub missing: u32,
}

/// Why a packet is no segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoSegment {
    Bad(Bad),
    PassedOver(PassedOver),
}

const OTHER: NoSegment = NoSegment::PassedOver(PassedOver::OtherProtocol);

impl Side {
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

impl Tuple {
    pub const fn port(&self, side: Side) -> u16 {
        self.ports[side as usize]
    }

    fn of(from: (u128, u16), to: (u128, u16)) -> (Self, Side) {
        let (side, first, second) =
            if from <= to { (Side::First, from, to) } else { (Side::Second, to, from) };
        (Self { addresses: [first.0, second.0], ports: [first.1, second.1] }, side)
    }
}

impl<'p> Segment<'p> {
    /// The segment in a packet.
    pub fn of(packet: &Packet<'p>) -> Result<Self, NoSegment> {
        // What contradicts itself in a packet that was cut does so because of that.
        let uncaptured = packet.length.saturating_sub(packet.bytes.len() as u64);
        let broken = NoSegment::Bad(if uncaptured > 0 { Bad::Snapped } else { Bad::Malformed });
        let bytes = packet.link.ip(packet.bytes).map_err(|reason| match reason {
            NoIp::Short => broken,
            NoIp::Other => OTHER,
        })?;
        let (ip, stopped) = LaxIpSlice::from_slice(bytes).map_err(|_| broken)?;
        let payload = ip.payload();
        if payload.fragmented {
            return Err(NoSegment::PassedOver(PassedOver::Fragment));
        }
        if stopped.is_some() {
            return Err(broken);
        }
        if payload.ip_number != ip_number::TCP {
            return Err(OTHER);
        }
        let tcp = tcp(payload).map_err(|is_short| {
            let was_cut = is_short && payload.incomplete;
            if was_cut { NoSegment::Bad(Bad::Snapped) } else { broken }
        })?;
        let missing = missing(&ip, bytes.len(), uncaptured);
        Ok(Self::from_headers(&ip, &tcp, missing))
    }

    fn from_headers(ip: &LaxIpSlice<'p>, tcp: &TcpSlice<'p>, missing: u32) -> Self {
        let from = (number(ip.source_addr()), tcp.source_port());
        let to = (number(ip.destination_addr()), tcp.destination_port());
        let (tuple, from) = Tuple::of(from, to);
        Self {
            tuple,
            from,
            at: tcp.sequence_number().wrapping_add(tcp.syn().into()),
            acknowledged: tcp.ack().then(|| tcp.acknowledgment_number()),
            is_syn: tcp.syn(),
            is_fin: tcp.fin(),
            is_reset: tcp.rst(),
            bytes: tcp.payload(),
            missing,
        }
    }

    /// How many bytes it had.
    pub fn length(&self) -> u32 {
        // A captured packet is not longer than 16 MB.
        (self.bytes.len() as u32).saturating_add(self.missing)
    }
}

/// The TCP header and what follows it; else whether it is cut.
fn tcp<'p>(payload: &LaxIpPayloadSlice<'p>) -> Result<TcpSlice<'p>, bool> {
    TcpSlice::from_slice(payload.payload).map_err(|error| matches!(error, HeaderSliceError::Len(_)))
}

/// Bytes of a packet that its IP header tells of and that were not captured. Where that says 0, since the packet is longer than it
/// can say (segments that the card cuts, or has joined), the capture has to tell.
fn missing(ip: &LaxIpSlice<'_>, captured: usize, uncaptured: u64) -> u32 {
    let told = match ip {
        LaxIpSlice::Ipv4(ip) => usize::from(ip.header().total_len()),
        LaxIpSlice::Ipv6(ip) => match ip.header().payload_length() {
            0 => 0,
            length => usize::from(length) + 40,
        },
    };
    if told == 0 {
        return uncaptured.try_into().unwrap_or(u32::MAX);
    }
    told.saturating_sub(captured) as u32
}

fn number(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => address.to_ipv6_mapped().to_bits(),
        IpAddr::V6(address) => address.to_bits(),
    }
}
