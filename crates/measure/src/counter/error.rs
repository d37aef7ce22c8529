//! Why instructions are not counted.

use std::io;

#[derive(Debug, thiserror::Error)]
pub enum CounterError {
    /// Neither is this process under callgrind, nor does the kernel give it a counter.
    #[error(
        "instructions cannot be counted: this process does not run under callgrind, and the kernel gives no counter ({0})"
    )]
    None(io::Error),
    /// The kernel has taken the counter away in the meantime, or did not schedule it all the time.
    #[error("the CPU's counter of instructions did not run all the time: something else counts on this core")]
    Preempted,
    #[error("the CPU's counter of instructions cannot be read: {0}")]
    Hardware(io::Error),
    #[error("callgrind's dump cannot be read: {0}")]
    Dump(String),
}
