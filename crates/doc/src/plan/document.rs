//! [`Plan`]: what a workload will cost a server, and what changes would do.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::{Bounds, Checked, Term};
use crate::results::{Note, Tool};
use crate::version::SchemaVersion;

/// The version of [`Plan`] that this program writes.
pub const PLAN_VERSION: SchemaVersion = SchemaVersion { major: 1, minor: 0 };

/// What a workload will cost a server, what changes to it would do, and what it would take.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Plan {
    /// The version of this form.
    pub schema: SchemaVersion,
    /// Always `plan`: tells it from other documents.
    pub document: String,
    /// The program that wrote it.
    pub tool: Tool,
    /// When, UTC, RFC 3339.
    pub made: String,
    pub basis: Basis,
    /// What the workload will cost as it is.
    pub now: Prediction,
    /// What changes would make of it, in the order in which they were asked for; or, of advice, the best first.
    pub scenarios: Vec<Scenario>,
    /// What it takes of the machine: the first to saturate first.
    pub resources: Vec<Resource>,
    /// What was assumed in the place of what is not known, a sentence each.
    pub assumed: Vec<String>,
    /// What of the workload no prediction is made for, a sentence each.
    pub left_out: Vec<String>,
    /// Predicted beside measured, where that was asked for: each kind, and last the whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checked: Vec<Checked>,
    /// What the reader has to know.
    pub notes: Vec<Note>,
}

/// What a plan rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Basis {
    /// The server of the model, with its version.
    pub server: String,
    /// What its CPU calls itself.
    pub machine: String,
    /// CPUs of that machine that a server may use.
    pub cpus: u32,
    /// When the model was measured, RFC 3339.
    pub measured: String,
    /// In words: `the busiest 10 s`, `the mean`, `as written`.
    pub rate: String,
    /// Requests, new connections and bytes of bodies in a second.
    pub requests: f64,
    pub connections: Bounds,
    pub bytes: f64,
}

/// What a workload will cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Prediction {
    /// Seconds of CPU time in a second.
    pub cores: Bounds,
    /// By what they are spent on; they add up to the whole.
    pub parts: Vec<Piece<Part>>,
    /// By suite, by key and by whether sessions are resumed; the words of the vocabularies.
    pub suites: Vec<Piece<String>>,
    pub keys: Vec<Piece<String>>,
    pub resumption: Vec<Piece<String>>,
    /// Kinds of connections, the dearest first; they add up to the whole.
    pub rows: Vec<Row>,
    /// Terms that the model has no cost of, with what stands for them.
    pub missing: Vec<Missing>,
    /// How many times each term is done in a second. With the costs below the page computes what a change of the resumed share
    /// does.
    pub work: Vec<(Term, f64)>,
    /// How many times each would be done if no session were resumed, and if all were. A lower share than now is a mixture of the
    /// first and what is now, a higher one of what is now and the second.
    pub full: Vec<(Term, f64)>,
    pub resumed: Vec<(Term, f64)>,
    /// What each of these terms costs once, nanoseconds; that of its kin where the model has none of its own.
    pub costs: Vec<(Term, f64)>,
    /// Cores if no session were resumed, and if all were.
    pub if_full: Bounds,
    pub if_resumed: Bounds,
    /// The resumed share of connections, 0 to 1.
    pub resumed_share: f64,
    /// Bytes that the server sends in a second with all that TLS and HTTP add, without TCP and IP.
    pub wire_bytes: f64,
}

/// A piece of a whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Piece<T> {
    pub of: T,
    pub cores: f64,
}

/// What CPU time is spent on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// TCP connections, and what HTTP/2 adds to them.
    Connections,
    FullHandshakes,
    Resumptions,
    /// Requests as they would be without TLS.
    Requests,
    /// What TLS adds to requests beside their bodies.
    RequestsOverTls,
    /// Bodies as they would be sent without TLS.
    Sending,
    /// What TLS adds to that: encryption, copies, records.
    Encryption,
}

/// A kind of connections.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Row {
    /// Protocol, suite, group, key and HTTP version, in words.
    pub kind: String,
    /// A second.
    pub connections: f64,
    pub requests: f64,
    pub resumed: f64,
    pub cores: Bounds,
    pub parts: Vec<Piece<Part>>,
}

/// A term without a cost of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Missing {
    pub term: Term,
    /// The nearest kin, whose cost stands for it within bounds; none where it has none, and it is left out.
    pub kin: Option<Term>,
    /// Nanoseconds, as it is counted.
    pub ns: Bounds,
    /// Cores that it stands for.
    pub cores: f64,
}

/// What some changes would make of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Scenario {
    /// The changes as they were asked for: `cert=ecdsa-p256`.
    pub changes: Vec<String>,
    pub prediction: Prediction,
    /// Cores more than now, with the interval of the difference: what both have in common cancels.
    pub more: Bounds,
    pub elsewhere: Elsewhere,
    /// Lines of the server's configuration that make the changes; none where none is needed or known.
    pub configuration: Vec<String>,
}

/// What a change does elsewhere.
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Elsewhere {
    /// Bytes more that the server sends for each connection.
    pub bytes_per_connection: f64,
    /// Round trips more before the first byte of a response, on average.
    pub round_trips: f64,
    /// In words: which clients are lost, what has to be done beside.
    pub said: Vec<String>,
}

/// Something that a server has a limited amount of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Resource {
    /// `cpu`, `network`, `memory`, `credits`.
    pub what: String,
    pub used: Bounds,
    /// In the same unit.
    pub available: f64,
    /// `cores`, `bit/s`, `bytes`.
    pub unit: String,
    /// How many times the workload it would hold.
    pub times: f64,
    /// What to know of it, in words.
    pub said: String,
}
