//! Findings: from facts to advice.

use tlstax_doc::{Library, Note, Results, Severity, Slice, Summaries, is_throttled, unthrottled};
use tlstax_measure::pin::Cores;
use tlstax_spec::Host;
use tlstax_stats::Reading;

use super::acceleration::Acceleration;

/// Below this share of undisturbed readings the undisturbed cost of a case may not be seen.
const FEW_UNDISTURBED: f64 = 0.1;

/// A machine that was never quiet in so large a part of a run, and mostly quiet in the rest, is another one since.
const MUCH_OF_A_RUN: f64 = 0.25;

/// Above this share of steal the hypervisor decides the figures.
const MUCH_STEAL: f64 = 0.01;

/// What is to be said of the machine and the libraries before anything is measured.
pub fn of_run(host: &Host, libraries: &[Library], cores: Cores) -> Vec<Note> {
    let mut notes = of_host(host, cores);
    notes.extend(libraries.iter().flat_map(of_library));
    notes
}

fn of_host(host: &Host, cores: Cores) -> Vec<Note> {
    let mut notes = Vec::new();
    if host.virtualisation.present == Some(true) {
        let hypervisor = host.virtualisation.hypervisor.as_deref().unwrap_or("an unnamed hypervisor");
        notes.push(info(
            format!("this is a virtual machine ({hypervisor}): neighbours that it cannot see share its cores"),
            "compare figures of one run only; across runs use `tlstax compare`, which knows when it cannot tell",
        ));
    }
    if let Some(governor) = host.frequency.governor.as_deref().filter(|governor| *governor != "performance") {
        notes.push(warning(
            format!("the CPU frequency governor is {governor}: the clock rises and falls with the load"),
            "cpupower frequency-set --governor performance",
        ));
    }
    let masked = of_mask(host);
    if cores.client == cores.measure && masked.is_none() {
        notes.push(warning(
            "there is one core only: client and server of a load take turns on it".to_owned(),
            "for loads, use a machine with two cores; figures in memory are not touched by this",
        ));
    }
    if cores.client != cores.measure && cores.shared == Some(true) {
        notes.push(warning(
            format!("cores {} and {} are two threads of one physical core", cores.measure, cores.client),
            "allow tlstax more cores, or switch SMT off: echo off > /sys/devices/system/cpu/smt/control",
        ));
    }
    notes.extend(masked);
    if host.counters.cycles == Some(false) {
        notes.push(info(
            match host.counters.errno {
                Some(1 | 13) => "hardware counters are there, but not for this user".to_owned(),
                _ => "this machine has no hardware counters: no cycles, no instructions".to_owned(),
            },
            match host.counters.errno {
                Some(1 | 13) => "sysctl kernel.perf_event_paranoid=1",
                _ => "",
            },
        ));
    }
    if host.cpu_quota.is_some_and(|cpus| cpus < 2.0) {
        notes.push(warning(
            format!("a control group limits this process to {:.1} CPUs", host.cpu_quota.unwrap_or_default()),
            "raise the limit to two CPUs at least: throttling looks like slowness",
        ));
    }
    notes
}

/// CPUs that are there, and not for us.
fn of_mask(host: &Host) -> Option<Note> {
    let (all, allowed) = (host.topology.threads?, host.allowed.threads?);
    let remedy = "allow more of them: taskset --cpu-list, or cpuset.cpus of the control group";
    match allowed {
        1 if all > 1 => Some(warning(
            format!(
                "the affinity mask allows one of the {all} CPUs: threads, and client and server of a load, take turns on it"
            ),
            remedy,
        )),
        _ => (allowed < all).then(|| {
            info(
                format!("the affinity mask allows {allowed} of the {all} CPUs: more threads take turns"),
                remedy,
            )
        }),
    }
}

fn of_library(library: &Library) -> Vec<Note> {
    if let Some(why) = &library.unavailable {
        return vec![warning(format!("library {} takes no part: {why}", library.id), "")];
    }
    let version = library.hello.as_ref().map(|hello| hello.version.as_str()).unwrap_or_default();
    if version.starts_with("OpenSSL 3.0.") {
        return vec![info(
            format!(
                "{} is {version}: its locks make handshakes in many threads slower than in few",
                library.id
            ),
            "figures for one thread are not touched; for busy multi-threaded servers measure 3.5 or newer beside it",
        )];
    }
    Vec::new()
}

/// What a quick look at a library's speed says.
pub fn of_acceleration(host: &Host, acceleration: &Acceleration) -> Option<Note> {
    let has_aes = host.features.iter().any(|feature| feature == "aes");
    acceleration.lacks_aes(has_aes).then(|| {
        warning(
            format!(
                "{} does AES-128-GCM at {:.0} MB/s and ChaCha20-Poly1305 at {:.0}: it does not use the CPU's AES \
                 instructions",
                acceleration.library,
                acceleration.aes_gcm.unwrap_or_default(),
                acceleration.chacha20.unwrap_or_default(),
            ),
            "look for a capability mask (OPENSSL_ia32cap) in the environment, or a build without assembly",
        )
    })
}

/// What is to be said when the last round is over.
pub fn of_rounds(results: &Results) -> Vec<Note> {
    let mut notes = Vec::new();
    if !results.measurements.iter().any(|measurement| measurement.proof().is_some()) {
        // There are no figures that the machine could have spoilt, and few readings that would show it.
        return notes;
    }
    let machine = Summaries::of(results).baseline().map(|baseline| baseline.machine.clone());
    match machine {
        Some(None) => notes.push(problem(
            "the machine was never quiet: figures are corrected by the reference kernels, or missing"
                .to_owned(),
            "run again when the machine, and its neighbours, do less",
        )),
        Some(Some(machine)) if machine.undisturbed < FEW_UNDISTURBED => notes.push(warning(
            format!("the machine was undisturbed for {:.0} % of the run only", machine.undisturbed * 100.0),
            "run again when the machine does less, or give more time with --budget",
        )),
        _ => {}
    }
    notes.extend(of_change(results));
    let lasted_ms = results.slices.last().map_or(0, |slice| slice.at_ms);
    let stolen_ms = results.slices.iter().map(|slice| slice.steal_ns.0).sum::<u64>() as f64 / 1e6;
    if lasted_ms > 0 && stolen_ms / lasted_ms as f64 > MUCH_STEAL {
        notes.push(warning(
            format!(
                "the hypervisor took {:.1} % of the measuring core",
                100.0 * stolen_ms / lasted_ms as f64
            ),
            "use a machine whose cores are not shared, or run again at another hour",
        ));
    }
    notes.extend(of_quota(results));
    notes
}

/// What a CPU quota has kept from running, and what became of it.
fn of_quota(results: &Results) -> Option<Note> {
    let stopped_ms = results.slices.iter().map(|slice| slice.throttled_ns.0).sum::<u64>() / 1_000_000;
    let (mut all, mut left_out, mut kept) = (0, 0, 0);
    for measurement in &results.measurements {
        let batches = measurement.batches();
        let out = batches.len() - unthrottled(batches, &results.slices).len();
        let throttled = batches.iter().filter(|batch| is_throttled(batch, &results.slices)).count();
        all += batches.len();
        left_out += out;
        kept += usize::from(throttled > out);
    }
    if left_out == 0 && kept == 0 {
        return None;
    }
    let mut what = format!(
        "a CPU quota stopped the run for {stopped_ms} ms, summed over CPUs: {left_out} of {all} batches are left out"
    );
    if kept > 0 {
        what += &format!("; {kept} cases have too few others, so that their figures contain it");
    }
    Some(warning(
        what,
        "measure without a quota (CPUQuota, cpu.max, docker run --cpus, limits of a pod), or give more time with --budget",
    ))
}

/// A machine that was quiet in one part of a run and never before or after it: its figures are those of that part.
fn of_change(results: &Results) -> Option<Note> {
    let summaries = Summaries::of(results);
    let baseline = summaries.baseline()?;
    let is_quiet = |slice: &Slice| {
        let [latency, throughput] = [slice.latency_ns, slice.throughput_ns].map(|nanos| nanos.0 as f64);
        let reading = Reading { latency, throughput };
        baseline.is_quiet(reading, reading)
    };
    let all = results.slices.len();
    let first = results.slices.iter().position(is_quiet)?;
    let last = results.slices.iter().rposition(is_quiet)?;
    let quiet = results.slices[first..=last].iter().filter(|slice| is_quiet(slice)).count();
    let share = |readings: usize| readings as f64 / all as f64;
    let (before, after) = (share(first), share(all - 1 - last));
    if before.max(after) < MUCH_OF_A_RUN || quiet * 2 < last - first {
        return None;
    }
    let (when, percent) = if after > before { ("last", after) } else { ("first", before) };
    Some(warning(
        format!(
            "the machine changed in the middle of the run: in the {when} {:.0} % it was never as fast as in the rest",
            percent * 100.0
        ),
        "look for another clock frequency, or somebody who came or went; run again to see what it gives now",
    ))
}

pub(super) fn info(what: String, remedy: &str) -> Note {
    Note { severity: Severity::Info, what, remedy: remedy.to_owned() }
}

pub(super) fn warning(what: String, remedy: &str) -> Note {
    Note { severity: Severity::Warning, what, remedy: remedy.to_owned() }
}

fn problem(what: String, remedy: &str) -> Note {
    Note { severity: Severity::Problem, what, remedy: remedy.to_owned() }
}

#[cfg(test)]
mod tests {
    use tlstax_doc::{Batch, Slice};
    use tlstax_spec::{Nanos, Sample};

    use super::*;
    use crate::rounds::tests::{results, slice};

    /// What is said of a run of so many batches, one between two readings each, if every so manieth was throttled for 20 ms.
    fn note(batches: u32, every: u32) -> Option<String> {
        let batch = |slice| Batch { slice, sample: Sample::default(), observed: None, observed_server: None };
        let throttled = |at: u32| if at > 0 && at.is_multiple_of(every) { 20_000_000 } else { 0 };
        let reading = |at| Slice { throttled_ns: Nanos(throttled(at)), ..slice(at) };
        let found = results((0..batches).map(batch).collect(), (0..=batches).map(reading).collect());
        of_quota(&found).map(|note| note.what)
    }

    #[test]
    fn what_a_quota_has_stopped_is_said_with_what_became_of_it() {
        assert_eq!(note(100, 1000), None);
        let some = note(100, 10).unwrap_or_default();
        assert!(some.contains("stopped the run for 200 ms") && some.contains("10 of 100 batches"), "{some}");
        assert!(!some.contains("too few"), "{some}");
        let all = note(100, 1).unwrap_or_default();
        assert!(all.contains("0 of 100 batches") && all.contains("1 cases have too few others"), "{all}");
    }
}
