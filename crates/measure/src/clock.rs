//! The only place that reads a clock.

use rustix::time::{ClockId, clock_gettime};
use tlstax_spec::{ClockPrecision, Clocks, Cpu, Nanos};

/// Time since an arbitrary start, never set back: `CLOCK_MONOTONIC`.
pub fn monotonic() -> Nanos {
    read(ClockId::Monotonic)
}

/// Seconds since 1970 in UTC, 0 before. For labels only: it can be set back.
#[expect(clippy::disallowed_methods, reason = "the one place that reads the wall clock")]
pub fn wall() -> u64 {
    std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_secs()
}

/// CPU time of the calling thread, user and system: `CLOCK_THREAD_CPUTIME_ID`, the scheduler's nanosecond clock.
pub fn thread_cpu() -> Nanos {
    read(ClockId::ThreadCPUTime)
}

/// CPU time of all threads of this process, ended ones included: `CLOCK_PROCESS_CPUTIME_ID`.
pub fn process_cpu() -> Nanos {
    read(ClockId::ProcessCPUTime)
}

/// CPU time of the calling thread since its start, split in the proportion that getrusage(2) gives, so that the parts always
/// add up to the total.
pub fn thread_usage() -> Cpu {
    let total = thread_cpu();
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the pointer is valid for one rusage, which getrusage fills; all-zero is a valid rusage in any case.
    let (status, usage) =
        unsafe { (libc::getrusage(libc::RUSAGE_THREAD, usage.as_mut_ptr()), usage.assume_init()) };
    match status {
        0 => in_proportion(total, micros(&usage)),
        _ => Cpu { total, ..Cpu::default() },
    }
}

/// The shortest interval for which [`usage_between`] tells user from system time.
///
/// Most kernels attribute whole timer ticks (CONFIG_TICK_CPU_ACCOUNTING, 4 ms at 250 Hz). A share that comes from `n`
/// ticks has a standard error of up to `0.5 / sqrt(n)`: 10 % at 25 ticks, which is what 100 ms give.
pub const SPLIT_MINIMUM: Nanos = Nanos::from_millis(100);

/// The CPU time between two readings of the same thread or process, split only where [`SPLIT_MINIMUM`] allows.
pub fn usage_between(before: Cpu, after: Cpu) -> Cpu {
    let total = after.total.since(before.total);
    let Some((user_before, user_after)) = before.user.zip(after.user).filter(|_| total >= SPLIT_MINIMUM)
    else {
        return Cpu { total, ..Cpu::default() };
    };
    // Each reading was scaled on its own, so the difference could exceed the total by the scaling's rounding.
    let user = user_after.since(user_before).min(total);
    Cpu { total, user: Some(user), system: Some(total.since(user)) }
}

/// Measures the precision of both clocks that time batches, [`monotonic`] and [`thread_cpu`], here and now; takes a few milliseconds.
pub fn precision() -> Clocks {
    Clocks { monotonic: precision_of(monotonic), thread_cpu: precision_of(thread_cpu) }
}

fn read(clock: ClockId) -> Nanos {
    let time = clock_gettime(clock);
    // Both parts are never negative for these clocks.
    Nanos(time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64)
}

/// User and system time, in microseconds.
pub(crate) fn micros(usage: &libc::rusage) -> (u64, u64) {
    let micros = |time: libc::timeval| time.tv_sec as u64 * 1_000_000 + time.tv_usec as u64;
    (micros(usage.ru_utime), micros(usage.ru_stime))
}

/// Splits `total` as `user : system`; without any of both, all is unknown.
pub(crate) fn in_proportion(total: Nanos, (user, system): (u64, u64)) -> Cpu {
    let sum = u128::from(user) + u128::from(system);
    if sum == 0 {
        return Cpu { total, ..Cpu::default() };
    }
    // At most `total`, hence within u64.
    let user = Nanos((u128::from(total.0) * u128::from(user) / sum) as u64);
    Cpu { total, user: Some(user), system: Some(total.since(user)) }
}

fn precision_of(clock: fn() -> Nanos) -> ClockPrecision {
    const RUNS: usize = 20;
    const READINGS: u64 = 200;

    let mut resolution = u64::MAX;
    let mut call = u64::MAX;
    for _ in 0..RUNS {
        let start = monotonic();
        let mut last = clock();
        for _ in 0..READINGS {
            let now = clock();
            let step = now.since(last).0;
            if step > 0 {
                resolution = resolution.min(step);
            }
            last = now;
        }
        call = call.min(monotonic().since(start).0.div_ceil(READINGS));
    }
    ClockPrecision { resolution_ns: Nanos(resolution), call_ns: Nanos(call) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_never_go_back() {
        for clock in [monotonic, thread_cpu, process_cpu] {
            let mut last = clock();
            for _ in 0..1000 {
                let now = clock();
                assert!(now >= last);
                last = now;
            }
        }
    }

    #[test]
    fn the_wall_clock_is_past_2024() {
        assert!(wall() > 1_704_067_200);
    }

    #[test]
    fn parts_add_up_to_the_total() {
        let usage = thread_usage();
        if let (Some(user), Some(system)) = (usage.user, usage.system) {
            assert_eq!(user + system, usage.total);
        }
        let cpu = in_proportion(Nanos(1001), (2, 1));
        assert_eq!((cpu.user, cpu.system), (Some(Nanos(667)), Some(Nanos(334))));
        assert_eq!(in_proportion(Nanos(5), (0, 0)).user, None);
    }

    #[test]
    fn short_intervals_are_not_split() {
        let cpu = |total, user| Cpu {
            total: Nanos(total),
            user: Some(Nanos(user)),
            system: Some(Nanos(total - user)),
        };
        assert_eq!(usage_between(cpu(0, 0), cpu(5_000_000, 4_000_000)).user, None);
        let long = usage_between(cpu(1_000, 500), cpu(200_001_000, 150_000_500));
        assert_eq!((long.user, long.system), (Some(Nanos(150_000_000)), Some(Nanos(50_000_000))));
    }

    #[test]
    fn both_clocks_have_a_precision() {
        let precision = precision();
        for clock in [precision.monotonic, precision.thread_cpu] {
            assert!(clock.resolution_ns.0 > 0 && clock.resolution_ns.0 < u64::MAX);
            assert!(clock.call_ns.0 > 0);
        }
    }
}
