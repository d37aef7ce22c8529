//! The machine of one run: at its best, from reading to reading, and what counts as quiet.

use crate::machine::Machine;
use crate::order::quantile;
use crate::reference::Reading;

/// How far a reading may lie above the best and still count as quiet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gate {
    /// The largest excess over the best, of either kernel, as a share: 0.02 is 2 %.
    pub width: f64,
    /// The share of the run that is quiet by this gate, 0 to 1.
    pub share: f64,
}

/// The machine at its own best in one run, and the gate that the run supports.
#[derive(Debug, Clone, PartialEq)]
pub struct Baseline {
    pub best: Reading,
    /// What counts as quiet; none where too little of the run was quiet at any width.
    pub gate: Option<Gate>,
    /// The machine from reading to reading; none where too few readings are alike.
    pub machine: Option<Machine>,
}

/// The share of readings that count as the best: not the bare minimum, which a clock boost of a moment can set.
const BEST_SHARE: f64 = 0.05;

/// Widths tried, from the tightest. An unsuitable one gave medians that spread by up to 6 %, so it is chosen per run.
const WIDTHS: [f64; 7] = [0.01, 0.015, 0.02, 0.03, 0.04, 0.06, 0.08];

/// The least share of a run that must be quiet, so that one lucky moment does not speak for all of it.
const MIN_SHARE: f64 = 0.15;

/// The least number of quiet brackets in a run.
const MIN_BRACKETS: usize = 6;

impl Baseline {
    /// The baseline of a run from all its readings in the order they were taken. None where there are none.
    pub fn of(readings: &[Reading]) -> Option<Self> {
        let valid: Vec<Reading> = readings.iter().copied().filter(Reading::is_valid).collect();
        let best_of =
            |kernel: fn(&Reading) -> f64| quantile(&valid.iter().map(kernel).collect::<Vec<_>>(), BEST_SHARE);
        let best = Reading { latency: best_of(|r| r.latency)?, throughput: best_of(|r| r.throughput)? };
        Some(Self { best, gate: choose_gate(&valid, best), machine: Machine::of(readings) })
    }

    /// Whether the machine was quiet between two readings. Never true without a gate.
    pub fn is_quiet(&self, before: Reading, after: Reading) -> bool {
        self.gate.is_some_and(|gate| excess(before, self.best).max(excess(after, self.best)) <= gate.width)
    }
}

/// The tightest width by which enough of the run is quiet, where quiet means that both of two successive readings
/// are.
fn choose_gate(readings: &[Reading], best: Reading) -> Option<Gate> {
    let brackets: Vec<f64> =
        readings.windows(2).map(|pair| excess(pair[0], best).max(excess(pair[1], best))).collect();
    WIDTHS.into_iter().find_map(|width| {
        let quiet = brackets.iter().filter(|&&excess| excess <= width).count();
        let share = quiet as f64 / brackets.len() as f64;
        (quiet >= MIN_BRACKETS && share >= MIN_SHARE).then_some(Gate { width, share })
    })
}

/// By what share the worse kernel of a reading lies above the best; infinite where nothing was read.
fn excess(reading: Reading, best: Reading) -> f64 {
    if !reading.is_valid() {
        return f64::INFINITY;
    }
    let relative = reading.relative_to(best);
    relative.latency.max(relative.throughput) - 1.0
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// A run of readings, each so many percent above the undisturbed ones.
    fn readings(excesses: impl IntoIterator<Item = f64>) -> Vec<Reading> {
        let reading =
            |percent: f64| Reading { latency: 100.0 + percent, throughput: 40.0 * (1.0 + percent / 100.0) };
        excesses.into_iter().map(reading).collect()
    }

    #[test]
    fn the_best_is_not_one_lucky_reading() {
        let mut run = readings([0.0; 99]);
        run.push(Reading { latency: 50.0, throughput: 20.0 });
        assert_eq!(Baseline::of(&run).unwrap().best, Reading { latency: 100.0, throughput: 40.0 });
    }

    #[test]
    fn the_gate_is_the_tightest_that_keeps_enough() {
        let half_at = |quiet: f64| {
            readings((0..100).map(|i| {
                if i < 10 {
                    0.0
                } else if i < 50 {
                    quiet
                } else {
                    30.0
                }
            }))
        };
        let width = |quiet| Baseline::of(&half_at(quiet)).unwrap().gate.map(|gate| gate.width);
        assert_eq!(width(0.5), Some(0.01));
        assert_eq!(width(1.7), Some(0.02));
        assert_eq!(width(5.0), Some(0.06));
        assert_eq!(width(20.0), None, "a tenth of the run is too little");
    }

    #[test]
    fn quiet_needs_both_readings_and_both_kernels() {
        let baseline = Baseline::of(&readings([0.0; 20])).unwrap();
        let quiet = baseline.best;
        let neighbour = Reading { throughput: 50.0, ..quiet };
        assert!(baseline.is_quiet(quiet, quiet));
        assert!(!baseline.is_quiet(quiet, neighbour));
        assert!(!baseline.is_quiet(neighbour, quiet));
        assert!(!baseline.is_quiet(quiet, Reading::default()));
    }

    #[test]
    fn no_readings_no_baseline() {
        assert_eq!(Baseline::of(&[]), None);
        assert_eq!(Baseline::of(&[Reading::default(); 10]), None);
        assert_eq!(Baseline::of(&[Reading { latency: f64::NAN, throughput: 1.0 }; 10]), None);
    }
}
