//! The ends of cases: workers of ours, servers and clients that people run, and servers that a user runs already.
//!
//! Read in this order: [`End`], the contract; [`Participant`], an end with its record of generations and losses; [`Pair`], the two
//! ends of a load.

mod client;
mod end;
mod external;
mod pair;
mod participant;
mod role;
mod server;
mod setup;
mod shares;
mod watched;
mod worker;

pub use end::Task;
pub use pair::Pair;
pub use participant::Participant;
pub use role::{Key, Role, keys};
pub use setup::Setup;
