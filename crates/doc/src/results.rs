//! [`Results`]: everything that one run of a study found out, raw samples included. Written once, never edited.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use tlstax_spec::{Case, FlatCase, FlatSample, Host, Id, Nanos, Proof, Sample, Stage};
use tlstax_stats::HalfWidth;

use crate::half_width;
use crate::library::{Library, LibraryKind};
use crate::version::SchemaVersion;

/// The version of [`Results`] that this program writes.
pub const RESULTS_VERSION: SchemaVersion = SchemaVersion { major: 1, minor: 5 };

/// One run of one study on one machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Results {
    /// The version of this form.
    pub schema: SchemaVersion,
    /// The program that wrote it.
    pub tool: Tool,
    /// When the run began, UTC, RFC 3339.
    pub started: String,
    /// When the run ended, UTC, RFC 3339.
    pub ended: String,
    /// The machine.
    pub host: Host,
    /// What was asked.
    pub study: StudyFacts,
    /// The libraries that the study named or chose, present or not.
    pub libraries: Vec<Library>,
    /// Readings of the reference kernels between the batches, in the order of the run.
    pub slices: Vec<Slice>,
    /// One entry per case of the study; a hole is an entry too.
    pub measurements: Vec<Measurement>,
    /// What the reader has to know of the run as a whole.
    pub notes: Vec<Note>,
    /// What was counted in place of time; absent where times were taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted: Option<Counted>,
}

/// What a run counted, and by what. Its batches have times as well, which say nothing: under callgrind they are some fifty times
/// as long.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Counted {
    /// `instructions`, executed in user space.
    pub what: String,
    /// `hardware` or `callgrind`.
    pub by: CountedBy,
    /// The version of what counted, as it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// What counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CountedBy {
    /// The counter of the CPU.
    Hardware,
    /// Callgrind, a tool of Valgrind, whose CPU has fewer features.
    Callgrind,
}

impl std::fmt::Display for Counted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.by {
            CountedBy::Hardware => write!(f, "{} by the CPU's counter", self.what)?,
            CountedBy::Callgrind => write!(f, "{} under callgrind", self.what)?,
        }
        self.version.as_ref().map_or(Ok(()), |version| write!(f, " ({version})"))
    }
}

/// The program that made a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The version of the reference kernels, whose readings compare only within one version.
    pub reference_kernels: u32,
}

/// The study as it was run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StudyFacts {
    /// Its name. One from before names were ids is read as the nearest id.
    #[serde(deserialize_with = "nearest_id")]
    #[schemars(with = "String")]
    pub name: Id,
    /// Its question, in prose.
    pub question: String,
    /// The seed of the order of batches.
    pub seed: u64,
    /// The time it was given, in seconds.
    pub budget_s: f64,
    /// The half width of the 95 % interval, relative to the value, at which a case was done.
    #[serde(with = "half_width")]
    #[schemars(with = "f64")]
    pub precision: HalfWidth,
    /// No case gets more batches than this; 4294967295 where the study set no limit.
    pub max_rounds: u32,
    /// Rounds that were run.
    pub rounds: u32,
    /// Whether it was stopped before its end.
    pub interrupted: bool,
}

impl StudyFacts {
    /// As many rounds as the budget holds.
    pub const ANY_ROUNDS: u32 = u32::MAX;
}

fn nearest_id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Id, D::Error> {
    String::deserialize(deserializer).map(|name| Id::nearest(&name))
}

/// One reading of the reference kernels and of the machine's noise, between two batches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Slice {
    /// The round it belongs to.
    pub round: u32,
    /// The set of processes that ran the batches after it; all are replaced from one sitting to the next.
    pub sitting: u32,
    /// When, since the run began.
    pub at_ms: u64,
    /// The latency-bound kernel, nanoseconds.
    pub latency_ns: Nanos,
    /// The throughput-bound kernel, nanoseconds.
    pub throughput_ns: Nanos,
    /// Steal of the measuring core since the last slice, nanoseconds; the kernel counts in ticks of 10 ms.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub steal_ns: Nanos,
    /// For how long a CPU quota kept threads of the run from running since the last slice, nanoseconds summed over CPUs.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub throttled_ns: Nanos,
}

fn is_zero(nanos: &Nanos) -> bool {
    nanos.0 == 0
}

/// One case and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Measurement {
    /// The case's readable path; joins measurements of several runs, and is never parsed.
    pub id: String,
    /// The case.
    #[schemars(with = "FlatCase")]
    pub case: Case,
    /// What became of it.
    pub outcome: Outcome,
    /// What the reader has to know of this case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

/// What became of a case: a figure with its proof, or a hole with its reason.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "is", rename_all = "lowercase")]
pub enum Outcome {
    /// It was measured.
    Measured {
        /// What was really negotiated or computed.
        proof: Proof,
        /// The raw samples.
        batches: Vec<Batch>,
    },
    /// The library or the machine has no such thing.
    Unsupported {
        /// Why.
        reason: String,
    },
    /// It went wrong.
    Failed {
        /// Where: start, hello, prepare, run or proof.
        #[schemars(with = "String")]
        stage: Stage,
        /// What.
        message: String,
        /// The end of what the worker wrote to its standard error.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        stderr: String,
    },
    /// It was not tried, or too little of it was measured.
    Skipped {
        /// Why.
        why: String,
    },
}

/// One batch: where it stood in the run, and its sample.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Batch {
    /// The number of the slice before the batch.
    // The one after it has the next number.
    pub slice: u32,
    /// The orchestrator's reading of the worker's CPU time, warm-up and request included.
    // Independent of the worker's word: the scheduler's account of the same processes, or that of their control groups.
    #[serde(default, rename = "observed_ns", skip_serializing_if = "Option::is_none")]
    pub observed: Option<Nanos>,
    /// The part of a load's server in it, by its control group.
    #[serde(default, rename = "observed_server_ns", skip_serializing_if = "Option::is_none")]
    pub observed_server: Option<Nanos>,
    // The worker's own readings.
    #[serde(flatten)]
    #[schemars(with = "FlatSample")]
    pub sample: Sample,
}

/// Something the reader has to know, and what can be done about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Note {
    /// How much it matters.
    pub severity: Severity,
    /// What was found.
    pub what: String,
    /// What can be done about it; empty if nothing has to.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub remedy: String,
}

/// How much a note matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Good to know.
    Info,
    /// The figures need care.
    Warning,
    /// The figures cannot be relied on.
    Problem,
}

impl Results {
    /// What is known of a library, a server or a client.
    pub fn library(&self, id: &str) -> Option<&Library> {
        self.libraries.iter().find(|library| library.id == id)
    }

    /// What goes by this id. Where the document has cases of it and no entry, its id has to do, as in older documents.
    pub fn kind(&self, id: &str) -> LibraryKind {
        self.library(id).map_or_else(|| LibraryKind::derived(id, None), |library| library.kind)
    }
}

impl Measurement {
    /// A case with its outcome.
    pub fn new(case: Case, outcome: Outcome) -> Self {
        Self { id: case.id(), case, outcome, notes: Vec::new() }
    }

    /// The raw samples; none where the outcome is a hole.
    pub fn batches(&self) -> &[Batch] {
        match &self.outcome {
            Outcome::Measured { batches, .. } => batches,
            _ => &[],
        }
    }

    /// The proof; none where the outcome is a hole.
    pub fn proof(&self) -> Option<&Proof> {
        match &self.outcome {
            Outcome::Measured { proof, .. } => Some(proof),
            _ => None,
        }
    }
}

impl Outcome {
    /// Why there is no figure; none where there is one.
    pub fn hole(&self) -> Option<String> {
        match self {
            Self::Measured { .. } => None,
            Self::Unsupported { reason } => Some(format!("unsupported: {reason}")),
            Self::Failed { stage, message, .. } => Some(format!("failed ({stage}): {message}")),
            Self::Skipped { why } => Some(format!("skipped: {why}")),
        }
    }
}
