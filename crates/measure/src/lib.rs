//! Every call to the operating system: clocks, CPU accounting, child processes, core pinning and facts about the host.
//!
//! Linux only. What belongs here reads or asks the kernel; what the figures mean is decided in the crates above.
//! `unsafe` appears only where a system call has no safe wrapper.

pub mod accounting;
pub mod cgroup;
pub mod clock;
pub mod command;
pub mod counter;
pub mod daemon;
pub mod folder;
pub mod host;
pub mod idle;
mod kernel_text;
pub mod limits;
pub mod listening;
pub mod lock;
pub mod loopback;
pub mod mark;
pub mod noise;
pub mod objects;
pub mod occupancy;
pub mod packets;
pub mod perf_event;
pub mod pin;
pub mod process;
pub mod program;
mod reap;
pub mod reference;
pub mod round_trip;
mod settle;
pub mod signal;
mod slab;
pub mod sockets;
mod tail;
pub mod throttle;
pub mod user;
