//! perf_event_open(2): events that count, and events that take samples into a ring that the kernel shares with us.

mod attributes;
mod open;
mod permission;
mod refusal;
mod ring;
mod sampling;

pub use open::Scope;
pub use permission::{may_observe_all, paranoid};
pub use refusal::Refusal;
pub use ring::{Record, Ring};
pub use sampling::{Event, Sampling};

pub(crate) use attributes::{Attributes, CYCLES, HARDWARE, INSTRUCTIONS, flag};
pub(crate) use open::open;
