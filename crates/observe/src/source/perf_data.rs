//! What `perf record` writes, to a file or into a pipe. The form is told in tools/perf/Documentation/perf.data-file-format.txt of
//! Linux, that of records in perf_event_open(2).
//!
//! The form is read here and not by linux-perf-data, which allocates what a file claims, gives nothing of one that was cut, and keeps
//! a recording without rounds in memory as a whole; nor are its samples by linux-perf-event-reader, which has no branch stacks.

mod attribute;
mod blocks;
mod build_ids;
mod event_records;
mod features;
mod fields;
mod header;
mod kernel;
mod layout;
mod opening;
mod queue;
mod reading;
mod records;
mod replay;
mod sample;
mod stacks;
mod telling;
mod unpacker;

pub use reading::read;
