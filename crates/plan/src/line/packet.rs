//! [`Packet`]: how a stream is cut into packets, and what each adds to it on the line.

use super::line::Line;

/// A full packet of TCP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packet {
    /// Bytes of the largest packet of IP.
    pub mtu: u64,
    /// Bytes of the header of IP: 20 or 40.
    pub ip: u64,
    /// Bytes of the header of TCP with its usual option, timestamps: 32.
    pub tcp: u64,
}

impl Packet {
    /// What Ethernet adds to each packet (IEEE 802.3, clauses 3 and 4): preamble and start of frame 8, addresses and type 14, check
    /// sequence 4, gap between packets 12.
    pub const ETHERNET: u64 = 38;

    /// Bytes of the stream in it.
    pub fn payload(&self) -> f64 {
        (self.mtu - self.ip - self.tcp) as f64
    }

    /// Bytes that it takes on the line.
    pub fn on_line(&self) -> f64 {
        (self.mtu + Self::ETHERNET) as f64
    }

    /// Packets in a second that fill a line.
    pub fn packets(&self, line: Line) -> f64 {
        line.bytes() / self.on_line()
    }

    /// Bytes of the stream in a second that fill a line.
    pub fn stream(&self, line: Line) -> f64 {
        self.packets(line) * self.payload()
    }
}
