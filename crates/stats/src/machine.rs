//! What the reference kernels tell of the machine from reading to reading: its clock, and whether somebody disturbs it.
//!
//! A change of the core's clock slows both kernels alike, so their ratio does not know of it. A neighbour on the sibling
//! hardware thread slows the one that is bound by throughput, and the ratio shows him: on the machine where this was tried
//! its undisturbed readings lay within 0.4 %, while the clock went up and down by 4 % within seconds.

use crate::mode::{WINDOW, lower_mode};
use crate::order::{median, quantile};
use crate::reference::Reading;

/// By how much the ratio of the kernels may differ from its lower mode while nobody disturbs the machine.
const BALANCED: f64 = 0.01;

/// By how much the latency kernel of an undisturbed reading may lie above the usual one: clocks move less, interruptions do
/// not.
const CLOCK_RANGE: f64 = 0.15;

/// The share that undisturbed readings must have of the fullest window, to be taken for a mode.
const MODE_SHARE: f64 = 0.15;

/// An undisturbed machine shows as a mode that has this many times the readings that a window has on average up to the ninth
/// decile: where a neighbour never leaves, all windows have about the same.
const MODE_PROMINENCE: f64 = 1.5;

/// Into so many blocks a run is divided to see how its clock wanders.
const BLOCKS: usize = 8;

/// A mode of the readings has at least so many of them.
const MODE_READINGS: usize = 6;

/// The machine over a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Machine {
    /// What the latency kernel takes at the usual clock of the run while nobody disturbs it, in nanoseconds: the median of the
    /// undisturbed readings.
    pub clock: f64,
    /// The throughput kernel's time as a multiple of the latency kernel's while nobody disturbs either. It belongs to the CPU:
    /// two runs on one machine that differ in it were not both undisturbed.
    pub balance: f64,
    /// How far the usual clock of another run may lie from this one's, as a part of it, in 95 of 100 runs.
    pub wander: f64,
    /// The share of readings that are undisturbed, 0 to 1.
    pub undisturbed: f64,
    /// The balance of the usual disturbed reading, as a multiple of the undisturbed one: what work that fills the core costs then.
    pub neighbour: f64,
    moments: Vec<Moment>,
}

/// The machine at one reading.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Moment {
    /// How long a clock cycle takes, as a multiple of the usual; where the reading is disturbed, as the nearest ones that are not
    /// say.
    cycle: f64,
    undisturbed: bool,
}

/// The machine while a batch ran, between two readings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct During {
    /// How long a clock cycle took, as a multiple of the usual.
    pub cycle: f64,
    /// Whether both readings were undisturbed. Between them somebody may still have come and gone.
    pub undisturbed: bool,
}

impl Machine {
    /// From all readings of a run in the order they were taken; invalid ones are disturbed. None where too few are alike.
    pub fn of(readings: &[Reading]) -> Option<Self> {
        let ratio = |reading: &Reading| reading.throughput / reading.latency;
        let valid = || readings.iter().filter(|reading| reading.is_valid());
        let ratios: Vec<f64> = valid().map(ratio).collect();
        let balance = lower_mode(&ratios, WINDOW, MODE_SHARE, MODE_READINGS)
            .filter(|mode| is_prominent(*mode, &ratios))?;
        let is_balanced = |reading: &&Reading| (ratio(reading) / balance - 1.0).abs() <= BALANCED;
        let latencies = valid().filter(is_balanced).map(|reading| reading.latency).collect::<Vec<_>>();
        let clock = median(&latencies)?;
        let undisturbed = |reading: &Reading| is_undisturbed(*reading, balance, clock);
        let cycles: Vec<Option<f64>> =
            readings.iter().map(|reading| undisturbed(reading).then_some(reading.latency / clock)).collect();
        let share = cycles.iter().flatten().count() as f64 / readings.len() as f64;
        let beside: Vec<f64> =
            ratios.iter().map(|ratio| ratio / balance).filter(|ratio| *ratio > 1.0 + BALANCED).collect();
        Some(Self {
            clock,
            balance,
            wander: wander(&cycles),
            undisturbed: share,
            neighbour: median(&beside).unwrap_or(1.0),
            moments: moments(&cycles),
        })
    }

    /// Whether nobody disturbed a reading of this run.
    pub fn is_undisturbed(&self, reading: Reading) -> bool {
        is_undisturbed(reading, self.balance, self.clock)
    }

    /// The machine between a reading and the next one; as usual and disturbed where either is missing.
    pub(crate) fn during(&self, reading: usize) -> During {
        let unknown = Moment { cycle: 1.0, undisturbed: false };
        let at = |index: usize| self.moments.get(index).copied().unwrap_or(unknown);
        let (before, after) = (at(reading), at(reading + 1));
        During {
            cycle: f64::midpoint(before.cycle, after.cycle),
            undisturbed: before.undisturbed && after.undisturbed,
        }
    }
}

fn is_undisturbed(reading: Reading, balance: f64, clock: f64) -> bool {
    reading.is_valid()
        && (reading.throughput / reading.latency / balance - 1.0).abs() <= BALANCED
        && reading.latency <= clock * (1.0 + CLOCK_RANGE)
}

/// What the clock did from block to block of the run, it does from run to run: over nineteen runs of half a minute the usual clocks
/// differed by 0.8 % (standard deviation), and blocks of one run by 0.3 to 0.8 %. Twice their standard deviation, as of a mean of
/// independent values.
fn wander(cycles: &[Option<f64>]) -> f64 {
    let length = cycles.len().div_ceil(BLOCKS).max(1);
    let of_block = |block: &[Option<f64>]| median(&block.iter().flatten().copied().collect::<Vec<_>>());
    let usual: Vec<f64> = cycles.chunks(length).filter_map(of_block).collect();
    let count = usual.len() as f64;
    if count < 2.0 {
        return 0.0;
    }
    let mean = usual.iter().sum::<f64>() / count;
    2.0 * (usual.iter().map(|cycle| (cycle - mean).powi(2)).sum::<f64>() / (count - 1.0)).sqrt()
}

/// Whether so many ratios lie about the mode that it is no place like any other.
fn is_prominent(mode: f64, ratios: &[f64]) -> bool {
    let about = ratios.iter().filter(|ratio| (*ratio / mode - 1.0).abs() <= BALANCED).count() as f64;
    let windows = quantile(ratios, 0.9).map_or(1.0, |most| (most / mode).ln() / (2.0 * BALANCED));
    about >= MODE_PROMINENCE * 0.9 * ratios.len() as f64 / windows.max(1.0) || windows <= 1.0
}

/// Fills the gaps: the cycle of a disturbed reading is the mean of those of the nearest undisturbed ones on either side.
fn moments(cycles: &[Option<f64>]) -> Vec<Moment> {
    let before = carried(cycles.iter());
    let mut after = carried(cycles.iter().rev());
    after.reverse();
    let fill = |(before, after): (Option<f64>, Option<f64>)| match (before, after) {
        (Some(before), Some(after)) => f64::midpoint(before, after),
        (one, other) => one.or(other).unwrap_or(1.0),
    };
    let nearest = before.into_iter().zip(after);
    cycles
        .iter()
        .zip(nearest)
        .map(|(cycle, near)| Moment {
            cycle: cycle.unwrap_or_else(|| fill(near)),
            undisturbed: cycle.is_some(),
        })
        .collect()
}

/// For each place the last value that is there.
fn carried<'c>(cycles: impl Iterator<Item = &'c Option<f64>>) -> Vec<Option<f64>> {
    cycles
        .scan(None, |last, cycle| {
            *last = cycle.or(*last);
            Some(*last)
        })
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn reading(clock: f64, neighbour: f64) -> Reading {
        Reading {
            latency: 100.0 * clock * (1.0 + (neighbour - 1.0) / 10.0),
            throughput: 80.0 * clock * neighbour,
        }
    }

    #[test]
    fn a_change_of_the_clock_is_no_disturbance() {
        let readings: Vec<Reading> = (0..100).map(|i| reading(1.0 + 0.0004 * f64::from(i), 1.0)).collect();
        let machine = Machine::of(&readings).unwrap();
        assert_eq!(machine.undisturbed, 1.0);
        // Eight blocks from 2 % below to 2 % above the middle.
        assert!((0.02..0.03).contains(&machine.wander), "{}", machine.wander);
        assert!((machine.balance - 0.8).abs() < 1e-6);
        let (first, last) = (machine.during(0), machine.during(98));
        assert!(first.undisturbed && (last.cycle / first.cycle - 1.039).abs() < 0.001);
    }

    #[test]
    fn a_neighbour_is_seen_and_the_clock_is_read_beside_him() {
        let busy = |i: u32| if i.is_multiple_of(10) { 1.0 } else { 1.2 + f64::from(i % 7) / 20.0 };
        let readings: Vec<Reading> = (0..200).map(|i| reading(1.02, busy(i))).collect();
        let machine = Machine::of(&readings).unwrap();
        assert!((machine.undisturbed - 0.1).abs() < 0.01 && (machine.clock - 102.0).abs() < 0.01);
        assert!(machine.wander < 1e-9 && (1.2..1.5).contains(&machine.neighbour), "{machine:?}");
        let during = machine.during(4);
        assert!(!during.undisturbed && (during.cycle - 1.0).abs() < 1e-9);
    }

    #[test]
    fn without_readings_nothing_is_known() {
        assert_eq!(Machine::of(&[]), None);
        assert_eq!(Machine::of(&[Reading::default(); 20]), None);
        let machine = Machine::of(&[reading(1.0, 1.0); 20]).unwrap();
        assert_eq!(machine.during(19), During { cycle: 1.0, undisturbed: false });
    }
}
