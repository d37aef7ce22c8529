//! The counters of the CPU, by perf_event_open(2): user space only, which needs the least permission of all.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;

use super::error::CounterError;
use crate::perf_event::{self, Attributes, HARDWARE, INSTRUCTIONS, Scope, flag};

/// PERF_FORMAT_TOTAL_TIME_ENABLED and _RUNNING: they differ where the counter was shared with others.
const TIMES: u64 = 1 | 1 << 1;

/// Opens a counter of the calling thread, which begins to count.
pub(crate) fn open(event: u64) -> io::Result<OwnedFd> {
    let attributes = Attributes {
        read_format: TIMES,
        flags: flag::PINNED | flag::EXCLUDE_KERNEL | flag::EXCLUDE_HYPERVISOR,
        ..Attributes::of(HARDWARE, event)
    };
    perf_event::open(&attributes, Scope::Ourselves, None)
}

#[derive(Debug)]
pub(super) struct Hardware {
    counter: File,
    last: u64,
}

impl Hardware {
    pub(super) fn start() -> Result<Self, CounterError> {
        let counter = open(INSTRUCTIONS).map_err(CounterError::None)?.into();
        let mut started = Self { counter, last: 0 };
        started.lap()?;
        Ok(started)
    }

    pub(super) fn lap(&mut self) -> Result<u64, CounterError> {
        let mut reading = [0; 24];
        match self.counter.read(&mut reading).map_err(CounterError::Hardware)? {
            // The end of the file: a pinned counter that found no room.
            0 => return Err(CounterError::Preempted),
            24 => {}
            _ => return Err(CounterError::Hardware(io::ErrorKind::UnexpectedEof.into())),
        }
        let [now, enabled, running] = split(reading);
        if running != enabled {
            return Err(CounterError::Preempted);
        }
        let lap = now.saturating_sub(self.last);
        self.last = now;
        Ok(lap)
    }
}

/// The value, and how long the counter was wanted and did count.
fn split(reading: [u8; 24]) -> [u64; 3] {
    let (numbers, _) = reading.as_chunks::<8>();
    [0, 1, 2].map(|at| u64::from_ne_bytes(numbers[at]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_is_three_numbers() {
        let mut reading = [0; 24];
        for (at, number) in [7_u64, 9, 11].into_iter().enumerate() {
            reading[at * 8..][..8].copy_from_slice(&number.to_ne_bytes());
        }
        assert_eq!(split(reading), [7, 9, 11]);
    }

    #[test]
    fn a_file_that_has_ended_is_no_counter() {
        let mut nothing = Hardware { counter: File::open("/dev/null").unwrap(), last: 0 };
        assert!(matches!(nothing.lap(), Err(CounterError::Preempted)));
    }
}
