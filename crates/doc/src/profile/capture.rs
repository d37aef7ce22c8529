//! [`Capture`]: one recording of one machine, and what it says in each span of time.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tlstax_spec::Host;

use super::class::Class;
use crate::results::Note;

/// One recording of one machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Capture {
    /// Where it comes from.
    pub origin: Origin,
    /// What was observed, in words: `--pid 1234 (nginx)`, `the whole machine`, or what an import says.
    pub target: String,
    /// When it began, UTC, RFC 3339; none where an import does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<String>,
    /// How long it took, in nanoseconds; none where an import does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ns: Option<u64>,
    /// The machine; none of an import.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<Host>,
    /// CPUs that the machine has; with the duration, what share of it a cost is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpus: Option<u32>,
    /// Processes with samples, by name.
    pub processes: Vec<Process>,
    /// Samples that the kernel or the file says were lost.
    pub lost: u64,
    /// What the observing itself took; none of an import.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own: Option<OwnCost>,
    /// How long a span is, nanoseconds; 0 where an import has no times.
    pub span_ns: u64,
    /// Weights by class in successive spans of time: what is near in time is alike, so that chance is judged by whole spans. One
    /// span where an import has no times.
    pub spans: Vec<Span>,
    /// What happened in the same minutes, of the machine's own logs or by flag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work: Option<Work>,
    pub notes: Vec<Note>,
}

/// Where a capture comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Origin {
    /// `live`, `perf.data`, `perf script`, `pprof`, `folded`, `firefox`, `proc`.
    pub format: String,
    /// What makes a sample: `cpu-clock`, `cycles`; none where an import does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// Samples in a second of CPU time that were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hertz: Option<f64>,
    /// How stacks were found: `eh_frame`, `frame pointers`, `lbr`, `none`; none where an import does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stacks: Option<String>,
}

/// What one program took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Process {
    /// Its name, as the kernel has it (`comm`).
    pub name: String,
    /// How many processes of that name had samples.
    pub count: u32,
    /// Samples.
    pub samples: u64,
    /// Their weight, in the profile's unit.
    pub weight: u64,
    /// CPU time by the kernel's account in the time of the capture, nanoseconds: the second account beside the samples.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_ns: Option<u64>,
}

/// What observing took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OwnCost {
    /// CPU time of tlstax itself while it captured, nanoseconds.
    pub cpu_ns: u64,
    /// CPU time of the kernel for samples, within the target's, nanoseconds; none where it cannot be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_ns: Option<u64>,
}

/// Weights by class in a span of time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Span {
    /// When it begins, nanoseconds since the capture began.
    pub at_ns: u64,
    /// Samples in it.
    pub samples: u64,
    /// In the order of classes.
    pub weights: Vec<Weight>,
}

/// What a class weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Weight {
    #[serde(flatten)]
    pub class: Class,
    /// In the profile's unit.
    pub weight: u64,
}

/// What the observed server did in the time of the capture.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Work {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handshakes: Option<u64>,
    /// Bytes of application data, both directions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}
