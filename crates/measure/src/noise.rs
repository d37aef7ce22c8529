//! What other people's work on the machine does to ours: the time that the hypervisor has taken, and a probe.

use std::time::Duration;

use tlstax_spec::{Nanos, NoiseProbe, Spread};

use crate::accounting::preemptions_of_thread;
use crate::clock::monotonic;
use crate::kernel_text::text;
use crate::reference::{self, Reading};

/// Time since boot that the hypervisor gave to others while a logical CPU had work, in steps of a timer tick; none if
/// the kernel does not tell.
pub fn steal(cpu: usize) -> Option<Nanos> {
    parse_steal(&text("/proc/stat")?, cpu, rustix::param::clock_ticks_per_second())
}

/// Between two readings of the kernels the probe watches the clock for so long, to see gaps.
const WATCH: Nanos = Nanos(200_000);

/// A reading within this share of the best is quiet.
const QUIET: f64 = 0.02;

/// Runs the reference kernels and watches the clock for so long, on the core that the calling thread is pinned to; with the
/// readings in the order they were taken.
pub fn probe(duration: Duration) -> (NoiseProbe, Vec<Reading>) {
    let cpu = rustix::thread::sched_getcpu();
    let (begun, stolen, preempted) = (monotonic(), steal(cpu), preemptions_of_thread());
    let mut gap = Nanos(0);
    let mut readings = Vec::new();
    while {
        readings.push(reference::read());
        gap = gap.max(longest_gap());
        u128::from(monotonic().since(begun).0) < duration.as_nanos()
    } {}
    let elapsed = monotonic().since(begun);
    let of = |kernel: fn(&Reading) -> Nanos| spread(readings.iter().map(kernel).collect());
    let found = NoiseProbe {
        duration_ns: elapsed,
        readings: u32::try_from(readings.len()).unwrap_or(u32::MAX),
        latency: of(|reading| reading.latency),
        throughput: of(|reading| reading.throughput),
        steal: share(stolen, steal(cpu), elapsed),
        preemptions: preempted
            .zip(preemptions_of_thread())
            .map(|(before, after)| after.saturating_sub(before)),
        longest_gap_ns: gap,
    };
    (found, readings)
}

/// Stolen time as a share of the time between two readings: 0.01 is 1 %.
fn share(before: Option<Nanos>, after: Option<Nanos>, elapsed: Nanos) -> Option<f64> {
    let stolen = after?.since(before?);
    (elapsed.0 > 0).then(|| stolen.0 as f64 / elapsed.0 as f64)
}

/// The longest step of the clock while nothing else is done than reading it.
fn longest_gap() -> Nanos {
    let start = monotonic();
    let (mut last, mut gap) = (start, Nanos(0));
    while last.since(start) < WATCH {
        let now = monotonic();
        gap = gap.max(now.since(last));
        last = now;
    }
    gap
}

/// The readings, of which there is at least one, as percentiles of nearest rank.
fn spread(mut readings: Vec<Nanos>) -> Spread {
    readings.sort_unstable();
    let at = |percent: usize| readings[(readings.len() - 1) * percent / 100];
    let best = at(5);
    let limit = best.0 as f64 * (1.0 + QUIET);
    let quiet = readings.iter().filter(|reading| reading.0 as f64 <= limit).count();
    Spread { best_ns: best, median_ns: at(50), worst_ns: at(95), quiet: quiet as f64 / readings.len() as f64 }
}

/// The eighth column of a CPU's line in `/proc/stat`, in ticks: proc_stat(5).
fn parse_steal(stat: &str, cpu: usize, ticks_per_second: u64) -> Option<Nanos> {
    let name = format!("cpu{cpu}");
    let line = stat.lines().find(|line| line.split(' ').next() == Some(&name))?;
    let ticks: u64 = line.split_ascii_whitespace().nth(8)?.parse().ok()?;
    Some(Nanos(ticks * (1_000_000_000 / ticks_per_second.max(1))))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const STAT: &str = "\
cpu  67784 0 6579 364676 2238 0 263 1308 0 0
cpu1 31508 0 3025 185765 189 0 94 787 0 0
cpu11 36276 0 3553 178910 2048 0 168 521 0 0
ctxt 123456
";

    #[test]
    fn steal_is_that_of_the_one_cpu() {
        assert_eq!(parse_steal(STAT, 1, 100), Some(Nanos(7_870_000_000)));
        assert_eq!(parse_steal(STAT, 11, 100), Some(Nanos(5_210_000_000)));
        assert_eq!(parse_steal(STAT, 2, 100), None);
        assert_eq!(parse_steal("cpu0 1 2 3\n", 0, 100), None);
    }

    #[test]
    fn stolen_time_is_a_share() {
        let (before, after) = (Some(Nanos(100)), Some(Nanos(120)));
        assert_eq!(share(before, after, Nanos(2_000)), Some(0.01));
        assert_eq!(share(after, before, Nanos(2_000)), Some(0.0));
        assert_eq!((share(None, after, Nanos(2_000)), share(before, after, Nanos(0))), (None, None));
    }

    #[test]
    fn the_spread_is_that_of_the_readings() {
        let readings = (0..100).map(|number| Nanos(if number < 60 { 1000 } else { 1500 })).collect();
        let spread = spread(readings);
        assert_eq!(
            (spread.best_ns, spread.median_ns, spread.worst_ns),
            (Nanos(1000), Nanos(1000), Nanos(1500))
        );
        assert!((spread.quiet - 0.6).abs() < 1e-9);
    }

    #[test]
    fn a_probe_of_no_time_still_reads_once() {
        let (probe, readings) = probe(Duration::ZERO);
        assert_eq!(readings.len(), 1);
        assert_eq!(probe.readings, 1);
        assert!(probe.preemptions.is_some());
        assert!(probe.latency.best_ns > Nanos(0) && probe.longest_gap_ns > Nanos(0));
    }
}
