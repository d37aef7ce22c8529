//! A batch: how much of a case is run at once, and what came back.

use tlstax_spec::{Case, Nanos, Proof, Sample, Workload};

/// One batch, as measured from both sides of the bridge.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// The workers' own readings.
    pub sample: Sample,
    pub proof: Proof,
    /// An independent reading of the CPU time of the processes that took part: the scheduler's; of a load, their control
    /// groups'.
    pub observed: Option<Nanos>,
    /// The part of the server of a load in it.
    pub observed_server: Option<Nanos>,
}

/// What a byte of a file may be expected to take before any was sent, in nanoseconds. Limits are twenty times what is
/// expected: 10 MB in a second, of which 3DES does twice as much.
const UNSEEN_BYTE: u64 = 5;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Amount {
    /// Timed iterations, on each thread.
    pub iterations: u64,
    /// Untimed iterations before them.
    pub warmup: u64,
    /// The fewest iterations that make sense.
    pub least: u64,
    /// How many iterations make a part of the batch that is told by itself; 0: only the whole is told. A batch is made of
    /// whole parts.
    pub part: u64,
    /// Of a load whose requests are not alike a batch is made of whole cycles of so many, where it can hold one; else 0.
    pub cycle: u64,
    /// How long that should take, to know a hang from slowness.
    pub expected: Nanos,
}

impl Amount {
    /// One iteration, to see what it costs.
    pub const fn trial() -> Self {
        Self { iterations: 1, warmup: 0, least: 1, part: 0, cycle: 0, expected: Nanos(0) }
    }

    /// The same of this case: a large file takes its time.
    pub fn trial_of(case: &Case) -> Self {
        let bytes = if let Workload::Load(load) = &case.workload { load.body } else { 0 };
        Self { expected: Nanos(u64::from(bytes) * UNSEEN_BYTE), ..Self::trial() }
    }

    /// The same batch with this share of the iterations.
    pub fn shortened(self, share: f64) -> Self {
        let scaled = |number: u64| (number as f64 * share) as u64;
        Self {
            iterations: whole_parts(scaled(self.iterations).max(self.least), self.part.max(self.cycle)),
            warmup: scaled(self.warmup),
            expected: Nanos(scaled(self.expected.0)),
            ..self
        }
    }
}

/// So many iterations, brought down to whole parts; one part at the least.
pub(crate) fn whole_parts(iterations: u64, part: u64) -> u64 {
    match iterations.checked_div(part) {
        Some(parts) => parts.max(1).saturating_mul(part),
        None => iterations,
    }
}
