//! [`Asked`]: what the flags come to.

use tlstax_plan::latency::Path;
use tlstax_plan::line::{Line, Packet};
use tlstax_report::Network;

use super::args::Args;
use crate::failure::Usage;

/// What the flags come to.
pub(super) struct Asked {
    pub lines: Vec<Line>,
    pub record: u32,
    pub network: Network,
    pub packet: Packet,
    /// Bytes in a second.
    pub rate: Option<f64>,
    pub bytes: Option<f64>,
    pub path: Path,
    pub chain: Option<u64>,
}

/// The round-trip time where none is given, in seconds: of a client in the same country.
const RTT: f64 = 0.02;

/// The smallest packets in which tunnels are thought of: what IPv4 hosts must take (RFC 791, 3.1).
const LEAST_MTU: u64 = 576;

impl Asked {
    /// # Errors
    /// No network is as the flags say.
    pub fn of(args: &Args) -> Result<Self, Usage> {
        let mtu = args.mtu.unwrap_or(Network::ETHERNET);
        let network =
            Network::new(mtu, args.ip.unwrap_or_default()).map_err(|error| Usage(error.to_string()))?;
        if mtu < LEAST_MTU {
            return Err(Usage(format!("an MTU of {mtu} leaves no room for data: from {LEAST_MTU} on")));
        }
        let packet = Packet { mtu: network.mtu(), ip: network.ip_header(), tcp: network.tcp_header() };
        let mut lines = args.gbit.clone();
        lines.sort_by(|one, other| one.gbit().total_cmp(&other.gbit()));
        lines.dedup();
        Ok(Self {
            lines,
            record: u32::try_from(args.record.0).unwrap_or(u32::MAX),
            network,
            packet,
            rate: args.rate,
            bytes: args.bytes.map(|bytes| bytes.0 as f64),
            path: Path { rtt: args.rtt.unwrap_or(RTT), loss: args.loss.unwrap_or_default() },
            chain: args.chain_bytes.map(|bytes| bytes.0),
        })
    }
}

/// What a line is called.
pub(super) fn named(line: Line) -> String {
    format!("{} Gbit/s", line.gbit())
}
