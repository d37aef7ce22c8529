//! [`Connection`]: both ends of a TCP connection, until it ends.

use tlstax_doc::{Bad, PassedOver};

use super::output::Output;
use super::segment::{Segment, Side, Tuple};
use super::stream::{Losses, Stream};
use super::tls::{Hearer, Outcome, Tls};
use crate::seen::{Seen, What};

/// Both ends of a TCP connection.
pub struct Connection {
    streams: [Stream; 2],
    tls: Tls,
    /// When its first packet was, seconds since 1970.
    at: Option<u64>,
    /// The number of its last packet.
    pub last: u64,
    /// Packets of it that are not counted as something else.
    packets: u64,
    /// Bytes of memory that it holds beside itself.
    pub held: usize,
    was_reset: bool,
}

impl Connection {
    /// One whose first packet this is.
    pub fn new(segment: &Segment<'_>, at: Option<u64>, output: &Output<'_>) -> Self {
        let client = match (segment.is_syn, segment.acknowledged) {
            (true, None) => Some(segment.from),
            (true, Some(_)) => Some(segment.from.other()),
            (false, _) => client_by_ports(&segment.tuple),
        };
        Self {
            streams: [Stream::default(), Stream::default()],
            tls: Tls::new(client, output.tally.has(at)),
            at,
            last: 0,
            packets: 0,
            held: 0,
            was_reset: false,
        }
    }

    /// Whether a segment is of another connection, between the same ends.
    pub fn is_over_for(&self, segment: &Segment<'_>) -> bool {
        segment.is_syn && !self.streams[segment.from as usize].begins_at(segment.at)
    }

    pub fn has_ended(&self) -> bool {
        self.was_reset || self.streams.iter().all(|stream| stream.has_ended)
    }

    pub fn take(&mut self, segment: &Segment<'_>, output: &mut Output<'_>) {
        let mut losses = Losses::default();
        let [own, other] = self.streams_of(segment.from);
        let is_again = segment.is_syn && own.has_begun;
        if segment.is_syn {
            own.begin(segment.at);
        }
        if let Some(next) = segment.acknowledged.filter(|_| !segment.is_reset) {
            other.expect(next);
        }
        own.has_ended |= segment.is_fin;
        let mut hearer = Hearer { tls: &mut self.tls, side: segment.from, output };
        if !segment.is_reset {
            self.streams[segment.from as usize].take(segment, &mut hearer, &mut losses);
        }
        self.was_reset |= segment.is_reset;
        self.packets += 1;
        if is_again && losses == Losses::default() {
            losses.repeated += 1;
        }
        self.count(&losses, output);
        self.held = self.streams.iter().map(Stream::held).sum();
    }

    fn streams_of(&mut self, side: Side) -> [&mut Stream; 2] {
        let [first, second] = &mut self.streams;
        match side {
            Side::First => [first, second],
            Side::Second => [second, first],
        }
    }

    fn count(&mut self, losses: &Losses, output: &mut Output<'_>) {
        output.facts.gaps += losses.gaps;
        self.packets = self.packets.saturating_sub(losses.repeated + losses.behind_gap);
        output.tally.pass_over_all(PassedOver::Repeated, losses.repeated);
        // Before a connection is known to be one of TLS, what is behind a gap is behind the beginning of the capture.
        let reason = if self.has_begun() { PassedOver::BehindGap } else { PassedOver::BegunBefore };
        output.tally.pass_over_all(reason, losses.behind_gap);
        (0..losses.snapped).for_each(|_| output.tally.add_bad(Bad::Snapped));
    }

    fn has_begun(&self) -> bool {
        self.streams.iter().any(|stream| stream.has_begun)
    }

    /// Counts it: it has ended, or the capture has.
    pub fn end(mut self, output: &mut Output<'_>) {
        let mut losses = Losses::default();
        // What a client says comes first.
        let client = self.tls.client.unwrap_or(Side::First);
        for side in [client, client.other()] {
            let mut hearer = Hearer { tls: &mut self.tls, side, output };
            self.streams[side as usize].flush(&mut hearer, &mut losses);
        }
        self.count(&losses, output);
        self.tls.end(output);
        let was_closed = self.was_reset || self.streams.iter().any(|stream| stream.has_ended);
        match self.tls.outcome(was_closed) {
            Outcome::Finished => self.tell(What::Connection { requests: None }, output),
            Outcome::Failed => self.tell(What::FailedHandshake, output),
            Outcome::Unfinished => {
                output.facts.unfinished += 1;
                output.tally.pass_over_all(PassedOver::NoRequest, self.packets);
            }
            Outcome::DataOnly => {
                self.tell(What::Volume, output);
                output.tally.pass_over_all(PassedOver::BegunBefore, self.packets);
            }
            Outcome::NoTls => output.tally.pass_over_all(self.without_tls(), self.packets),
        }
    }

    fn without_tls(&self) -> PassedOver {
        if !self.has_begun() {
            PassedOver::BegunBefore
        } else if self.streams.iter().any(|stream| stream.has_bytes) {
            PassedOver::OtherProtocol
        } else {
            PassedOver::NoRequest
        }
    }

    fn tell(&self, what: What, output: &mut Output<'_>) {
        let kind = self.tls.kind(output);
        let bytes = |side| (what != What::FailedHandshake).then(|| self.tls.bytes(side));
        let client = self.tls.client;
        let (into, out) = (client.and_then(bytes), client.map(Side::other).and_then(bytes));
        output.tally.add(&Seen { kind, what, times: 1, at: self.at, out, into });
    }
}

/// The client of a connection whose beginning was not seen: servers have the well-known ports, and then the registered ones.
fn client_by_ports(tuple: &Tuple) -> Option<Side> {
    const WELL_KNOWN: u16 = 1_024;
    /// Where systems begin to take ports for clients.
    const EPHEMERAL: u16 = 32_768;
    let is_below = |limit: u16| Side::BOTH.map(|side| tuple.port(side) < limit);
    [WELL_KNOWN, EPHEMERAL].into_iter().find_map(|limit| match is_below(limit) {
        [true, false] => Some(Side::Second),
        [false, true] => Some(Side::First),
        _ => None,
    })
}
