//! The processes of a profile, and both accounts of their CPU time.

use std::collections::BTreeMap;

use tlstax_doc::{Process, Profile, Unit};

use super::account::SECOND;
use crate::grid::{Grid, Measure};
use crate::model::{Quantity, Table};

/// So many programs are listed, the heaviest.
const LISTED: usize = 20;

pub(super) fn table(profile: &Profile) -> Option<Table> {
    let mut sums: BTreeMap<&str, Process> = BTreeMap::new();
    for process in profile.captures.iter().flat_map(|capture| &capture.processes) {
        match sums.get_mut(process.name.as_str()) {
            Some(sum) => add(sum, process),
            None => _ = sums.insert(&process.name, process.clone()),
        }
    }
    let mut all: Vec<Process> = sums.into_values().collect();
    all.sort_by_key(|process| std::cmp::Reverse(process.weight));
    all.truncate(LISTED);
    let is_time = profile.unit == Unit::Nanoseconds;
    let seconds = |ns: u64| Quantity::exact(ns as f64 / SECOND, "s");
    let rows = all.into_iter().map(|process| ([process.name.clone()], process));
    Grid::new(["program"], rows)
        .measure(Measure::count("processes", |process: &Process| process.count.into()))
        .measure(Measure::count("samples", |process: &Process| process.samples))
        .measure(
            Measure::plain("CPU by samples", "s", move |process: &Process| {
                is_time.then(|| seconds(process.weight))
            })
            .where_found(),
        )
        .measure(
            Measure::plain("CPU by the kernel's account", "s", move |process: &Process| {
                process.cpu_ns.map(seconds)
            })
            .where_found(),
        )
        .table("Programs, and their CPU time by both accounts")
}

fn add(sum: &mut Process, other: &Process) {
    sum.count += other.count;
    sum.samples += other.samples;
    sum.weight += other.weight;
    sum.cpu_ns = match (sum.cpu_ns, other.cpu_ns) {
        (Some(a), Some(b)) => Some(a + b),
        (one, other) => one.or(other),
    };
}
