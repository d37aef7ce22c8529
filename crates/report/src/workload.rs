//! What a workload says: how many connections there were of which kind, and what they carried when.

mod dimension;
mod handshakes;
mod kinds;
mod known;
mod per_connection;
mod rows;
mod said;
mod several;
mod sizes;
mod sources;
mod times;
mod totals;
mod view;

pub use several::workloads_side_by_side;
pub use view::workload_view;
