//! The requests of the orchestrator and the answers of a worker. On the line each is one object, with no object inside it.
//!
//! Unknown fields are passed over, so that a newer side may say more than an older one reads.

use serde::{Deserialize, Serialize};

use super::sight::Sight;
use super::target::{self, Target};
use crate::{Case, Group, Nanos, Proof, Sample, Side, Stage, Suite, Version};

/// The version of the protocol that this side speaks. Both sides say theirs first.
pub const PROTOCOL: u32 = 2;

/// The oldest version of the protocol whose workers are still served: from version 2 on a batch can be had in parts.
pub const OLDEST_PROTOCOL: u32 = 1;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum Request {
    /// The first line: who are you, and what can you do?
    Hello {
        protocol: u32,
        /// The directory of the test certificates and keys.
        pki: String,
    },
    /// Get everything ready for a case, outside any measurement. Answer: Ready, Unsupported or Failed.
    Prepare {
        /// The number under which the case is asked for later.
        slot: u32,
        /// Which end of a load this process is; none where one process is both or there are no ends.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        end: Option<Side>,
        /// For the client's end of a load: the server's port.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        port: Option<u16>,
        /// For the client's end of a load: a server that is not tlstax's own, so that the length of its responses is its
        /// own affair; none means that the server is one of ours on 127.0.0.1.
        #[serde(flatten, deserialize_with = "target::if_named")]
        target: Option<Target>,
        #[serde(flatten)]
        case: Case,
    },
    /// Run one batch of a prepared case. Answer: Sampled or Failed.
    Run {
        slot: u32,
        /// How many iterations to time, on each thread.
        iterations: u64,
        /// How many iterations to run before them, untimed, so that caches and predictors are warm.
        warmup: u64,
        /// Tell what each part of so many iterations took as well; 0: only the whole. `iterations` is a multiple of it.
        #[serde(default, skip_serializing_if = "is_zero")]
        part: u64,
        /// Count this as well, in the timed iterations; none: take the times only. A worker that cannot count passes over it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        count: Option<Count>,
    },
    /// How much CPU time has your process used so far, and, in a server, what has it counted? Answer: Usage.
    Usage {
        /// That of the server.
        slot: u32,
        /// With the next answer, tell what so many responses took each time; 0: only the whole.
        #[serde(default, skip_serializing_if = "is_zero")]
        part: u64,
    },
    /// Forget a case. Answer: Released.
    Release { slot: u32 },
    /// Which cipher suites does your library choose by these words, and in which order does it prefer them? About no case.
    /// Answer: Suites, Unsupported, or Failed at the stage [`Stage::Expand`] with the library's own complaint.
    Expand {
        /// The words for the suites of TLS 1.2, as the library's users write them; empty: none of these suites.
        string: String,
        /// The suites of TLS 1.3 in the library's own form, where that is a setting apart; none leaves them as they are.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ciphersuites: Option<String>,
    },
    /// What does a server negotiate and answer, that the user has named? A few connections, about no case. Answer: Looked,
    /// Unsupported, or Failed at the stage [`Stage::Look`].
    Look {
        port: u16,
        #[serde(flatten)]
        target: Target,
        /// The one version that is offered; none is plain HTTP.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        version: Option<Version>,
    },
    /// A reading of the reference kernels: only for workers whose hello claims to be scripted. Answer: Reference.
    Reference,
    /// End. No answer; the worker exits with code 0.
    Bye,
}

/// What a batch is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Count {
    /// Instructions in user space.
    Instructions,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// What a worker says of itself.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Hello {
    /// The worker's protocol version.
    pub protocol: u32,
    /// The family of the library, for example `openssl`.
    pub family: String,
    /// Name and version as the library itself says at run time.
    pub version: String,
    /// How the library was built, as far as it says: compiler, options.
    #[serde(default)]
    pub build: String,
    /// The capability words that the library read from the CPU and uses, as it says; empty if it does not say.
    #[serde(default)]
    pub cpu: String,
    /// Primitives as `algorithm:operation`.
    #[serde(default)]
    pub primitives: Vec<String>,
    /// Call patterns of the primitives.
    #[serde(default)]
    pub patterns: Vec<String>,
    /// Protocol versions.
    #[serde(default)]
    pub versions: Vec<String>,
    /// Cipher suites.
    #[serde(default)]
    pub suites: Vec<String>,
    /// Key exchange groups.
    #[serde(default)]
    pub groups: Vec<String>,
    /// Certificate keys.
    #[serde(default)]
    pub keys: Vec<String>,
    /// Kinds of resumption.
    #[serde(default)]
    pub resumptions: Vec<String>,
    /// TLS compression that connections can be made with, beside none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compressions: Vec<String>,
    /// Whether connections are compressed where a program leaves the library's settings as they are.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub compresses: bool,
    /// What the worker can do as the client of a load, beyond downloads over HTTP/1.1 in a closed loop: `h2`, `rate` (open
    /// loop), `upload`, `early-data`, `mix` (full and resumed connections), `threads`, `target` (servers that are not
    /// tlstax's own); and `response-headers` and `parts`, at both ends.
    #[serde(default)]
    pub loads: Vec<String>,
    /// What the worker leaves out as a client that a full one does, a sentence each.
    #[serde(default)]
    pub omits: Vec<String>,
    /// What the library does without, read back from it: names of [`crate::Switch`]. All that the environment variable
    /// TLSTAX_WITHOUT asked for must be among them.
    #[serde(default)]
    pub without: Vec<String>,
    /// Whether the worker's costs are made up. Readings of the reference kernels must then be made up with them, and the worker
    /// answers the request for one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub scripted: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "lowercase")]
#[expect(clippy::large_enum_variant, reason = "one answer is alive at a time")]
pub enum Answer {
    /// To Hello.
    Hello(Box<Hello>),
    /// The case is ready; the proof is that of one trial run.
    Ready {
        slot: u32,
        /// For the server's end of a load: the loopback port it listens on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        port: Option<u16>,
        #[serde(flatten)]
        proof: Proof,
    },
    Sampled {
        slot: u32,
        #[serde(flatten)]
        sample: Sample,
        /// That of the whole batch.
        #[serde(flatten)]
        proof: Proof,
    },
    Unsupported {
        slot: u32,
        /// Why, in one sentence.
        reason: String,
    },
    /// Something went wrong that should not.
    Failed {
        slot: u32,
        stage: Stage,
        /// What, in one sentence.
        message: String,
    },
    /// The process's own reading.
    Usage {
        slot: u32,
        #[serde(flatten)]
        usage: Usage,
    },
    Released {
        slot: u32,
    },
    /// To Expand.
    Suites {
        /// IANA names in the order of preference, those that are not in our vocabulary too.
        names: Vec<String>,
    },
    /// To Look.
    Looked(Box<Sight>),
    /// A scripted reading of the reference kernels.
    Reference {
        #[serde(rename = "latency_ns")]
        latency: Nanos,
        #[serde(rename = "throughput_ns")]
        throughput: Nanos,
    },
}

/// What the server's end of a load has used and counted for one slot since it was prepared.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// CPU time of the threads that serve the slot, by the scheduler's nanosecond clock.
    pub cpu_ns: Nanos,
    /// The part in user space.
    pub user_ns: Nanos,
    /// The part in the kernel.
    pub system_ns: Nanos,
    /// Connections accepted.
    pub connections: u64,
    /// Handshakes finished.
    pub handshakes: u64,
    /// Handshakes among them that the server says were resumed.
    pub resumed: u64,
    pub requests: u64,
    /// Bytes sent, or received, as bodies.
    pub bytes: u64,
    /// Handshakes among them in which early data was accepted.
    #[serde(default)]
    pub early: u64,
    /// CPU time of the same threads for each part of so many responses as the question before this one had asked for: from that
    /// question to this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts_ns: Vec<Nanos>,
    /// The protocol version of the latest handshake, as the server says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<Version>,
    /// The cipher suite of the latest handshake.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<Suite>,
    /// The group of the latest handshake that says one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<Group>,
}
