//! [`Dimension`]: what kinds of connection are told apart by.

use std::collections::BTreeMap;

use tlstax_doc::{Counts, Kind, Protocol, Resumed, Share, Workload};

/// Something that connections are told apart by.
pub(super) struct Dimension {
    /// What rows of data frames call it.
    pub word: &'static str,
    /// The heading of its values.
    pub title: &'static str,
    /// Whether connections without TLS have none.
    is_of_tls: bool,
    value: fn(&Kind) -> Value,
}

/// What is known of one connection.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value {
    Known(String),
    /// Such a connection has none, by this reason.
    None(&'static str),
    Unknown,
}

impl Value {
    const fn rank(&self) -> u8 {
        match self {
            Self::Known(_) => 0,
            Self::None(_) => 1,
            Self::Unknown => 2,
        }
    }

    pub fn title(&self) -> &str {
        match self {
            Self::Known(name) => name,
            Self::None(why) => why,
            Self::Unknown => "unknown",
        }
    }
}

pub(super) static CLASS: Dimension =
    Dimension { word: "class", title: "class of server name", is_of_tls: false, value: class };
pub(super) static PROTOCOL: Dimension =
    Dimension { word: "protocol", title: "protocol", is_of_tls: false, value: protocol };
pub(super) static SUITE: Dimension =
    Dimension { word: "suite", title: "cipher suite", is_of_tls: true, value: suite };
pub(super) static GROUP: Dimension =
    Dimension { word: "group", title: "group", is_of_tls: true, value: group };
pub(super) static KEY: Dimension = Dimension { word: "key", title: "key", is_of_tls: true, value: key };
pub(super) static RESUMPTION: Dimension =
    Dimension { word: "resumption", title: "handshake", is_of_tls: true, value: resumption };
pub(super) static HTTP: Dimension =
    Dimension { word: "http", title: "HTTP version", is_of_tls: false, value: http };

/// All of them, in the order of tables.
pub(super) static ALL: [&Dimension; 7] = [&PROTOCOL, &RESUMPTION, &SUITE, &GROUP, &KEY, &HTTP, &CLASS];

impl Dimension {
    /// Whether it applies to a kind of connection.
    fn has(&self, kind: &Kind) -> bool {
        !self.is_of_tls || kind.protocol != Some(Protocol::None)
    }

    /// What is known of a kind that it applies to.
    pub fn of(&self, kind: &Kind) -> Value {
        (self.value)(kind)
    }

    /// The kinds that it applies to.
    pub fn shares<'w>(&self, workload: &'w Workload) -> impl Iterator<Item = &'w Share> {
        workload.shares.iter().filter(|share| self.has(&share.kind))
    }

    /// Counts by value, the most connections first, then the most requests; at last what has none, and what is unknown.
    pub fn counts(&self, workload: &Workload) -> Vec<(Value, Counts)> {
        let mut counts = BTreeMap::<Value, Counts>::new();
        for share in self.shares(workload) {
            counts.entry(self.of(&share.kind)).or_default().merge(&share.counts);
        }
        let mut counts: Vec<(Value, Counts)> = counts.into_iter().collect();
        counts.sort_by_key(|(value, counts)| {
            (value.rank(), std::cmp::Reverse((counts.connections, counts.requests)))
        });
        counts
    }

    /// Whether anything is known of it.
    pub fn is_told(&self, workload: &Workload) -> bool {
        self.counts(workload).iter().any(|(value, _)| matches!(value, Value::Known(_)))
    }
}

/// What is absent is unknown.
fn told(word: Option<&String>) -> Value {
    word.map_or(Value::Unknown, |word| Value::Known(word.clone()))
}

fn class(kind: &Kind) -> Value {
    told(kind.class.as_ref())
}

fn protocol(kind: &Kind) -> Value {
    match kind.protocol {
        Some(Protocol::None) => Value::Known("without TLS".to_owned()),
        Some(protocol) => Value::Known(protocol.word().to_owned()),
        None => Value::Unknown,
    }
}

fn suite(kind: &Kind) -> Value {
    told(kind.suite.as_ref())
}

fn group(kind: &Kind) -> Value {
    match told(kind.group.as_ref()) {
        // A resumption exchanges no keys before TLS 1.3.
        Value::Unknown if is_resumption(kind) && kind.protocol.is_some_and(|is| is < Protocol::Tls13) => {
            Value::None("none: resumed before TLS 1.3")
        }
        Value::Unknown if kind.suite.as_ref().is_some_and(|suite| suite.starts_with("TLS_RSA_WITH_")) => {
            Value::None("none: RSA key exchange")
        }
        told => told,
    }
}

fn key(kind: &Kind) -> Value {
    match told(kind.key.as_ref()) {
        // No certificate is sent.
        Value::Unknown if is_resumption(kind) => Value::None("none: resumed"),
        told => told,
    }
}

fn is_resumption(kind: &Kind) -> bool {
    kind.resumed.is_some_and(Resumed::is_resumption)
}

fn resumption(kind: &Kind) -> Value {
    match kind.resumed {
        Some(Resumed::Full) => Value::Known("full".to_owned()),
        Some(Resumed::Resumed) => Value::Known("resumed, not told how".to_owned()),
        Some(Resumed::EarlyData) => Value::Known("resumed by PSK, with early data".to_owned()),
        Some(how) => Value::Known(format!("resumed by {}", how.title())),
        None => Value::Unknown,
    }
}

fn http(kind: &Kind) -> Value {
    kind.http.map_or(Value::Unknown, |version| Value::Known(version.word().to_owned()))
}
