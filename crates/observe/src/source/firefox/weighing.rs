//! What samples weigh: CPU time where the recorder measured it.

use tlstax_doc::Unit;

use super::document::{Document, Samples};

/// No sample weighs more, 2^53: what a number of JSON holds exactly.
const MOST: f64 = 9_007_199_254_740_992.0;

/// What samples weigh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Weighing {
    /// CPU time since the sample before, and what one of it is.
    Cpu { unit: Unit, factor: f64 },
    /// Samples alike.
    Samples,
}

/// What weights count that are no CPU time.
#[derive(Debug, PartialEq, Eq)]
pub struct NoCpuTime(pub String);

impl Weighing {
    pub fn of(document: &Document) -> Result<Self, NoCpuTime> {
        let has_cpu = document.threads.iter().any(|thread| thread.samples.thread_cpu_delta.is_some());
        let unit = document.meta.sample_units.as_ref().and_then(|units| units.thread_cpu_delta.as_deref());
        match unit.filter(|_| has_cpu) {
            Some("ns") => return Ok(Self::Cpu { unit: Unit::Nanoseconds, factor: 1.0 }),
            Some("µs" | "us") => return Ok(Self::Cpu { unit: Unit::Nanoseconds, factor: 1e3 }),
            Some("ms") => return Ok(Self::Cpu { unit: Unit::Nanoseconds, factor: 1e6 }),
            Some("variable CPU cycles") => return Ok(Self::Cpu { unit: Unit::Cycles, factor: 1.0 }),
            _ => {}
        }
        let types = || document.threads.iter().filter_map(|thread| thread.samples.weight_type.as_deref());
        match types().find(|kind| *kind != "samples") {
            Some(other) => Err(NoCpuTime(other.to_owned())),
            None => Ok(Self::Samples),
        }
    }

    pub const fn unit(self) -> Unit {
        match self {
            Self::Cpu { unit, .. } => unit,
            Self::Samples => Unit::Samples,
        }
    }

    /// The weight of a sample and how many it stands for.
    pub fn weigh(self, samples: &Samples, index: usize) -> (u64, u64) {
        let at = |column: &Option<Vec<Option<f64>>>| {
            column.as_ref().map(|column| column.get(index).copied().flatten())
        };
        match self {
            Self::Cpu { factor, .. } => {
                (whole(at(&samples.thread_cpu_delta).flatten().unwrap_or(0.0) * factor), 1)
            }
            Self::Samples => {
                let weight = at(&samples.weight).map_or(1, |weight| whole(weight.unwrap_or(0.0)));
                (weight, weight)
            }
        }
    }
}

/// Rounded; 0 of what is no number or less than nothing.
pub fn whole(number: f64) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is asked for")]
    if (0.0..=MOST).contains(&number) { number.round() as u64 } else { 0 }
}
