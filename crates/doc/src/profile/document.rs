//! [`Profile`]: where the CPU time of running servers went.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::capture::Capture;
use super::class::Class;
use super::evidence::Evidence;
use crate::results::Tool;
use crate::version::SchemaVersion;

/// The version of [`Profile`] that this program writes.
pub const PROFILE_VERSION: SchemaVersion = SchemaVersion { major: 1, minor: 0 };

/// Where the CPU time of running servers went, of one capture or of several that were merged. Everything in it adds up: captures
/// stand side by side, weights of the same stack are summed, and the order of all of it follows from the contents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Profile {
    /// The version of this form.
    pub schema: SchemaVersion,
    /// Always `profile`: tells it from other documents.
    pub document: String,
    /// The program that wrote it.
    pub tool: Tool,
    /// What weights count.
    pub unit: Unit,
    pub captures: Vec<Capture>,
    /// The functions that occur in stacks, in order.
    pub frames: Vec<Frame>,
    /// Every distinct stack with its class.
    pub stacks: Vec<Stack>,
}

/// What the weight of a sample counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// CPU time.
    Nanoseconds,
    Cycles,
    /// Each sample counts one; what time it stands for is not known.
    Samples,
}

impl Unit {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Nanoseconds => "nanoseconds",
            Self::Cycles => "cycles",
            Self::Samples => "samples",
        }
    }
}

/// A function in a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Frame {
    /// The name of the file without its folder, `[kernel]`, or `[jit]`; none where nobody says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// The function, demangled; of a stripped one `+0x` and where it begins in the file.
    pub function: String,
}

/// A distinct stack.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Stack {
    /// Indices of frames, the outermost first.
    pub frames: Vec<u32>,
    #[serde(flatten)]
    pub class: Class,
    pub evidence: Evidence,
    /// In the profile's unit.
    pub weight: u64,
}
