//! [`Flights`]: what the two sides of a handshake send in turn.

use tlstax_spec::Side;

use crate::pipe::Wire;

/// Twice as many as a handshake has after a HelloRetryRequest and with tickets. What comes later is added to the last of its side.
const MOST: usize = 12;

/// The bytes of each flight, the client's first. A side that sends more before it hears of the other goes on with its flight.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Flights {
    bytes: [u64; MOST],
    count: usize,
    /// What the flights of the client and of the server come to.
    sent: [u64; 2],
}

impl Flights {
    pub(crate) const fn new() -> Self {
        Self { bytes: [0; MOST], count: 0, sent: [0; 2] }
    }

    /// Takes in what a side has put on the wire since it was last asked.
    pub(crate) fn note(&mut self, by: Side, wire: &Wire) {
        let of_server = usize::from(by == Side::Server);
        let sent = wire.sent(by);
        let more = sent.saturating_sub(self.sent[of_server]);
        if more == 0 {
            return;
        }
        self.sent[of_server] = sent;
        let is_next = self.count % 2 == of_server || self.count == 0;
        // A server that begins comes after a flight of nothing.
        let place = if is_next { self.count | of_server } else { self.count - 1 };
        let place = place.min((MOST - 2) | of_server);
        self.bytes[place] += more;
        self.count = self.count.max(place + 1);
    }

    pub(crate) fn bytes(&self) -> Vec<u64> {
        self.bytes[..self.count].to_vec()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::io::Write;

    use super::*;

    /// What is noted when the sides send so much in turn.
    fn noted(sent: &[(Side, usize)]) -> Vec<u64> {
        let (wire, mut flights) = (Wire::default(), Flights::new());
        for (side, length) in sent {
            wire.end(*side).write_all(&vec![0; *length]).unwrap();
            flights.note(*side, &wire);
        }
        flights.bytes()
    }

    #[test]
    fn flights_alternate_and_begin_with_the_client() {
        use Side::{Client, Server};
        assert_eq!(noted(&[(Client, 5), (Server, 7), (Client, 3)]), [5, 7, 3]);
        assert_eq!(noted(&[(Client, 5), (Server, 0), (Client, 3), (Server, 7)]), [8, 7]);
        assert_eq!(noted(&[(Client, 5), (Server, 7), (Client, 0), (Server, 2)]), [5, 9]);
        assert_eq!(noted(&[(Server, 7), (Client, 5)]), [0, 7, 5]);
        assert!(noted(&[]).is_empty());
    }

    #[test]
    fn nothing_is_lost_of_more_flights_than_there_are() {
        let many: Vec<_> = (0..40).map(|turn| ([Side::Client, Side::Server][turn % 2], 1)).collect();
        let flights = noted(&many);
        assert_eq!((flights.len(), flights.iter().sum::<u64>()), (MOST, 40));
    }
}
