//! One count of a case, in a process of its own.

use tlstax_doc::Batch;
use tlstax_peers::Refused;
use tlstax_spec::{Case, Instructions, Proof, Stage};

use crate::batch::Amount;
use crate::pool::Pool;

/// Instructions in a batch: enough for what is random in some operations to average out, and done in seconds under callgrind.
const BATCH: u64 = 100_000_000;

/// The same of handshakes and bulk data, in which more is random: keys, signatures and their lengths, hashed maps.
const BATCH_OF_SIDES: u64 = 256_000_000;

/// No more iterations than this in a batch: by then what happens once a batch does not show.
const MOST_ITERATIONS: u64 = 1 << 14;

/// The same where there are sides: callgrind writes a file at each change of turn.
const MOST_ITERATIONS_OF_SIDES: u64 = 1 << 5;

/// One iteration in so many is run before those that are counted, beside the trial.
const WARMUP_SHARE: u64 = 8;

/// Counts one batch of a case in a new process. The first one of the case finds out how many iterations it has.
pub(super) fn count_once(
    pool: &mut Pool<'_>,
    slot: u32,
    case: &Case,
    iterations: &mut Option<u64>,
    slice: u32,
) -> Result<(Batch, Proof), Refused> {
    pool.prepare(slot, case)?;
    let trial = pool.run(slot, case, Amount { warmup: 1, ..Amount::trial() })?;
    let Some(counted) = trial.sample.instructions else {
        let reason = format!("the worker of {} does not count instructions", case.library);
        return Err(Refused::Unsupported(reason));
    };
    if counted.whole == 0 {
        return Err(Refused::failed(Stage::Run, "the worker says that a batch took no instruction"));
    }
    let iterations = *iterations.get_or_insert_with(|| fitting(&counted));
    let warmup = (iterations / WARMUP_SHARE).max(1);
    let measured = pool.run(slot, case, Amount { iterations, warmup, ..Amount::trial() })?;
    let batch = Batch { slice, sample: measured.sample, observed: measured.observed, observed_server: None };
    Ok((batch, measured.proof))
}

/// How many iterations make a batch: a power of two, so that two builds of a library have the same number in spite of a small
/// difference.
fn fitting(trial: &Instructions) -> u64 {
    let (batch, most) = match trial.client {
        Some(_) => (BATCH_OF_SIDES, MOST_ITERATIONS_OF_SIDES),
        None => (BATCH, MOST_ITERATIONS),
    };
    1 << (batch / trial.whole).clamp(1, most).ilog2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_is_a_power_of_two_of_iterations() {
        let whole = |whole| Instructions { whole, ..Instructions::default() };
        assert_eq!(fitting(&whole(1_000_000)), 64);
        assert_eq!(fitting(&whole(1_001_000)), 64);
        assert_eq!(fitting(&whole(3)), MOST_ITERATIONS);
        assert_eq!(fitting(&whole(u64::MAX)), 1);
        let sides = Instructions { whole: 9, client: Some(4), server: Some(5) };
        assert_eq!(fitting(&sides), MOST_ITERATIONS_OF_SIDES);
    }
}
