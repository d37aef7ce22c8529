//! Building libraries and their workers.
//!
//! A library from source is built once, in a cache outside of the tree (`cache`, `source`, `recipe`); a worker is built
//! against it with nothing else on its search paths (`worker`), passes the conformance suite (`conformance`), and only then
//! takes its place, with a record of how it came to be. Nothing half-built is ever found by anybody.

mod cache;
mod conformance;
mod error;
mod order;
mod prebuilt;
mod recipe;
mod record;
mod source;
mod step;
mod worker;

pub use cache::Cache;
pub use conformance::conformance;
pub use error::BuildError;
pub use order::Builder;
pub use prebuilt::is_unproven;
pub use record::record;
