//! `profile.proto` of pprof, which Go, Parca and Pyroscope write: <https://github.com/google/pprof/blob/main/proto/profile.proto>.

mod labels;
mod reading;
mod stacks;
mod tables;
mod values;
mod wire;

pub use reading::{is_pprof, read};
