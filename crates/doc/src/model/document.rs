//! [`Model`]: what each thing that a server does costs it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tlstax_spec::{Host, Id};

use super::term::Term;
use crate::results::{Note, Tool};
use crate::version::SchemaVersion;

/// The version of [`Model`] that this program writes.
pub const MODEL_VERSION: SchemaVersion = SchemaVersion { major: 1, minor: 0 };

/// What each thing that one server does costs it on one machine, with what is not known of it. The cost of work is the sum over
/// terms of how many times each is done and what it costs; its variance is the sum over pairs of terms of both numbers and their
/// covariance, and the square of [`unexplained`](Self::unexplained) times the cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Model {
    /// The version of this form.
    pub schema: SchemaVersion,
    /// Always `model`: tells it from other documents.
    pub document: String,
    /// The program that wrote it.
    pub tool: Tool,
    /// When the loads that it was fitted to had ended, UTC, RFC 3339.
    pub measured: String,
    /// The machine.
    pub host: Host,
    /// The server, and what it says of itself.
    pub server: Id,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_version: Option<String>,
    /// The TLS library that the server was found to use, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library: Option<String>,
    pub regime: Regime,
    /// How far the cores of server and client were apart: nanoseconds of a cache line's way there and back. Costs are others where it is
    /// another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub core_round_trip_ns: Option<f64>,
    /// The costs, in order of terms.
    pub terms: Vec<TermCost>,
    /// Covariances of the costs, nanoseconds squared: the row of each term up to its own column.
    pub covariance: Vec<Vec<f64>>,
    /// Standard deviation of what the terms leave unexplained of the cost of a load, relative to it: found by leaving out one load at a
    /// time; and of the clock of the machine, which all loads have in common.
    pub unexplained: f64,
    /// What it was fitted to.
    pub fitted: Vec<Fitted>,
    /// Loads that were to be fitted and have no figure: the ids of their cases with the reasons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holes: Vec<(String, String)>,
    /// What would make predictions sharper most, the first thing first: ids of cases, and by how much of its width the interval of a
    /// usual workload would shrink.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sharper: Vec<(String, f64)>,
    /// What became of its predictions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checked: Vec<Checked>,
    /// What the reader has to know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

/// In which state of the server the costs hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Regime {
    /// The client that loaded it.
    pub client: Id,
    /// Connections that were open at a time.
    pub connections: u32,
    /// Processes or threads of the server.
    pub workers: u16,
    /// Whether plain HTTP used sendfile(2).
    pub sendfile: bool,
    /// Bytes of its buffer for records; 0 is the server's own choice.
    pub tls_buffer: u32,
    /// Whether the server was busy all the time (a closed loop); otherwise the requests a second that were offered.
    pub rate: u32,
}

/// What a term costs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TermCost {
    pub term: Term,
    /// Nanoseconds of the server's CPU time; of bytes and records, of one.
    pub ns: f64,
    /// Where the figure comes from.
    pub origin: Origin,
}

/// Where the cost of a term comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "from", rename_all = "kebab-case")]
pub enum Origin {
    /// Loads on the very server.
    Loads,
    /// In-memory results of a library, brought to the server by what other terms cost in both.
    InMemory {
        library: Id,
        /// The id of the case.
        case: String,
    },
}

/// A load that the model was fitted to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Fitted {
    /// The id of its case.
    pub case: String,
    /// Nanoseconds of the server's CPU time for a request, with the interval.
    pub measured: f64,
    pub low: f64,
    pub high: f64,
    /// By the model.
    pub model: f64,
    /// By the model without this load; none where a term was seen by it alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without: Option<f64>,
}

/// A prediction that was held against what was measured later.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Checked {
    /// When, UTC, RFC 3339.
    pub at: String,
    /// What was offered: the id of the case, or `workload`.
    pub what: String,
    /// Nanoseconds for a request, of a workload cores: predicted with its interval, and measured with its own.
    pub predicted: Bounds,
    pub measured: Bounds,
}

impl Checked {
    /// What a whole workload is called in place of the id of a case.
    pub const WORKLOAD: &str = "workload";

    /// Whether its figures are the cores that a whole workload takes, and not nanoseconds for a request.
    pub fn is_workload(&self) -> bool {
        self.what == Self::WORKLOAD
    }
}

/// A figure with the ends of its 95 % interval.
#[derive(Debug, Default, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bounds {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl Bounds {
    /// A figure of which nothing is open.
    pub const fn exact(value: f64) -> Self {
        Self { value, low: value, high: value }
    }

    /// So many times as much, or as little: of a negative factor the ends change places.
    pub fn scaled(self, factor: f64) -> Self {
        let [one, other] = [self.low * factor, self.high * factor];
        Self { value: self.value * factor, low: one.min(other), high: one.max(other) }
    }
}
