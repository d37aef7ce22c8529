//! What `perf record` writes, to a file or into a pipe. The form is told in tools/perf/Documentation/perf.data-file-format.txt of
//! Linux, that of records in perf_event_open(2).
//!
//! The crates for it (linux-perf-data, linux-perf-event-reader) allocate what a file claims, give nothing of one that was cut, keep a
//! whole recording without rounds in memory and do not hand out branch stacks, so the form is read here.

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
