//! A [`Sample`]: what one batch of work took.

use serde::{Deserialize, Serialize};

use crate::{Bytes, Nanos};

/// CPU time, split where the kernel's accounting of the interval is fine enough to say.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Cpu {
    /// User and system time together, by the scheduler's nanosecond clock.
    pub total: Nanos,
    /// The part spent in user space, where known.
    pub user: Option<Nanos>,
    /// The part spent in the kernel, where known.
    pub system: Option<Nanos>,
}

/// What one batch took, as the worker read its own clocks.
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "FlatSample", into = "FlatSample")]
pub struct Sample {
    /// Operations, handshakes, buffers, connections or requests in the batch, over all threads.
    pub iterations: u64,
    pub wall: Nanos,
    /// CPU time of everything that did the work: the batch's threads, or both processes of a load.
    pub cpu: Cpu,
    /// Payload bytes worked on, or bytes of memory for idle connections.
    pub bytes: Bytes,
    /// The client's part of the CPU time, where there is a client.
    pub client: Option<Cpu>,
    /// The server's part of the CPU time, where there is a server.
    pub server: Option<Cpu>,
    /// Latencies of the requests in a load in microseconds: an HdrHistogram, V2 encoding, base64.
    pub latency: Option<String>,
    pub parts: Parts,
    pub client_core: ClientCore,
    /// CPU time that a load's client spent looking for responses in vain, instead of sleeping; in no other figure of the sample.
    pub client_waited: Option<Nanos>,
    /// Where they were asked for. Rare, so it takes little room in every other sample.
    pub instructions: Option<Box<Instructions>>,
}

/// What was read of the core of a load's client before the window and after it: what the reference kernels say of the measuring core says
/// nothing of this one. Empty where there is no such core, or nobody has read it.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct ClientCore {
    /// The kernel bound by latency.
    pub latency: Vec<Nanos>,
    /// The kernel bound by throughput.
    pub throughput: Vec<Nanos>,
    /// A cache line's way from the measuring core to this one and back.
    pub round_trip: Vec<Nanos>,
}

/// Instructions that a batch executed in user space, by the CPU's counter or by callgrind.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Instructions {
    pub whole: u64,
    /// Those of each side, where there are sides.
    pub client: Option<u64>,
    pub server: Option<u64>,
}

/// What successive parts of a batch took, each of the same number of iterations: a state of the machine that lasts less
/// than a batch shows in some of them and not in others. Empty where they were not asked for, or cannot be told apart.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Parts {
    /// Of work that has no sides.
    pub whole: Vec<Nanos>,
    pub client: Vec<Nanos>,
    pub server: Vec<Nanos>,
}

impl Parts {
    pub fn is_empty(&self) -> bool {
        self.whole.is_empty() && self.client.is_empty() && self.server.is_empty()
    }
}

macro_rules! flat_sample {
    ($($(#[$doc:meta])* $field:ident: $type:ty,)+) => {
        /// A sample as a flat row, the form on the wire and in documents.
        #[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub struct FlatSample {
            /// Operations in the batch.
            pub iterations: u64,
            /// Elapsed nanoseconds.
            pub wall_ns: Nanos,
            /// CPU nanoseconds of everything that did the work.
            pub cpu_ns: Nanos,
            /// Payload bytes, or bytes of memory for idle connections.
            #[serde(default)]
            pub bytes: Bytes,
            $($(#[$doc])* #[serde(default, skip_serializing_if = "Option::is_none")] pub $field: Option<$type>,)+
        }
    };
}

flat_sample! {
    /// The user part of `cpu_ns`.
    user_ns: Nanos,
    /// The system part of `cpu_ns`.
    system_ns: Nanos,
    /// CPU nanoseconds of the client.
    client_ns: Nanos,
    /// The user part of `client_ns`.
    client_user_ns: Nanos,
    /// The system part of `client_ns`.
    client_system_ns: Nanos,
    /// CPU nanoseconds of the server.
    server_ns: Nanos,
    /// The user part of `server_ns`.
    server_user_ns: Nanos,
    /// The system part of `server_ns`.
    server_system_ns: Nanos,
    /// Latencies in microseconds: HdrHistogram, V2, base64.
    latency: String,
    /// Nanoseconds of successive parts of the batch, each of the same number of iterations.
    parts_ns: Vec<Nanos>,
    /// The client's in each part.
    client_parts_ns: Vec<Nanos>,
    /// The server's in each part.
    server_parts_ns: Vec<Nanos>,
    /// The latency-bound reference kernel on the core of a load's client, before the batch and after it.
    client_core_latency_ns: Vec<Nanos>,
    /// The throughput-bound one.
    client_core_throughput_ns: Vec<Nanos>,
    /// A cache line's way from the measuring core to that of a load's client and back.
    client_core_round_trip_ns: Vec<Nanos>,
    /// CPU nanoseconds that a load's client spent looking for responses in vain, instead of sleeping; in no other figure of the sample.
    client_waited_ns: Nanos,
    /// Instructions executed in user space, where they were counted.
    instructions: u64,
    /// The client's.
    client_instructions: u64,
    /// The server's.
    server_instructions: u64,
}

impl From<Sample> for FlatSample {
    fn from(sample: Sample) -> Self {
        let Sample {
            iterations,
            wall,
            cpu,
            bytes,
            client,
            server,
            latency,
            parts,
            client_core,
            client_waited,
            instructions,
        } = sample;
        let listed = |parts: Vec<Nanos>| Some(parts).filter(|parts| !parts.is_empty());
        Self {
            iterations,
            wall_ns: wall,
            cpu_ns: cpu.total,
            bytes,
            user_ns: cpu.user,
            system_ns: cpu.system,
            client_ns: client.map(|cpu| cpu.total),
            client_user_ns: client.and_then(|cpu| cpu.user),
            client_system_ns: client.and_then(|cpu| cpu.system),
            server_ns: server.map(|cpu| cpu.total),
            server_user_ns: server.and_then(|cpu| cpu.user),
            server_system_ns: server.and_then(|cpu| cpu.system),
            latency,
            parts_ns: listed(parts.whole),
            client_parts_ns: listed(parts.client),
            server_parts_ns: listed(parts.server),
            client_core_latency_ns: listed(client_core.latency),
            client_core_throughput_ns: listed(client_core.throughput),
            client_core_round_trip_ns: listed(client_core.round_trip),
            client_waited_ns: client_waited,
            instructions: instructions.as_ref().map(|counted| counted.whole),
            client_instructions: instructions.as_ref().and_then(|counted| counted.client),
            server_instructions: instructions.as_ref().and_then(|counted| counted.server),
        }
    }
}

impl From<FlatSample> for Sample {
    fn from(flat: FlatSample) -> Self {
        let side = |total: Option<Nanos>, user, system| total.map(|total| Cpu { total, user, system });
        Self {
            iterations: flat.iterations,
            wall: flat.wall_ns,
            cpu: Cpu { total: flat.cpu_ns, user: flat.user_ns, system: flat.system_ns },
            bytes: flat.bytes,
            client: side(flat.client_ns, flat.client_user_ns, flat.client_system_ns),
            server: side(flat.server_ns, flat.server_user_ns, flat.server_system_ns),
            latency: flat.latency,
            parts: Parts {
                whole: flat.parts_ns.unwrap_or_default(),
                client: flat.client_parts_ns.unwrap_or_default(),
                server: flat.server_parts_ns.unwrap_or_default(),
            },
            client_core: ClientCore {
                latency: flat.client_core_latency_ns.unwrap_or_default(),
                throughput: flat.client_core_throughput_ns.unwrap_or_default(),
                round_trip: flat.client_core_round_trip_ns.unwrap_or_default(),
            },
            client_waited: flat.client_waited_ns,
            instructions: flat.instructions.map(|whole| {
                let (client, server) = (flat.client_instructions, flat.server_instructions);
                Box::new(Instructions { whole, client, server })
            }),
        }
    }
}
