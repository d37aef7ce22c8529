//! What a plan says: what a workload will cost a server, what changes would do, and what it takes of the machine.

mod amount;
mod basis;
mod changes;
mod kinds;
mod missing;
mod part;
mod picture;
mod pieces;
mod resources;
mod rows;
mod said;
mod slider;
mod view;

pub use view::plan_view;
