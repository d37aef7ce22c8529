//! A [`Proof`]: what really happened, as the library says, to be held against the case.

use serde::{Deserialize, Serialize};

use crate::{Compression, Group, Key, Params, Resumption, Suite, Version, Workload};

/// What was really negotiated or computed.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Proof {
    /// The negotiated protocol version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<Version>,
    /// The negotiated cipher suite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<Suite>,
    /// The group of the key exchange, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<Group>,
    /// The key in the certificate that the client saw; none where a resumption showed no certificate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Key>,
    /// The negotiated TLS compression; absent: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compression: Option<Compression>,
    /// Handshakes that both sides say were resumed.
    #[serde(default)]
    pub resumed: u64,
    /// Handshakes made, resumed or not.
    #[serde(default)]
    pub handshakes: u64,
    /// Handshakes in which the server accepted early data.
    #[serde(default)]
    pub early: u64,
    /// Bytes that the client put on the wire: in one handshake, or per buffer of bulk data.
    #[serde(default)]
    pub client_bytes: u64,
    /// Bytes that the server put on the wire: in one handshake, or per buffer of bulk data.
    #[serde(default)]
    pub server_bytes: u64,
    /// Round trips from the client's first byte to the moment when it may send its request: 1 in a full handshake of
    /// TLS 1.3, 2 in one of TLS 1.2, 0 with early data. Counted on the wire, in handshakes in memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round_trips: Option<u32>,
    /// Bytes of each flight of one handshake in memory, the client's and the server's in turn, the client's first: what a side
    /// sends before it hears of the other again. Empty where they were not told apart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flights: Vec<u64>,
    /// For a primitive: the last 16 bytes of its output on the fixed input, in hex; the same for every library.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
}

/// A way in which a proof contradicts its case.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    #[error("asked for {what} {asked}, the library negotiated {got}")]
    Negotiated {
        /// What differs: version, suite, group, certificate key or compression.
        what: &'static str,
        asked: String,
        got: String,
    },
    #[error("{resumed} of {handshakes} handshakes were resumed, the case wants {wanted}")]
    Resumed {
        resumed: u64,
        handshakes: u64,
        /// `all`, `none`, or a share.
        wanted: String,
    },
    #[error("early data was accepted in {early} of {handshakes} handshakes, the case wants {wanted}")]
    EarlyData {
        early: u64,
        handshakes: u64,
        /// `all`, or a share.
        wanted: String,
    },
    /// The same operation on the same input gave something else than before.
    #[error("the answer was {first} at first and {later} later, from the same input")]
    Answer { first: String, later: String },
    #[error(
        "the flights come to {} bytes of the client and {} of the server, who sent {} and {}",
        flights[0], flights[1], sent[0], sent[1]
    )]
    Flights {
        /// Of the client and of the server.
        flights: [u64; 2],
        sent: [u64; 2],
    },
    #[error("the worker proved nothing: {missing} is missing")]
    Missing { missing: &'static str },
}

impl Proof {
    /// Compares what happened with what the case wants; the first contradiction is the error.
    ///
    /// # Errors
    /// The first contradiction.
    pub fn check(&self, workload: &Workload) -> Result<(), Mismatch> {
        if let Workload::Primitive(_) = workload {
            return self.answer.as_ref().map(drop).ok_or(Mismatch::Missing { missing: "answer" });
        }
        let Some(params) = workload.params() else { return Ok(()) };
        let (resumption, percent) = match workload {
            Workload::Handshake(handshake) if handshake.resumption != Resumption::Full => {
                (handshake.resumption, Some(100))
            }
            Workload::Load(load) => (load.resumption, load.resumed_share()),
            _ => (Resumption::Full, Some(0)),
        };
        self.check_negotiated(&params, resumption)?;
        self.check_flights()?;
        let compression = match workload {
            Workload::Bulk(bulk) => bulk.compression,
            _ => Compression::None,
        };
        same("TLS compression", Some(compression), self.compression.or(Some(Compression::None)))?;
        percent.map_or(Ok(()), |percent| self.check_shares(resumption, percent))
    }

    /// Takes over what a later batch proved. What only the first trial told, such as the certificate of the full
    /// handshake before a resumption, is kept; an answer that is no longer the same is the error.
    ///
    /// # Errors
    /// The first contradiction.
    pub fn accept(&mut self, later: Self) -> Result<(), Mismatch> {
        if let (Some(first), Some(later)) = (&self.answer, &later.answer)
            && first != later
        {
            return Err(Mismatch::Answer { first: first.clone(), later: later.clone() });
        }
        *self = Self {
            version: later.version.or(self.version),
            suite: later.suite.or(self.suite),
            group: later.group.or(self.group),
            key: later.key.or(self.key),
            compression: later.compression.or(self.compression),
            resumed: self.resumed.saturating_add(later.resumed),
            handshakes: self.handshakes.saturating_add(later.handshakes),
            early: self.early.saturating_add(later.early),
            client_bytes: later.client_bytes,
            server_bytes: later.server_bytes,
            round_trips: later.round_trips.or(self.round_trips),
            flights: later.flights,
            answer: self.answer.take().or(later.answer),
        };
        Ok(())
    }

    fn check_negotiated(&self, params: &Params, resumption: Resumption) -> Result<(), Mismatch> {
        same("version", Some(params.version), self.version)?;
        same("suite", Some(params.suite), self.suite)?;
        // TLS 1.2 exchanges no key and shows no certificate in a resumption; of a mixture the last may be one.
        let abbreviated = resumption != Resumption::Full && !params.version.is_tls13();
        if !abbreviated {
            same("group", params.group, self.group)?;
        }
        match self.key {
            None if resumption != Resumption::Full => Ok(()),
            key => same("certificate key", Some(params.key), key),
        }
    }

    /// Flights are those of the handshake whose bytes are told.
    fn check_flights(&self) -> Result<(), Mismatch> {
        let of_side = |first: usize| self.flights.iter().skip(first).step_by(2).fold(0, add);
        let (flights, sent) = ([of_side(0), of_side(1)], [self.client_bytes, self.server_bytes]);
        let is_told = !self.flights.is_empty();
        if is_told && flights != sent { Err(Mismatch::Flights { flights, sent }) } else { Ok(()) }
    }

    fn check_shares(&self, resumption: Resumption, percent: u8) -> Result<(), Mismatch> {
        let Self { resumed, handshakes, early, .. } = *self;
        if !is_share(resumed, handshakes, percent) {
            return Err(Mismatch::Resumed { resumed, handshakes, wanted: share(percent) });
        }
        if resumption == Resumption::EarlyData && !is_share(early, handshakes, percent) {
            return Err(Mismatch::EarlyData { early, handshakes, wanted: share(percent) });
        }
        Ok(())
    }
}

/// Whether so many of all handshakes are the share that is wanted: none and all are exact; a mixture may be off by 2 % of
/// all, and by the few connections that a window cuts off.
pub fn is_share(part: u64, all: u64, percent: u8) -> bool {
    match percent {
        0 => part == 0,
        100.. => part == all,
        _ => (part as f64 - all as f64 * f64::from(percent) / 100.0).abs() <= 4.0 + all as f64 / 50.0,
    }
}

fn add(sum: u64, more: &u64) -> u64 {
    sum.saturating_add(*more)
}

fn share(percent: u8) -> String {
    match percent {
        0 => "none".to_owned(),
        100.. => "all".to_owned(),
        _ => format!("{percent} %"),
    }
}

fn same<T: PartialEq + ToString>(
    what: &'static str,
    asked: Option<T>,
    got: Option<T>,
) -> Result<(), Mismatch> {
    if asked == got {
        return Ok(());
    }
    let name = |value: Option<T>| value.map_or_else(|| "none".to_owned(), |value| value.to_string());
    Err(Mismatch::Negotiated { what, asked: name(asked), got: name(got) })
}
