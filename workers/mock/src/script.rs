//! The scripted worker: it speaks the protocol by itself, without time and without crypto.
//!
//! A batch is answered at once, with figures computed from a script. The script is one JSON object; every field may
//! be absent, and so may the file:
//!
//! ```json
//! {
//!   "seed": 1,
//!   "protocol": 2,
//!   "hello": { "version": "script 2.0", "groups": ["X25519"] },
//!   "noise": { "jitter": 0.003, "drift": 0.02, "busy": 0.3, "busy_slowdown": 0.4, "busy_length": 20 },
//!   "costs": [
//!     { "case": "*/primitive/aes-128-gcm/*", "ns": 90, "ns_per_byte": 0.2 },
//!     { "case": "*/handshake/*/psk", "client_ns": 150000, "server_ns": 120000 },
//!     { "case": "*/idle/*", "ns": 400000, "memory": 20000 }
//!   ],
//!   "slowdowns": [ { "case": "*/ed25519/sign", "factor": 1.03 } ],
//!   "expand": { "HIGH": ["TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"] },
//!   "faults": [ { "case": "*/x25519/derive", "at": "run", "from": 3, "fault": "die", "stderr": "out of memory" } ]
//! }
//! ```
//!
//! - `case` is a pattern for the id of a case (which begins with the library's id in the registry); `*` stands for any
//!   characters, slashes too.
//! - `hello` replaces single fields of what the worker says of itself. It says that it can do everything, except loads.
//! - `costs`: the first rule whose pattern fits gives the cost of one iteration on a quiet machine: `ns` and
//!   `ns_per_byte` of a message or buffer; where there are two sides `client_ns` and `server_ns` (and `ns_per_byte` on
//!   each); `memory` bytes per idle connection. After the script's own rules come those of `default_costs.json`.
//! - `slowdowns` multiply the cost; all that fit do. `jitter` makes the factor differ from batch to batch. With `batches` only so many first batches of a case in a process, as of
//!   a virtual machine that compiles as it goes.
//! - `noise` makes the machine uneven, see [`format::Noise`]; without it every batch is exact. The machine's state moves on
//!   with every batch and every reading of the references, so the readings tell of the batches around them. One process is
//!   one machine: of several scripted libraries in a run only the one that is asked for the references matches them.
//! - `noise` may also have `"recording": "FILE"`, whose path begins at the script's folder: the disturbances of a real machine,
//!   on top of whatever else `noise` makes up. The file is one JSON object with `entries` in order of time, and `about` for
//!   people. An entry is a moment of that machine: what the latency and the throughput kernel took, in nanoseconds; by how many
//!   hundredths of a percent each part of the batch that came next took longer than undisturbed; and for how many of those the
//!   thread was kept from its core in each part, or nothing where it never was: `[31076, 27081, [3, -12, 30000, 165], [0, 0, 29000, 0]]`
//!   or `[31076, 27081, [3, -12, 0, 165], []]`. Parts are elapsed time, and the CPU time is what is left. Seed and sitting decide at which entry a process begins. Each reading of the
//!   references goes on by one entry, after the last to the first. The parts of a batch are those of the entry, from anywhere in
//!   it on, and of the following entries where it wants more than are left. A batch of which only the whole is told takes
//!   the mean of the entry's parts. `bench/record.py` makes recordings and says what it takes for undisturbed.
//! - `seed` starts the noise. The environment variable `TLSTAX_SITTING`, a number that the orchestrator counts up when it
//!   replaces the processes, is mixed into it: otherwise each new process would repeat the noise of the one before.
//!   Absent is 0, which leaves the seed as it is.
//! - `expand`: the suites that a whole cipher string chooses, after those of TLS 1.3 that the request names. Other strings are
//!   refused; without the field there are no cipher strings at all.
//! - `faults`: see [`format::Fault`] for what can go wrong. `at` is the request (`hello`, `prepare`, `run`, `usage`, `release`,
//!   `expand`, `reference`; `run` if absent) and `from` the first of them that goes wrong, counted from 1 for each case. The
//!   orchestrator runs a few trial batches before the first round, and they count.
//!
//! Its hello claims to be scripted: the orchestrator then takes the references' readings from here and not from the real
//! machine.

mod conversation;
mod costs;
mod fault;
mod format;
mod machine;
mod pattern;
mod proof;
mod recording;

pub use conversation::serve;
