//! What other people's work on the machine does to ours: the kernel's counters, and a probe.

use std::fs;
use std::time::Duration;

use tlstax_spec::{Nanos, NoiseProbe, Spread};

use crate::accounting::{ContextSwitches, context_switches_of_thread};
use crate::clock::monotonic;
use crate::reference;

/// The kernel's counters of disturbance of one logical CPU. They only mean something as differences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoiseCounters {
    /// When they were read.
    pub at: Nanos,
    /// Time that the hypervisor gave to others while this CPU had work, in steps of a timer tick; none if not told.
    pub steal: Option<Nanos>,
    /// Switches between threads on all CPUs; the kernel keeps no number per CPU.
    pub context_switches: Option<u64>,
    /// Times that the core was slowed down because it was too hot; virtual machines do not tell.
    pub throttles: Option<u64>,
    /// The frequency at this moment in kHz, not a count; virtual machines do not tell.
    pub frequency_khz: Option<u64>,
}

/// What happened between two readings of [`NoiseCounters`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Disturbance {
    /// The time between them.
    pub elapsed: Nanos,
    /// Stolen time as a share of it: 0.01 is 1 %.
    pub steal: Option<f64>,
    /// Switches between threads on all CPUs.
    pub context_switches: Option<u64>,
    /// Times that the core was slowed down because it was too hot.
    pub throttles: Option<u64>,
}

impl NoiseCounters {
    /// Reads the counters of a logical CPU.
    pub fn read(cpu: usize) -> Self {
        let stat = fs::read_to_string("/proc/stat").unwrap_or_default();
        let of_cpu = |file| number_in(&format!("/sys/devices/system/cpu/cpu{cpu}/{file}"));
        Self {
            at: monotonic(),
            steal: parse_steal(&stat, cpu, rustix::param::clock_ticks_per_second()),
            context_switches: crate::kernel_text::number_after(&stat, "ctxt "),
            throttles: of_cpu("thermal_throttle/core_throttle_count"),
            frequency_khz: of_cpu("cpufreq/scaling_cur_freq"),
        }
    }

    /// What happened since an earlier reading.
    pub fn since(&self, earlier: &Self) -> Disturbance {
        let elapsed = self.at.since(earlier.at);
        let difference = |now: Option<u64>, then: Option<u64>| Some(now?.saturating_sub(then?));
        let steal = difference(self.steal.map(|steal| steal.0), earlier.steal.map(|steal| steal.0));
        Disturbance {
            elapsed,
            steal: steal.filter(|_| elapsed.0 > 0).map(|steal| steal as f64 / elapsed.0 as f64),
            context_switches: difference(self.context_switches, earlier.context_switches),
            throttles: difference(self.throttles, earlier.throttles),
        }
    }
}

/// Time since boot that the hypervisor gave to others while a logical CPU had work, in steps of a timer tick; none if
/// the kernel does not tell.
pub fn steal(cpu: usize) -> Option<Nanos> {
    NoiseCounters::read(cpu).steal
}

/// Between two readings of the kernels the probe watches the clock for so long, to see gaps.
const WATCH: Nanos = Nanos(200_000);

/// A reading within this share of the best is quiet.
const QUIET: f64 = 0.02;

/// Runs the reference kernels and watches the clock for so long, on the core that the calling thread is pinned to.
pub fn probe(duration: Duration) -> NoiseProbe {
    let cpu = rustix::thread::sched_getcpu();
    let before = NoiseCounters::read(cpu);
    let switches = context_switches_of_thread();
    let mut gap = Nanos(0);
    let (mut latency, mut throughput) = (Vec::new(), Vec::new());
    while {
        let reading = reference::read();
        latency.push(reading.latency);
        throughput.push(reading.throughput);
        gap = gap.max(longest_gap());
        u128::from(monotonic().since(before.at).0) < duration.as_nanos()
    } {}
    let disturbance = NoiseCounters::read(cpu).since(&before);
    NoiseProbe {
        duration_ns: disturbance.elapsed,
        readings: u32::try_from(latency.len()).unwrap_or(u32::MAX),
        latency: spread(latency),
        throughput: spread(throughput),
        steal: disturbance.steal,
        preemptions: preemptions(switches, context_switches_of_thread()),
        longest_gap_ns: gap,
    }
}

fn preemptions(before: Option<ContextSwitches>, after: Option<ContextSwitches>) -> Option<u64> {
    Some(after?.involuntary.saturating_sub(before?.involuntary))
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

fn number_in(path: &str) -> Option<u64> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
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
    fn differences_are_shares_and_counts() {
        let counters = |at, steal, switches| NoiseCounters {
            at: Nanos(at),
            steal: Some(Nanos(steal)),
            context_switches: Some(switches),
            throttles: None,
            frequency_khz: None,
        };
        let disturbance = counters(3_000, 120, 17).since(&counters(1_000, 100, 12));
        assert_eq!((disturbance.steal, disturbance.context_switches), (Some(0.01), Some(5)));
        assert_eq!(disturbance.throttles, None);
        assert_eq!(counters(1_000, 0, 0).since(&counters(1_000, 0, 0)).steal, None);
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
        let probe = probe(Duration::ZERO);
        assert_eq!(probe.readings, 1);
        assert!(probe.latency.best_ns > Nanos(0) && probe.longest_gap_ns > Nanos(0));
    }
}
