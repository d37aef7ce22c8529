//! The document *workload*: what servers were really asked for, as `tlstax traffic` counts it.

mod document;
mod kind;
mod merge;
mod series;
mod sketch;
mod source;
mod store;

pub use document::{WORKLOAD_VERSION, Workload};
pub use kind::{Counts, HttpVersion, Kind, Protocol, Resumed, Share, Total};
pub use merge::merge_workloads;
pub use series::{Bucket, MOST_BUCKETS, Series};
pub use sketch::Sketch;
pub use source::{Bad, PassedOver, Source, Tell};
pub use store::{parse_workload, read_workload, write_workload};
