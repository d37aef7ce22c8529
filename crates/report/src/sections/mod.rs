//! The sections of a report, each in a file of its own: from facts to tables, charts and sentences.

pub(crate) mod bulk;
pub(crate) mod counts;
pub(crate) mod handshakes;
pub(crate) mod http2;
pub(crate) mod load;
pub(crate) mod machine;
pub(crate) mod post_quantum;
pub(crate) mod primitives;
pub(crate) mod public_keys;
pub(crate) mod published;
pub(crate) mod scaling;
pub(crate) mod server_handshakes;
pub(crate) mod setup;
pub(crate) mod small_server;
pub(crate) mod switches;
pub(crate) mod transfers;
pub(crate) mod wire;

pub use published::{Published, PublishedProblem};
