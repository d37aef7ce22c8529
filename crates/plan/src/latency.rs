//! How long a client waits for the first byte of a response on a new connection: round trips, crypto, and what is lost on the way.

use tlstax_doc::Metric;
use tlstax_doc::model::Bounds;
use tlstax_spec::{Contexts, Handshake, Resumption, Version, Workload};

use crate::figures::{Figures, Found};

/// A way to open a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Opening {
    /// TCP alone.
    Plain,
    Tls12Full,
    /// The request goes with the client's Finished (RFC 7918).
    Tls12FalseStart,
    Tls12Resumed,
    Tls13Full,
    Tls13Psk,
    /// The request goes with the ClientHello (RFC 8446, 2.3).
    Tls13EarlyData,
}

impl Opening {
    pub const ALL: [Self; 7] = [
        Self::Plain,
        Self::Tls12Full,
        Self::Tls12FalseStart,
        Self::Tls12Resumed,
        Self::Tls13Full,
        Self::Tls13Psk,
        Self::Tls13EarlyData,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "without TLS",
            Self::Tls12Full => "TLS 1.2, full",
            Self::Tls12FalseStart => "TLS 1.2, False Start",
            Self::Tls12Resumed => "TLS 1.2, resumed",
            Self::Tls13Full => "TLS 1.3, full",
            Self::Tls13Psk => "TLS 1.3, PSK",
            Self::Tls13EarlyData => "TLS 1.3, 0-RTT",
        }
    }

    /// Round trips of the handshake before the request (RFC 5246, 7.3; RFC 7918, 3; RFC 8446, 2).
    pub const fn round_trips(self) -> u32 {
        match self {
            Self::Plain | Self::Tls13EarlyData => 0,
            Self::Tls12Full => 2,
            Self::Tls12FalseStart | Self::Tls12Resumed | Self::Tls13Full | Self::Tls13Psk => 1,
        }
    }

    /// Whether the server sends its certificates.
    pub const fn is_full(self) -> bool {
        matches!(self, Self::Tls12Full | Self::Tls12FalseStart | Self::Tls13Full)
    }

    fn is_of(self, handshake: &Handshake) -> bool {
        let (version, resumption) = (handshake.params.version, handshake.resumption);
        match self {
            Self::Plain => false,
            Self::Tls12Full => version == Version::Tls12 && resumption == Resumption::Full,
            Self::Tls12FalseStart => handshake.allows_false_start(),
            Self::Tls12Resumed => version == Version::Tls12 && resumption != Resumption::Full,
            Self::Tls13Full => version.is_tls13() && resumption == Resumption::Full,
            Self::Tls13Psk => resumption == Resumption::Psk,
            Self::Tls13EarlyData => resumption == Resumption::EarlyData,
        }
    }
}

/// What the way between client and server does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Path {
    /// Seconds to the other side and back.
    pub rtt: f64,
    /// The part of packets that are lost, each by itself, from 0 to 0.2: where timers double, more has no mean.
    pub loss: f64,
}

/// Seconds before the first answer, by which TCP has no estimate of the round-trip time (RFC 6298, 2.1).
const FIRST_TIMER: f64 = 1.0;

/// The least that Linux adds to the round-trip time before it sends again, in seconds (TCP_RTO_MIN); RFC 6298, 2.4 wants a second.
const LEAST_TIMER: f64 = 0.2;

impl Path {
    /// The part of round trips in which a packet is lost, one way or the other.
    fn lost(&self) -> f64 {
        1.0 - (1.0 - self.loss).powi(2)
    }

    /// Seconds by which the loss makes a round trip longer, on average: the timer goes off, the packet is sent again, and each
    /// further loss doubles the timer (RFC 6298, 5.5).
    fn delay(&self, timer: f64) -> f64 {
        let lost = self.lost();
        // The sum over k of lost^k x timer x 2^(k - 1).
        timer * lost / (1.0 - 2.0 * lost)
    }

    /// The retransmission timer after the first round trip (RFC 6298, 2.2, with the variance at half of it): seconds.
    fn timer(&self) -> f64 {
        self.rtt + LEAST_TIMER.max(2.0 * self.rtt)
    }
}

/// What a client waits for.
#[derive(Debug, Clone, PartialEq)]
pub struct Wait {
    pub opening: Opening,
    /// Round trips up to the first byte of the response: of TCP, of the handshake, of the window, of the request.
    pub round_trips: u32,
    /// How many of them only wait for the window to open.
    pub for_window: u32,
    /// Seconds of CPU time of both sides; none without a measured handshake.
    pub crypto: Option<Bounds>,
    /// Whose, and with which parameters.
    pub whose: Option<String>,
    /// Seconds without loss.
    pub seconds: f64,
    /// Seconds by which loss makes it longer, on average.
    pub by_loss: f64,
    /// The part of connections that lose a packet that they wait for.
    pub hit: f64,
}

/// Bytes of a server's first flight beside its certificates: hello, extensions, the signature of an RSA key of 2048 bits, Finished and
/// the headers of records.
const BESIDE_CHAIN: u64 = 500;

/// Every way to open a connection. `chain` is the length of the certificates in bytes, as it is known; `waits` says how many round
/// trips a flight of so many bytes waits for the window of a new connection.
pub fn waits(
    figures: Option<&Figures<'_>>,
    path: Path,
    chain: Option<u64>,
    waits: impl Fn(u64) -> u32,
) -> Vec<Wait> {
    let wait = |opening: Opening| {
        let found = figures.and_then(|figures| cheapest(figures, opening));
        let counted = found.as_ref().and_then(|(found, _)| flight(found));
        let flight = chain.map(|chain| chain.saturating_add(BESIDE_CHAIN)).or(counted);
        let for_window = flight.filter(|_| opening.is_full()).map_or(0, &waits);
        // One opens the connection, one takes the request and brings the response.
        let round_trips = 2 + opening.round_trips() + for_window;
        let crypto = found.as_ref().map(|(_, crypto)| *crypto);
        let later = f64::from(round_trips - 1);
        Wait {
            opening,
            round_trips,
            for_window,
            crypto,
            whose: found.map(|(found, _)| whose(&found)),
            seconds: f64::from(round_trips) * path.rtt + crypto.map_or(0.0, |crypto| crypto.value),
            by_loss: path.delay(FIRST_TIMER) + later * path.delay(path.timer()),
            hit: 1.0 - (1.0 - path.lost()).powf(f64::from(round_trips)),
        }
    };
    Opening::ALL.into_iter().map(wait).collect()
}

/// The handshake of this kind that costs least, with the seconds of both sides.
fn cheapest<'a>(figures: &Figures<'a>, opening: Opening) -> Option<(Found<'a, Handshake>, Bounds)> {
    let is_it = |found: &Found<'_, Handshake>| {
        let work = found.work;
        found.case.threads == 1 && !work.mutual && work.contexts == Contexts::Shared && opening.is_of(work)
    };
    let cost = |found: Found<'a, Handshake>| {
        let [client, server] = [Metric::Client, Metric::Server].map(|side| figures.cost(&found, side).ok());
        let (client, server) = client.zip(server)?;
        Some((found, both(client, server)))
    };
    let costs = figures.all(handshake).filter(is_it).filter_map(cost);
    costs.min_by(|one, other| one.1.value.total_cmp(&other.1.value))
}

const fn handshake(workload: &Workload) -> Option<&Handshake> {
    if let Workload::Handshake(handshake) = workload { Some(handshake) } else { None }
}

/// Nanoseconds of two sides as seconds of both; the ends of their intervals may fall together.
fn both(client: Bounds, server: Bounds) -> Bounds {
    let sum = |of: fn(&Bounds) -> f64| (of(&client) + of(&server)) / 1e9;
    Bounds { value: sum(|side| side.value), low: sum(|side| side.low), high: sum(|side| side.high) }
}

fn whose(found: &Found<'_, Handshake>) -> String {
    let params = found.work.params;
    let group = params.group.map(|group| format!(", {group}")).unwrap_or_default();
    format!("{}, {}{group}", found.library(), params.key)
}

/// The bytes of the server's first flight, as they were counted.
fn flight(found: &Found<'_, Handshake>) -> Option<u64> {
    found.measurement.proof()?.flights.get(1).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(path: Path, chain: Option<u64>) -> Vec<Wait> {
        waits(None, path, chain, |bytes| u32::from(bytes > 14_600))
    }

    const PATH: Path = Path { rtt: 0.02, loss: 0.0 };

    #[test]
    fn round_trips_are_those_of_the_standards() {
        let trips: Vec<u32> = all(PATH, None).iter().map(|wait| wait.round_trips).collect();
        assert_eq!(trips, [2, 4, 3, 3, 3, 3, 2]);
        assert!((all(PATH, None)[1].seconds - 0.08).abs() < 1e-12);
    }

    #[test]
    fn a_long_chain_costs_full_handshakes_a_round_trip() {
        let trips = |chain| all(PATH, Some(chain)).iter().map(|wait| wait.round_trips).collect::<Vec<_>>();
        assert_eq!(trips(14_100), [2, 4, 3, 3, 3, 3, 2]);
        assert_eq!(trips(14_101), [2, 5, 4, 3, 4, 3, 2]);
    }

    #[test]
    fn loss_only_ever_delays_and_round_trips_more_often() {
        let mut last = vec![0.0; 7];
        for loss in [0.0, 0.001, 0.01, 0.05, 0.2] {
            let delays: Vec<f64> = all(Path { loss, ..PATH }, None).iter().map(|wait| wait.by_loss).collect();
            assert!(delays.iter().zip(&last).all(|(now, before)| now >= before));
            assert!(delays[1] >= delays[4] && delays[4] >= delays[0]);
            last = delays;
        }
        // One packet in a thousand: 0.2 % of round trips, of which the first waits a second and the others 0.22 s.
        let [plain, ..] = &all(Path { loss: 0.001, ..PATH }, None)[..] else { panic!() };
        let lost = 1.0 - 0.999_f64 * 0.999;
        assert!((plain.by_loss - lost / (1.0 - 2.0 * lost) * 1.22).abs() < 1e-12, "{plain:?}");
    }
}
