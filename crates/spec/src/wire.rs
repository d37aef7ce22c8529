//! The bridge between the orchestrator and a worker: one flat JSON object per line, on the worker's standard input
//! and output. docs/protocol.md is the text for those who write a worker by hand.
//!
//! Every answer to a request about a case carries the request's `slot`, so that an answer for another case is seen.

mod claims;
mod codec;
mod message;
mod sight;
mod target;

pub use claims::members;
pub use codec::WireError;
pub use message::{Answer, Count, Hello, OLDEST_PROTOCOL, PROTOCOL, Request, Usage};
pub use sight::Sight;
pub use target::Target;
