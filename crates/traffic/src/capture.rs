//! Captures of packets: files and interfaces.
//!
//! Only what is in the clear is read: hellos, what a key exchange before TLS 1.3 shows, and the headers of records, between which
//! everything is skipped by arithmetic. Each TCP connection is counted once, when it or the capture ends. What else may be in a
//! capture is passed over: QUIC and DTLS, TLS that begins within another protocol (STARTTLS, or behind a line of the PROXY
//! protocol), fragments of IP packets.
//!
//! Bytes are those of records with application data, with their headers and what encryption adds. In TLS 1.3 all encrypted records
//! look alike: those of the handshake are told by their place and length, and an alert by its length where nothing follows it, but
//! tickets count as application data of the server. Whether the server took early data is told by the record with which the client
//! then ends it; a PSK from elsewhere is not told from one of a ticket.
//!
//! The clear part of TLS is read by our own code: tls-parser (0.12) needs a second nom, tables that are generated when it is built
//! and four packages of macros, and refuses messages of which only the beginning was captured.

mod connection;
mod connections;
mod container;
mod error;
mod live;
mod output;
mod records;
mod segment;
mod stream;
mod tls;

use std::collections::BTreeSet;
use std::io::{self, Read};

use tlstax_doc::Tell;

use self::connections::Connections;
pub use self::container::is_capture;
use self::container::{Link, Next, Packet, Packets};
pub use self::error::CaptureError;
use self::output::Output;
pub use self::output::{CaptureFacts, ClassOf};
use self::segment::{NoSegment, Segment};
use crate::tally::Tally;

/// The word of the format in documents.
pub const FORMAT: &str = "capture";

/// One capture, of a file, of several that follow each other, or of an interface.
pub struct Capture<'c> {
    class: &'c ClassOf<'c>,
    connections: Connections,
    facts: CaptureFacts,
}

/// What a capture tells; the class of names where patterns were given.
pub fn tells(has_classes: bool) -> BTreeSet<Tell> {
    let all = [
        Tell::Time,
        Tell::Protocol,
        Tell::Suite,
        Tell::Group,
        Tell::Key,
        Tell::Resumed,
        Tell::Http,
        Tell::BytesOut,
        Tell::BytesIn,
        Tell::Records,
        Tell::CertificateBytes,
    ];
    all.into_iter().chain(has_classes.then_some(Tell::Class)).collect()
}

/// When the first packet of a file was, seconds since 1970 and nanoseconds: files of one capture follow each other by it. None
/// where nothing tells.
///
/// # Errors
/// It cannot be read, or is no capture.
pub fn first_packet(input: impl Read) -> Result<Option<(u64, u32)>, CaptureError> {
    let mut packets = Packets::open(input).map_err(CaptureError::Read)?.ok_or(CaptureError::NoCapture)?;
    loop {
        match packets.next().map_err(CaptureError::Read)? {
            Next::Packet(packet) => return Ok(packet.at),
            Next::End(_) => return Ok(None),
            Next::Section | Next::Other | Next::Bad(_) | Next::Dropped { .. } => {}
        }
    }
}

/// Reads files as one capture, in the order of their first packets: what a program wrote that begins a new file now and then.
/// The class of a server's name is what `class` says.
///
/// # Errors
/// A file cannot be opened or read, or is no capture; which one stands beside it. What was read before is counted.
pub fn read_all<R: Read>(
    count: usize,
    mut open: impl FnMut(usize) -> io::Result<R>,
    class: &ClassOf<'_>,
    tally: &mut Tally,
) -> Result<CaptureFacts, (usize, CaptureError)> {
    let mut order = Vec::with_capacity(count);
    for file in 0..count {
        let first = open(file).map_err(CaptureError::Read).and_then(first_packet);
        order.push((first.map_err(|error| (file, error))?, file));
    }
    order.sort_unstable();
    let mut capture = Capture::new(class);
    let mut read = |(_, file)| {
        let input = open(file).map_err(CaptureError::Read);
        input.and_then(|input| capture.read(input, tally)).map_err(|error| (file, error))
    };
    let result = order.into_iter().try_for_each(&mut read);
    let facts = capture.end(tally);
    result.map(|()| facts)
}

impl<'c> Capture<'c> {
    pub fn new(class: &'c ClassOf<'c>) -> Self {
        Self { class, connections: Connections::default(), facts: CaptureFacts::default() }
    }

    /// Reads a file, which goes on where the one before ended.
    ///
    /// # Errors
    /// It cannot be read, or is no capture. A file that is cut, or contradicts itself, is read up to there.
    pub fn read(&mut self, input: impl Read, tally: &mut Tally) -> Result<(), CaptureError> {
        let mut packets = Packets::open(input).map_err(CaptureError::Read)?.ok_or(CaptureError::NoCapture)?;
        let result = loop {
            match packets.next() {
                Ok(Next::Packet(packet)) => self.take(&packet, tally),
                Ok(Next::Section) => self.facts.end_section(),
                Ok(Next::Other) => {}
                Ok(Next::Bad(bad)) => {
                    tally.add_read(0, 1);
                    tally.add_bad(bad);
                }
                Ok(Next::Dropped { interface, packets }) => self.facts.drop(interface, packets),
                Ok(Next::End(bad)) => {
                    if let Some(bad) = bad {
                        tally.add_read(0, 1);
                        tally.add_bad(bad);
                        self.facts.stopped.push(packets.passed());
                    }
                    break Ok(());
                }
                Err(error) => break Err(CaptureError::Read(error)),
            }
        };
        tally.add_read(packets.passed() + packets.left(), 0);
        self.facts.end_section();
        result
    }

    /// Counts a packet.
    fn take(&mut self, packet: &Packet<'_>, tally: &mut Tally) {
        tally.add_read(0, 1);
        let at = packet.at.map(|(seconds, _)| seconds);
        if let Some(at) = at {
            let (first, last) = self.facts.times.unwrap_or((at, at));
            self.facts.times = Some((first.min(at), last.max(at)));
        }
        if let Link::Other(number) = packet.link {
            self.facts.other_links.insert(number);
        }
        match Segment::of(packet) {
            Ok(segment) => {
                let mut output = Output { tally, facts: &mut self.facts, class: self.class };
                self.connections.take(&segment, at, &mut output);
            }
            Err(NoSegment::Bad(bad)) => tally.add_bad(bad),
            Err(NoSegment::PassedOver(why)) => tally.pass_over(why),
        }
    }

    /// Counts the connections that are still open.
    pub fn end(mut self, tally: &mut Tally) -> CaptureFacts {
        let mut output = Output { tally, facts: &mut self.facts, class: self.class };
        self.connections.end(&mut output);
        self.facts
    }
}
