//! What two tlstax processes must agree on: the vocabulary of TLS, the [`Case`] to be measured, the [`Sample`]
//! and [`Proof`] that come back, and the wire codec that carries them.
//!
//! Pure: no clock, no file, no process, no crypto, and nothing else of ours is imported here.

mod algorithm;
mod case;
mod conditions;
mod conversion;
mod dimensions;
mod false_start;
mod flat;
mod host;
mod id;
pub mod known_answers;
mod limit;
mod named;
mod padding;
mod params;
mod proof;
mod sample;
mod stage;
mod suite_facts;
mod units;
mod vocabulary;
pub mod wire;
mod workload;

pub use algorithm::{Algorithm, Class, Op, Pattern};
pub use case::{FORM, PARTS, RESPONSE_HEADERS, UPLOAD};
pub use conditions::{Compression, Content, Contexts, Direction, Http, Page, Resumption, Sessions, Side};
pub use flat::{CaseError, FlatCase};
pub use host::{
    Cache, ClockPrecision, Clocks, Counters, CpuModel, Frequency, Host, NoiseProbe, SocketMemory, Spread,
    Topology, Virtualisation,
};
pub use id::{Id, InvalidId};
pub use limit::Limit;
pub use named::{Named, UnknownName};
pub use padding::{PADDING, padding_line, padding_value};
pub use params::Params;
pub use proof::{Mismatch, Proof, is_share};
pub use sample::{ClientCore, Cpu, FlatSample, Instructions, Parts, Sample};
pub use stage::Stage;
pub use suite_facts::{SuiteFacts, Weakness};
pub use units::{Bytes, Nanos};
pub use vocabulary::{Authentication, Group, Key, Method, Suite, Switch, Version};
pub use workload::{Bulk, Case, Handshake, Idle, Load, Primitive, Tuning, Workload};
