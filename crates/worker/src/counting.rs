//! Counting the instructions of a batch where that was asked for.

use tlstax_measure::counter::{Counter, CounterError};
use tlstax_spec::Stage;

use crate::job::{Batch, JobError};

/// Refuses to count what several threads do: they wait for each other awake, and how long is chance.
pub(crate) fn check_countable(batch: Batch, threads: usize) -> Result<(), JobError> {
    match batch.count {
        Some(_) if threads > 1 => {
            Err(JobError::Unsupported("instructions are counted in one thread only".to_owned()))
        }
        _ => Ok(()),
    }
}

/// Begins to count, if the batch is to be counted.
pub(crate) fn start_if(batch: Batch) -> Result<Option<Counter>, JobError> {
    batch.count.map(|_| Counter::start().map_err(|error| failed(&error))).transpose()
}

/// Ends the counting; what could not be read is no count.
pub(crate) fn finish(counter: Option<Counter>) -> Result<(), JobError> {
    counter.map_or(Ok(()), |counter| counter.finish().map_err(|error| failed(&error)))
}

fn failed(error: &CounterError) -> JobError {
    JobError::failed(Stage::Run, error.to_string())
}
