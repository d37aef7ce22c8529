//! What a workload says: how many connections there were of which kind, and what they carried when.

mod several;
mod view;

pub use several::workloads_side_by_side;
pub use view::workload_view;
