//! Files of packets: pcap and pcapng, read as a stream.
//!
//! Our own code, since it is short: pcap-parser (0.17) cannot tell a block that is cut from one that contradicts itself, refuses
//! resolutions of 2^-n, and reads time offsets of big-endian files as little-endian ones.

mod buffer;
mod fields;
mod link;
mod packet;
mod pcap;
mod pcapng;

use std::io::{self, Read};

use self::buffer::Buffer;
pub use self::link::{Link, NoIp};
pub use self::packet::{Next, Packet};

/// The packets of a file, one after the other.
pub struct Packets<R> {
    buffer: Buffer<R>,
    form: Form,
}

enum Form {
    Pcap(pcap::Header),
    Pcapng(pcapng::Section),
}

/// Whether a file that begins with these bytes is a capture: pcap or pcapng.
pub fn is_capture(beginning: &[u8]) -> bool {
    pcap::is_magic(beginning) || pcapng::is_magic(beginning)
}

impl<R: Read> Packets<R> {
    /// Reads the beginning of a file; none where that is no capture.
    pub fn open(input: R) -> io::Result<Option<Self>> {
        let mut buffer = Buffer::new(input);
        if !buffer.has(pcapng::BEGINNING)? {
            return Ok(None);
        }
        if pcapng::is_magic(buffer.peek(pcapng::BEGINNING)) {
            return Ok(Some(Self { buffer, form: Form::Pcapng(pcapng::Section::default()) }));
        }
        if !buffer.has(pcap::HEADER)? {
            return Ok(None);
        }
        let header = pcap::Header::read(buffer.take(pcap::HEADER));
        Ok(header.map(|header| Self { buffer, form: Form::Pcap(header) }))
    }

    /// What comes next.
    pub fn next(&mut self) -> io::Result<Next<'_>> {
        match &mut self.form {
            Form::Pcap(header) => header.next(&mut self.buffer),
            Form::Pcapng(section) => section.next(&mut self.buffer),
        }
    }

    /// How many bytes were in the blocks until now.
    pub const fn passed(&self) -> u64 {
        self.buffer.passed()
    }

    /// How many bytes there are behind them that are part of none.
    pub const fn left(&self) -> u64 {
        self.buffer.left() as u64
    }
}
