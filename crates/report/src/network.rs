//! [`Network`]: what TCP and IP make of the bytes of TLS. Computed, from what was counted in memory; docs/method.md says how.

use std::fmt;

/// Without options (RFC 9293, 3.1).
const TCP_HEADER: u64 = 20;

/// Timestamps with their padding, in every segment but the first two (RFC 7323, appendix A).
const TIMESTAMPS: u64 = 12;

/// Of a SYN, as Linux sends it: maximum segment size, SACK permitted, timestamps, window scale, and padding.
const SYN_OPTIONS: u64 = 20;

/// So many segments a Linux receiver acknowledges one by one before it takes two at a time (TCP_MAX_QUICKACKS).
const ONE_BY_ONE: u64 = 16;

/// Which IP the packets are of.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum IpVersion {
    #[default]
    V4,
    V6,
}

impl IpVersion {
    pub const ALL: [Self; 2] = [Self::V4, Self::V6];

    /// "4" or "6".
    pub const fn number(self) -> &'static str {
        match self {
            Self::V4 => "4",
            Self::V6 => "6",
        }
    }

    /// Bytes of the header without options (RFC 791, RFC 8200).
    const fn header(self) -> u64 {
        match self {
            Self::V4 => 20,
            Self::V6 => 40,
        }
    }

    /// The smallest MTU that a link may have (RFC 791, 3.2; RFC 8200, 5).
    const fn least_mtu(self) -> u64 {
        match self {
            Self::V4 => 68,
            Self::V6 => 1280,
        }
    }
}

/// The largest packet that has its length in a header, rounded down to what both versions of IP can say.
const LARGEST_MTU: u64 = 65_535;

/// A way through a network: how large a packet may be, and of which IP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    mtu: u64,
    ip: IpVersion,
}

/// An MTU that no network has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an MTU of {mtu} is out of range: for IPv{} it must be from {} to {LARGEST_MTU} bytes", ip.number(), ip.least_mtu())]
pub struct ImpossibleMtu {
    mtu: u64,
    ip: IpVersion,
}

/// Ethernet and IPv4.
impl Default for Network {
    fn default() -> Self {
        Self { mtu: Self::ETHERNET, ip: IpVersion::default() }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IPv{}, MTU {}", self.ip.number(), self.mtu)
    }
}

/// What one side sends over a network.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sent {
    pub packets: u64,
    /// With the headers of TCP and IP.
    pub bytes: u64,
}

impl Network {
    /// The MTU of Ethernet in bytes (RFC 894).
    pub const ETHERNET: u64 = 1500;

    /// # Errors
    /// No network has such packets.
    pub fn new(mtu: u64, ip: IpVersion) -> Result<Self, ImpossibleMtu> {
        match (ip.least_mtu()..=LARGEST_MTU).contains(&mtu) {
            true => Ok(Self { mtu, ip }),
            false => Err(ImpossibleMtu { mtu, ip }),
        }
    }

    /// Bytes of the largest packet.
    pub const fn mtu(self) -> u64 {
        self.mtu
    }

    /// Bytes of the header of IP.
    pub const fn ip_header(self) -> u64 {
        self.ip.header()
    }

    /// Bytes of the header of TCP with timestamps.
    pub const fn tcp_header(self) -> u64 {
        TCP_HEADER + TIMESTAMPS
    }

    /// TCP and IP headers of a segment.
    const fn header(self) -> u64 {
        self.ip_header() + self.tcp_header()
    }

    /// The bytes of TLS in a full segment.
    const fn payload(self) -> u64 {
        self.mtu - self.header()
    }

    /// What the headers of full segments add to a long stream, for each of its bytes.
    pub(crate) fn headers_per_byte(self) -> f64 {
        self.header() as f64 / self.payload() as f64
    }

    /// What the client and the server send for a connection that is opened and closed, and carries nothing.
    pub(crate) fn empty_connection(self) -> [Sent; 2] {
        let syn = self.ip.header() + TCP_HEADER + SYN_OPTIONS;
        // Three packets open it: SYN, SYN and ACK, ACK. Three close it: FIN, FIN and ACK, ACK.
        let (client, server) = (Sent { packets: 1, bytes: syn }, Sent { packets: 1, bytes: syn });
        [self.and_acks(client, 3), self.and_acks(server, 1)]
    }

    /// What the client and the server send for a connection that carries a handshake of these flights, the client's first, and is
    /// closed by the client after it.
    pub(crate) fn handshake(self, flights: &[u64]) -> [Sent; 2] {
        let mut sides = self.empty_connection();
        for (place, bytes) in flights.iter().enumerate() {
            let segments = bytes.div_ceil(self.payload());
            let (by, to) = (place % 2, 1 - place % 2);
            sides[by] = self.and_segments(sides[by], segments, *bytes);
            sides[to] = self.and_acks(sides[to], acks(segments, place < 2));
        }
        sides
    }

    fn and_segments(self, sent: Sent, segments: u64, bytes: u64) -> Sent {
        let with_headers = segments.saturating_mul(self.header()).saturating_add(bytes);
        Sent {
            packets: sent.packets.saturating_add(segments),
            bytes: sent.bytes.saturating_add(with_headers),
        }
    }

    fn and_acks(self, sent: Sent, acks: u64) -> Sent {
        self.and_segments(sent, acks, 0)
    }

    /// What can be sent at once on a new connection (RFC 6928, 2).
    fn initial_window(self) -> u64 {
        let largest_segment = self.mtu - self.ip.header() - TCP_HEADER;
        (10 * largest_segment).min((2 * largest_segment).max(14_600))
    }

    /// How many round trips a side waits for the window of a new connection to open for its flight.
    pub fn waits(self, bytes: u64) -> u32 {
        let (mut trips, mut window, mut sent) = (0, self.initial_window(), self.initial_window());
        // The window grows by what was acknowledged, so it doubles.
        while sent < bytes {
            trips += 1;
            window = window.saturating_mul(2);
            sent = sent.saturating_add(window);
        }
        trips
    }

    /// The same in words; none if the flight goes out at once.
    pub(crate) fn more_round_trips(self, bytes: u64) -> Option<String> {
        let more = match self.waits(bytes) {
            0 => return None,
            1 => "one round trip".to_owned(),
            trips => format!("{trips} round trips"),
        };
        let window = self.initial_window();
        Some(format!(
            "larger than TCP's initial window of {window} bytes (RFC 6928), {more} more on a new TCP connection"
        ))
    }
}

/// The packets by which Linux acknowledges the segments of a flight, beside those that carry data. It takes the segments that come
/// before it has sent anything back one by one; later every second one, and the answer acknowledges the rest.
const fn acks(segments: u64, is_first: bool) -> u64 {
    if !is_first {
        return segments / 2;
    }
    let one_by_one = if segments < ONE_BY_ONE { segments } else { ONE_BY_ONE };
    one_by_one + (segments - one_by_one) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Packets and bytes of the client and of the server.
    fn sent(flights: &[u64], mtu: u64, ip: IpVersion) -> [(u64, u64); 2] {
        let network = Network { mtu, ip };
        network.handshake(flights).map(|side| (side.packets, side.bytes))
    }

    /// As Linux 6.18 sends it over a pair of virtual interfaces, without segmentation offload.
    #[test]
    fn packets_are_those_that_were_captured() {
        use IpVersion::{V4, V6};
        assert_eq!(
            sent(&[330, 1480, 74], 1500, V4),
            [(8, 60 + 5 * 52 + 382 + 126), (5, 60 + 2 * 52 + 1500 + 84)]
        );
        assert_eq!(
            sent(&[330, 1480, 74], 1500, V6),
            [(8, 80 + 5 * 72 + 402 + 146), (5, 80 + 2 * 72 + 1500 + 124)]
        );
        assert_eq!(
            sent(&[330, 1480, 74], 576, V4),
            [(9, 60 + 6 * 52 + 382 + 126), (6, 60 + 2 * 52 + 2 * 576 + 484)]
        );
        assert_eq!(
            sent(&[230, 1200, 120, 51], 1500, V4),
            [(7, 60 + 4 * 52 + 282 + 172), (5, 60 + 2 * 52 + 1252 + 103)]
        );
        assert_eq!(
            sent(&[230, 1200, 4120, 3051], 1500, V4),
            [(10, 60 + 5 * 52 + 282 + 2 * 1500 + 1276), (8, 60 + 3 * 52 + 1252 + 2 * 1500 + 207)]
        );
    }

    #[test]
    fn a_connection_that_carries_nothing_has_six_packets() {
        let sides = Network::default().empty_connection().map(|side| (side.packets, side.bytes));
        assert_eq!(sides, [(4, 216), (2, 112)]);
        assert_eq!(sent(&[], 1500, IpVersion::V4), [(4, 216), (2, 112)]);
    }

    #[test]
    fn no_network_has_packets_of_any_size() {
        for (mtu, ip) in
            [(67, IpVersion::V4), (0, IpVersion::V4), (1279, IpVersion::V6), (65_536, IpVersion::V4)]
        {
            let refused = Network::new(mtu, ip).map_err(|error| error.to_string());
            assert!(refused.is_err_and(|error| error.contains(&format!("an MTU of {mtu} is out of range"))));
        }
        for (mtu, ip) in [(68, IpVersion::V4), (1280, IpVersion::V6), (65_535, IpVersion::V6)] {
            assert!(Network::new(mtu, ip).is_ok_and(|network| network.payload() > 0));
        }
    }

    #[test]
    fn d22_the_window_of_a_flight_that_cannot_be_ends_somewhere() {
        assert!(Network::default().more_round_trips(u64::MAX).is_some());
        assert!(sent(&[u64::MAX, u64::MAX, u64::MAX], 1500, IpVersion::V4)[0].1 == u64::MAX);
    }

    #[test]
    fn a_large_flight_waits_for_the_window() {
        let usual = Network::default();
        let more = |bytes| usual.more_round_trips(bytes).unwrap_or_default();
        assert_eq!(usual.more_round_trips(14_600), None);
        assert!(more(14_601).ends_with("one round trip more on a new TCP connection"));
        assert!(more(43_800).contains("one round trip more"));
        assert!(more(43_801).contains("2 round trips more"));
        let small = Network { mtu: 576, ..usual };
        assert_eq!([small.waits(5360), small.waits(5361)], [0, 1]);
        let jumbo = Network { mtu: 9000, ..usual };
        assert_eq!([jumbo.waits(17_920), jumbo.waits(17_921)], [0, 1]);
    }
}
