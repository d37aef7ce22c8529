//! Which logical CPU does what.

use std::fs;
use std::io;
use std::sync::OnceLock;

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// The two logical CPUs of a measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cores {
    /// Where workers are timed, reference kernels run and servers serve.
    pub measure: usize,
    /// Where the client of a load runs, and we ourselves; the same as `measure` if there is only one.
    pub client: usize,
    /// Whether the two are hardware threads of one core, so that one slows the other; none if the system hides it.
    pub shared: Option<bool>,
}

#[derive(Debug, thiserror::Error)]
pub enum PinError {
    #[error("CPU {cpu} is beyond the {} that an affinity mask holds", CpuSet::MAX_CPU)]
    TooLarge { cpu: usize },
    /// The system refused: the CPU is offline, or a control group forbids it.
    #[error("cannot use CPUs [{cpu}]: {source}; choose among those that `taskset -p $$` shows")]
    Refused { cpu: usize, source: io::Error },
}

/// The logical CPUs that this process was given, ascending: the mask at the first call here, before any pinning of
/// ours, which would hide the others.
pub fn available() -> Vec<usize> {
    static GIVEN: OnceLock<Vec<usize>> = OnceLock::new();
    GIVEN.get_or_init(of_thread).clone()
}

/// Binds the calling thread, and those it will start, to one logical CPU.
///
/// # Errors
/// There is no such CPU, or it may not be used.
pub fn pin_thread(cpu: usize) -> Result<(), PinError> {
    // To be remembered before it changes.
    available();
    sched_setaffinity(None, &set_of(&[cpu])?)
        .map_err(|source| PinError::Refused { cpu, source: source.into() })
}

/// Chooses the CPUs of a measurement among those available; none if there are none.
pub fn cores() -> Option<Cores> {
    choose(&available(), siblings)
}

/// The logical CPUs that the calling thread may run on now.
fn of_thread() -> Vec<usize> {
    // Fails only for a machine with more CPUs than a mask of ours holds: then the mask is not what decides.
    let set = sched_getaffinity(None).unwrap_or_else(|_| {
        let mut set = CpuSet::new();
        set.set(0);
        set
    });
    (0..CpuSet::MAX_CPU).filter(|cpu| set.is_set(*cpu)).collect()
}

/// The mask of these CPUs; none for none, which are all that we may use.
pub(crate) fn mask(cpus: &[usize]) -> Result<Option<CpuSet>, PinError> {
    (!cpus.is_empty()).then(|| set_of(cpus)).transpose()
}

fn set_of(cpus: &[usize]) -> Result<CpuSet, PinError> {
    let mut set = CpuSet::new();
    for &cpu in cpus {
        if cpu >= CpuSet::MAX_CPU {
            return Err(PinError::TooLarge { cpu });
        }
        set.set(cpu);
    }
    Ok(set)
}

/// The hardware threads of the core that `cpu` is one of, itself included; none where the system hides it.
fn siblings(cpu: usize) -> Option<Vec<usize>> {
    let path = format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
    parse_list(&fs::read_to_string(path).ok()?)
}

/// Reads a kernel CPU list such as `0-3,8`.
pub(crate) fn parse_list(text: &str) -> Option<Vec<usize>> {
    let mut cpus = Vec::new();
    for range in text.trim().split(',').filter(|range| !range.is_empty()) {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
        cpus.extend(first..=last.min(CpuSet::MAX_CPU));
    }
    Some(cpus)
}

fn choose(available: &[usize], siblings: impl Fn(usize) -> Option<Vec<usize>>) -> Option<Cores> {
    // The last one: CPU 0 takes most interrupts and housekeeping, and the lowest numbers are handed out first.
    let measure = *available.last()?;
    let neighbours = siblings(measure);
    let is_neighbour = |cpu: usize| neighbours.as_ref().is_some_and(|all| all.contains(&cpu));
    let others = || available.iter().rev().copied().filter(|cpu| *cpu != measure);
    let client = others().find(|cpu| !is_neighbour(*cpu)).or_else(|| others().next()).unwrap_or(measure);
    let shared =
        if client == measure { Some(true) } else { neighbours.as_ref().map(|_| is_neighbour(client)) };
    Some(Cores { measure, client, shared })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn lists_are_read_as_the_kernel_writes_them() {
        assert_eq!(parse_list("0-3,8\n").unwrap(), [0, 1, 2, 3, 8]);
        assert_eq!(parse_list("\n").unwrap(), [0usize; 0]);
        assert!(parse_list("0-x").is_none());
    }

    #[test]
    fn measuring_keeps_off_cpu_0_and_the_client_off_the_sibling() {
        let pairs = |cpu: usize| Some(vec![cpu % 4, cpu % 4 + 4]);
        let all: Vec<usize> = (0..8).collect();
        assert_eq!(choose(&all, pairs), Some(Cores { measure: 7, client: 6, shared: Some(false) }));
        assert_eq!(choose(&[3, 7], pairs), Some(Cores { measure: 7, client: 3, shared: Some(true) }));
        assert_eq!(choose(&[0, 1], |_| None), Some(Cores { measure: 1, client: 0, shared: None }));
        assert_eq!(choose(&[0], pairs), Some(Cores { measure: 0, client: 0, shared: Some(true) }));
        assert_eq!(choose(&[], pairs), None);
    }

    #[test]
    fn a_thread_stays_where_it_is_pinned() {
        let cpu = *available().last().unwrap();
        let seen = std::thread::spawn(move || pin_thread(cpu).map(|()| (of_thread(), available())));
        let (seen, given) = seen.join().unwrap().unwrap();
        assert_eq!(seen, [cpu]);
        assert_eq!(given, available(), "what was given is not forgotten");
    }

    #[test]
    fn a_cpu_that_does_not_exist_is_an_error() {
        assert!(matches!(pin_thread(1 << 20), Err(PinError::TooLarge { .. })));
        assert!(matches!(pin_thread(CpuSet::MAX_CPU - 1), Err(PinError::Refused { .. })));
    }
}
