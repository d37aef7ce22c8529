//! A [`Counter`]: how many instructions a thread executes in user space, by the CPU's own counter or by callgrind.

mod callgrind;
mod error;
mod hardware;

use std::io;

pub use callgrind::DUMPS_VARIABLE;
pub use error::CounterError;
pub(crate) use hardware::open;

use callgrind::Callgrind;
use hardware::Hardware;

use crate::perf_event::INSTRUCTIONS;

/// Counts the instructions of the calling thread.
#[derive(Debug)]
pub struct Counter {
    source: Source,
    /// The first reading that failed: that is asked for at the end, so that taking a lap needs no decision.
    failure: Option<CounterError>,
}

#[derive(Debug)]
enum Source {
    Hardware(Hardware),
    Callgrind(Callgrind),
}

impl Counter {
    /// Begins to count.
    ///
    /// # Errors
    /// There is nothing to count with.
    pub fn start() -> Result<Self, CounterError> {
        let source = match callgrind::is_here() {
            true => Source::Callgrind(Callgrind::start()?),
            false => Source::Hardware(Hardware::start()?),
        };
        Ok(Self { source, failure: None })
    }

    /// Instructions since the start or the last lap, without those that the reading takes under callgrind; 0 where it fails.
    pub fn lap(&mut self) -> u64 {
        let lap = match &mut self.source {
            Source::Hardware(hardware) => hardware.lap(),
            Source::Callgrind(callgrind) => callgrind.lap(),
        };
        lap.unwrap_or_else(|error| {
            self.failure.get_or_insert(error);
            0
        })
    }

    /// Ends the counting.
    ///
    /// # Errors
    /// A lap could not be read.
    pub fn finish(self) -> Result<(), CounterError> {
        self.failure.map_or(Ok(()), Err)
    }
}

/// Whether the kernel gives us the CPU's counter of instructions; the error says why not.
///
/// # Errors
/// The CPU has none, the hypervisor hides it, or this user may not use it.
pub fn hardware() -> io::Result<()> {
    open(INSTRUCTIONS).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(times: u64) -> u64 {
        (0..times).fold(1, |chain, step| std::hint::black_box(chain * 3 + step))
    }

    #[test]
    fn more_work_is_more_instructions_where_there_is_a_counter_and_a_reason_where_there_is_none() {
        match (Counter::start(), hardware()) {
            (Ok(mut counter), Ok(())) => {
                std::hint::black_box(work(1000));
                let few = counter.lap();
                std::hint::black_box(work(100_000));
                let many = counter.lap();
                counter.finish().unwrap();
                assert!(few >= 1000 && many > 50 * few, "{few} {many}");
            }
            (Err(error), Err(reason)) => {
                let text = error.to_string();
                assert!(text.contains("callgrind") && text.contains(&reason.to_string()), "{text}");
            }
            (started, there) => panic!("{started:?} although {there:?}"),
        }
    }
}
