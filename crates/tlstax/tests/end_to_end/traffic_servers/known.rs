//! What was offered to a server, and what a workload says of it.

use std::collections::BTreeMap;

use serde_json::Value;

/// What is written for something that a source does not tell.
pub const UNKNOWN: &str = "unknown";

/// Version, suite, group, and how it was resumed, of a connection.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kind([String; 4]);

/// The fields of a kind in a document.
pub const FIELDS: [&str; 4] = ["protocol", "suite", "group", "resumed"];

/// Connections by kind, requests by version and suite, and how many responses had which size.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known {
    connections: BTreeMap<Kind, u64>,
    requests: BTreeMap<Kind, u64>,
    sizes: BTreeMap<u64, u64>,
}

impl Kind {
    pub fn of(words: [&str; 4]) -> Self {
        Self(words.map(str::to_owned))
    }

    /// The same by a source that tells these fields only.
    fn told(&self, fields: &[&str]) -> Self {
        let mut told = self.clone();
        for (word, field) in told.0.iter_mut().zip(FIELDS) {
            if !fields.contains(&field) {
                UNKNOWN.clone_into(word);
            }
        }
        told
    }

    pub fn is_tls(&self) -> bool {
        self.0[0] != "none" && self.0[0] != UNKNOWN
    }

    /// The same without its group if it has this version and was resumed so.
    pub fn without_group_if(&self, version: &str, resumed: &str) -> Self {
        let mut without = self.clone();
        if self.0[0] == version && self.0[3] == resumed {
            UNKNOWN.clone_into(&mut without.0[2]);
        }
        without
    }

    /// The same by a log, which says that a session was resumed and not by what.
    fn logged(&self) -> Self {
        let mut logged = self.clone();
        if !["full", UNKNOWN].contains(&logged.0[3].as_str()) {
            "resumed".clone_into(&mut logged.0[3]);
        }
        logged
    }
}

impl Known {
    pub fn connect(&mut self, kind: Kind, connections: u64) {
        *self.connections.entry(kind).or_default() += connections;
    }

    pub fn request(&mut self, [version, suite]: [&str; 2], size: u64, requests: u64) {
        *self.requests.entry(Kind::of([version, suite, UNKNOWN, UNKNOWN])).or_default() += requests;
        *self.sizes.entry(size).or_default() += requests;
    }

    /// What a workload has of connections and requests; sizes are in its sketch.
    pub fn of_workload(workload: &Value) -> Self {
        let mut known = Self::default();
        for share in workload["shares"].as_array().unwrap() {
            let words = FIELDS.map(|field| share[field].as_str().unwrap_or(UNKNOWN));
            known.connect(Kind::of(words), share["connections"].as_u64().unwrap());
            let [version, suite, ..] = words;
            let requests = known.requests.entry(Kind::of([version, suite, UNKNOWN, UNKNOWN])).or_default();
            *requests += share["requests"].as_u64().unwrap();
        }
        known
    }

    /// What a source that tells these fields only can have of it, by a log or by a capture.
    pub fn told(&self, fields: &[&str], of: fn(&Kind) -> Kind) -> (Counts, Counts) {
        let fold = |counts: &Counts| {
            let mut folded = Counts::new();
            for (kind, count) in counts.iter().filter(|(_, count)| **count > 0) {
                *folded.entry(of(&kind.told(fields))).or_default() += count;
            }
            folded
        };
        (fold(&self.connections), fold(&self.requests))
    }

    pub fn connections(&self) -> u64 {
        self.connections.values().sum()
    }

    pub fn requests(&self) -> u64 {
        self.requests.values().sum()
    }

    /// Bytes of all bodies.
    pub fn bytes(&self) -> u64 {
        self.sizes.iter().map(|(size, requests)| size * requests).sum()
    }

    pub fn sizes(&self) -> &BTreeMap<u64, u64> {
        &self.sizes
    }
}

pub type Counts = BTreeMap<Kind, u64>;

/// By a log.
pub fn by_log(kind: &Kind) -> Kind {
    kind.logged()
}

/// By a capture.
pub fn by_capture(kind: &Kind) -> Kind {
    kind.clone()
}
