//! Which of the values of a sample is its CPU time.

use tlstax_doc::Unit;

use super::tables::{Tables, ValueType};

/// How a sample is weighed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weighing {
    /// Which value of a sample.
    index: usize,
    /// What one of it weighs.
    factor: u64,
    pub unit: Unit,
    /// Which value says how many samples it stands for.
    count: Option<usize>,
    /// Nanoseconds of CPU time from one sample to the next, where the profile says so.
    pub period_ns: Option<u64>,
}

/// What the values of a profile count, where none of it is CPU time: heap, locks, time on the clock.
#[derive(Debug, PartialEq, Eq)]
pub struct NoCpuTime(pub String);

impl Weighing {
    /// CPU time if the profile has it, else samples, in CPU time where it says how much each stands for.
    pub fn of(tables: &Tables<'_>) -> Result<Self, NoCpuTime> {
        let word = |of: &ValueType| (tables.text(of.kind), tables.text(of.unit));
        let period = word(&tables.period_type);
        let period_ns = (is_cpu(&period.0)).then(|| in_ns(&period.1)).flatten();
        let period_ns = period_ns.and_then(|ns| tables.period.checked_mul(ns)).filter(|ns| *ns > 0);
        let types: Vec<_> = tables.sample_types.iter().map(word).collect();
        let count = types.iter().position(|(kind, unit)| kind == "samples" && unit == "count");
        let cpu = types
            .iter()
            .enumerate()
            .find_map(|(at, (kind, unit))| Some((at, in_ns(unit)?)).filter(|_| is_cpu(kind)));
        if let Some((index, factor)) = cpu {
            return Ok(Self { index, factor, unit: Unit::Nanoseconds, count, period_ns });
        }
        let index = count.or_else(|| types.iter().position(|(kind, unit)| kind == "cpu" && unit == "count"));
        match (index, period_ns) {
            (Some(index), Some(factor)) => {
                Ok(Self { index, factor, unit: Unit::Nanoseconds, count: index.into(), period_ns })
            }
            (Some(index), None) if !is_of_time(&period.0) => {
                Ok(Self { index, factor: 1, unit: Unit::Samples, count: index.into(), period_ns })
            }
            _ => {
                let all: Vec<_> = types.iter().map(|(kind, unit)| format!("{kind} in {unit}")).collect();
                Err(NoCpuTime(all.join(", ")))
            }
        }
    }

    /// Weight and samples of one sample; none of what weighs less than nothing, as in the difference of two profiles.
    pub fn weigh(&self, values: &[u64]) -> Option<(u64, u64)> {
        let value = |index: usize| values.get(index).copied().filter(|value| i64::try_from(*value).is_ok());
        let samples = self.count.map_or(Some(1), value)?;
        Some((value(self.index)?.saturating_mul(self.factor), samples.max(1)))
    }
}

fn is_cpu(kind: &str) -> bool {
    matches!(kind, "cpu" | "process_cpu" | "on_cpu" | "itimer")
}

/// Time on the clock, which runs while a process sleeps.
fn is_of_time(kind: &str) -> bool {
    matches!(kind, "wall" | "space" | "contentions" | "delay" | "goroutine" | "off_cpu")
}

fn in_ns(unit: &str) -> Option<u64> {
    match unit {
        "nanoseconds" | "ns" => Some(1),
        "microseconds" | "us" => Some(1_000),
        "milliseconds" | "ms" => Some(1_000_000),
        "seconds" | "s" => Some(1_000_000_000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A profile with these sample types, and this period.
    fn weighing(
        types: &[(&'static str, &'static str)],
        period: (&'static str, &'static str, u64),
    ) -> Result<Weighing, NoCpuTime> {
        let mut tables = Tables { strings: vec![b""], ..Tables::default() };
        let mut value_type = |(kind, unit): (&'static str, &'static str)| {
            tables.strings.extend([kind.as_bytes(), unit.as_bytes()]);
            ValueType { kind: tables.strings.len() as u64 - 2, unit: tables.strings.len() as u64 - 1 }
        };
        let sample_types = types.iter().copied().map(&mut value_type).collect();
        let period_type = value_type((period.0, period.1));
        Weighing::of(&Tables { sample_types, period_type, period: period.2, ..tables })
    }

    #[test]
    fn cpu_time_is_taken_before_counts() {
        let go =
            weighing(&[("samples", "count"), ("cpu", "nanoseconds")], ("cpu", "nanoseconds", 10_000_000))
                .unwrap();
        assert_eq!((go.unit, go.weigh(&[3, 30_000_000])), (Unit::Nanoseconds, Some((30_000_000, 3))));
        let parca = weighing(&[("samples", "count")], ("cpu", "nanoseconds", 52_631_578)).unwrap();
        assert_eq!((parca.unit, parca.weigh(&[2])), (Unit::Nanoseconds, Some((105_263_156, 2))));
        let bare = weighing(&[("samples", "count")], ("", "", 0)).unwrap();
        assert_eq!((bare.unit, bare.weigh(&[2])), (Unit::Samples, Some((2, 2))));
    }

    #[test]
    fn what_has_no_cpu_time_is_refused_by_name() {
        let heap =
            weighing(&[("alloc_space", "bytes"), ("inuse_space", "bytes")], ("space", "bytes", 524_288));
        assert_eq!(heap, Err(NoCpuTime("alloc_space in bytes, inuse_space in bytes".to_owned())));
        assert!(
            weighing(&[("contentions", "count"), ("delay", "nanoseconds")], ("contentions", "count", 1))
                .is_err()
        );
    }

    #[test]
    fn less_than_nothing_has_no_weight() {
        let go = weighing(&[("cpu", "nanoseconds")], ("cpu", "nanoseconds", 1)).unwrap();
        assert_eq!(go.weigh(&[(-5_i64).cast_unsigned()]), None);
        assert_eq!(go.weigh(&[]), None);
    }
}
