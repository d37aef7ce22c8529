//! What a person writes shares of.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use tlstax_doc::{HttpVersion, Protocol, Resumed};
use tlstax_names::{bytes, lookup};
use tlstax_spec::{Group, Http, Key, Resumption, Suite, Version};

use super::shares::{Part, Shares};

/// A number of requests.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number(pub f64);

/// A number of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size(pub u64);

/// A way to begin a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Way(pub Resumed);

/// How connections begin: so many percent of them resume in whatever way, or shares of each way.
#[derive(Debug, Clone, PartialEq)]
pub enum Resuming {
    Percent(f64),
    Ways(Shares<Way>),
}

impl Resuming {
    /// The ways to begin a connection of a protocol, each with its share in percent.
    pub fn ways(&self, protocol: Option<Protocol>) -> Vec<(Resumed, f64)> {
        match self {
            Self::Percent(percent) => {
                // In TLS 1.3 there is one way.
                let how = if protocol == Some(Protocol::Tls13) { Resumed::Psk } else { Resumed::Resumed };
                vec![(Resumed::Full, 100.0 - percent), (how, *percent)]
            }
            Self::Ways(Shares(ways)) => {
                let ways = ways.iter().map(|(Way(way), share)| (*way, *share));
                let fitting: Vec<_> = ways.filter(|(way, _)| fits(*way, protocol)).collect();
                let sum: f64 = fitting.iter().map(|(_, share)| share).sum();
                fitting.into_iter().map(|(way, share)| (way, share * 100.0 / sum)).collect()
            }
        }
    }
}

/// Whether a protocol has a way to begin a connection.
const fn fits(way: Resumed, protocol: Option<Protocol>) -> bool {
    match (way, protocol) {
        (_, None) | (Resumed::Full | Resumed::Resumed, _) => true,
        (Resumed::Psk | Resumed::EarlyData, Some(protocol)) => matches!(protocol, Protocol::Tls13),
        (Resumed::SessionId | Resumed::Ticket, Some(protocol)) => !matches!(protocol, Protocol::Tls13),
    }
}

impl<'de> Deserialize<'de> for Resuming {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ResumingReader)
    }
}

struct ResumingReader;

impl<'de> Visitor<'de> for ResumingReader {
    type Value = Resuming;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("how many percent of connections resume, or a table of the ways to, each with its share in percent")
    }

    fn visit_f64<E: Error>(self, percent: f64) -> Result<Resuming, E> {
        let refused = || E::custom(format!("{percent} is no share: give percent, 0 to 100"));
        (0.0..=100.0).contains(&percent).then_some(Resuming::Percent(percent)).ok_or_else(refused)
    }

    fn visit_i64<E: Error>(self, percent: i64) -> Result<Resuming, E> {
        // No percentage is so large that it would not be exact.
        #[allow(clippy::cast_precision_loss)]
        self.visit_f64(percent as f64)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Resuming, A::Error> {
        Shares::deserialize(MapAccessDeserializer::new(map)).map(Resuming::Ways)
    }
}

macro_rules! parts {
    ($($part:ty: $what:literal;)+) => {$(
        impl Part for $part {
            const WHAT: &'static str = $what;

            fn parse(name: &str) -> Result<Self, String> {
                lookup(name).map_err(|problem| problem.to_string())
            }
        }
    )+};
}

parts! {
    Suite: "a cipher suite";
    Group: "a group";
    Key: "a key";
}

impl Part for Protocol {
    const WHAT: &'static str = "a version of TLS, or none";

    fn parse(name: &str) -> Result<Self, String> {
        if let Some(known) = Self::ALL.into_iter().find(|known| known.word() == name) {
            return Ok(known);
        }
        let version = lookup::<Version>(name).map_err(|problem| format!("{problem}; none is without TLS"))?;
        Ok(match version {
            Version::Tls10 => Self::Tls10,
            Version::Tls11 => Self::Tls11,
            Version::Tls12 => Self::Tls12,
            Version::Tls13 => Self::Tls13,
        })
    }
}

impl Part for HttpVersion {
    const WHAT: &'static str = "a version of HTTP";

    fn parse(name: &str) -> Result<Self, String> {
        match name.to_ascii_lowercase().as_str() {
            "http/1.0" | "1.0" => return Ok(Self::Http10),
            "http/3" | "h3" | "3" => return Ok(Self::Http3),
            _ => {}
        }
        let version = lookup::<Http>(name).map_err(|problem| format!("{problem}, http/1.0, h3"))?;
        Ok(match version {
            Http::Http1 => Self::Http11,
            Http::Http2 => Self::Http2,
        })
    }
}

impl Part for Way {
    const WHAT: &'static str = "a way to begin a connection";

    fn parse(name: &str) -> Result<Self, String> {
        let way = lookup::<Resumption>(name).map_err(|problem| problem.to_string())?;
        Ok(Self(match way {
            Resumption::Full => Resumed::Full,
            Resumption::SessionId => Resumed::SessionId,
            Resumption::Ticket => Resumed::Ticket,
            Resumption::Psk => Resumed::Psk,
            Resumption::EarlyData => Resumed::EarlyData,
        }))
    }
}

impl Part for Size {
    const WHAT: &'static str = "a size such as \"16k\"";

    fn parse(text: &str) -> Result<Self, String> {
        bytes(text).map(Self).map_err(|problem| problem.to_string())
    }
}

impl Part for Number {
    const WHAT: &'static str = "a number of requests";

    fn parse(text: &str) -> Result<Self, String> {
        let refused = || format!("'{text}' is no number of requests: give 1 to 1000000");
        let number: f64 = text.parse().map_err(|_| refused())?;
        (1.0..=1e6).contains(&number).then_some(Self(number)).ok_or_else(refused)
    }
}
