//! Which loads tell the costs of a server apart best in the time given.

mod candidates;
mod choose;
mod prior;
mod scope;
mod usual;

pub use candidates::candidates;
pub use choose::{choose, unknowns};
pub use scope::{Scope, work_of};
pub use usual::usual;
