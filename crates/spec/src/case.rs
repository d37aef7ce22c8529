//! What is known of a [`Case`] beside its fields: what a load asks of its client, and the id.

use crate::{
    Bulk, Case, Compression, Content, Direction, Http, Load, Params, Resumption, Sessions, Workload,
};

/// The word of [`crate::wire::Hello::loads`] for workers that know [`Load::response_headers`] at both ends.
pub const RESPONSE_HEADERS: &str = "response-headers";

/// The word for uploads, at both ends.
pub const UPLOAD: &str = "upload";

/// The word for uploads that are forms: the client's.
pub const FORM: &str = "form";

/// The word for parts of the windows of a load, told by both ends.
pub const PARTS: &str = "parts";

impl Bulk {
    /// What is sent, where it makes a difference or is not as usual.
    pub fn stated_content(&self) -> Option<Content> {
        let is_stated = self.compression != Compression::None || self.content != Content::Text;
        is_stated.then_some(self.content)
    }
}

impl Load {
    /// Of a hundred connections so many must resume; none where the hit rate is what the load is to find out, because the
    /// server's workers do not know each other's sessions.
    pub fn resumed_share(&self) -> Option<u8> {
        let is_question = self.tuning.sessions == Sessions::PerWorker && self.tuning.workers > 1;
        match self.resumption {
            Resumption::Full => Some(0),
            _ => (!is_question).then_some(self.resumed_percent),
        }
    }

    /// After so many requests the load has made connections of each kind as often as its shares say; 1 where all requests are alike.
    pub fn cycle(&self) -> u64 {
        let connections = match self.resumption {
            Resumption::Full => 1,
            _ => 100 / gcd(100, u64::from(self.resumed_percent)),
        };
        match self.requests_per_connection {
            0 => 1,
            requests => u64::from(requests) * connections,
        }
    }

    /// What the client must be able to do beyond downloads over HTTP/1.1 in a closed loop in one thread: words of
    /// [`crate::wire::Hello::loads`].
    pub fn demands(&self) -> Vec<&'static str> {
        let demands = [
            (self.http == Http::Http2, "h2"),
            (self.rate > 0, "rate"),
            (self.direction == Direction::Upload, UPLOAD),
            (self.form, FORM),
            (self.resumption == Resumption::EarlyData, "early-data"),
            (self.resumed_percent != 100 && self.resumption != Resumption::Full, "mix"),
            (self.response_headers > 0, RESPONSE_HEADERS),
        ];
        demands.into_iter().filter_map(|(is_needed, word)| is_needed.then_some(word)).collect()
    }
}

/// The greatest common divisor (Euclid, "Elements", VII.2).
const fn gcd(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { gcd(other, one % other) }
}

impl Workload {
    /// The kind of the workload: one lower-case word.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Primitive(_) => "primitive",
            Self::Handshake(_) => "handshake",
            Self::Bulk(_) => "bulk",
            Self::Idle(_) => "idle",
            Self::Load(_) => "load",
        }
    }

    /// What has to be negotiated, where a connection is made at all.
    pub const fn params(&self) -> Option<Params> {
        match self {
            Self::Primitive(_) => None,
            Self::Handshake(handshake) => Some(handshake.params),
            Self::Bulk(bulk) => Some(bulk.params),
            Self::Idle(idle) => Some(idle.params),
            Self::Load(load) => load.params,
        }
    }
}

impl Case {
    /// A readable path made from the fields. It names the case for people and joins results; it is never parsed.
    pub fn id(&self) -> String {
        let mut path = vec![self.library.to_string(), self.workload.kind().to_owned()];
        if let Some(Params { version, suite, group, key }) = self.workload.params() {
            path.extend([version.to_string(), suite.to_string()]);
            path.extend(group.map(|group| group.to_string()));
            path.push(key.to_string());
        }
        match &self.workload {
            Workload::Primitive(primitive) => path.extend(in_order(primitive.fragments(), &["algorithm"])),
            Workload::Handshake(handshake) => path.extend(in_order(handshake.fragments(), &[])),
            Workload::Bulk(bulk) => path.extend(in_order(bulk.fragments(), &[])),
            Workload::Idle(idle) => path.extend(in_order(idle.fragments(), &[])),
            Workload::Load(load) => {
                path.extend(load.params.is_none().then(|| "http".to_owned()));
                path.push(format!("from-{}", load.client));
                path.extend(in_order(load.fragments(), LOAD_ORDER));
                path.extend(in_order(load.tuning.fragments(), &[]));
            }
        }
        path.extend(in_order(self.fragments(), &[]));
        path.join("/")
    }
}

/// The ids of loads have these first, as they always had; what came later stands as it is declared.
const LOAD_ORDER: &[&str] = &[
    "http",
    "resumption",
    "resumed_percent",
    "connections",
    "requests_per_connection",
    "rate",
    "direction",
    "body",
    "work_us",
    "page",
];

/// The fragments that are there, those of the fields in `first` before the others.
fn in_order(mut fragments: Vec<(&'static str, String)>, first: &[&str]) -> impl Iterator<Item = String> {
    fragments.sort_by_key(|(field, _)| first.iter().position(|name| name == field).unwrap_or(first.len()));
    fragments.into_iter().map(|(_, fragment)| fragment).filter(|fragment| !fragment.is_empty())
}
