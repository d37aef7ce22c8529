//! What the same case costs on each machine: a section for each kind of workload.

use tlstax_doc::Metric;
use tlstax_spec::{Bulk, Handshake, Idle, Load, Primitive};

use super::joined::{Figure, Joined, Machine};
use crate::ask::{Facts, Item};
use crate::label::{BULK, HANDSHAKE, IDLE, LOAD, Labels, TRANSFER, operation};
use crate::loads::{SPEED, bound, is_only_a_transfer, rate, speed};
use crate::model::{Block, Section, Table};
use crate::number;
use crate::sections::{bulk, handshakes, primitives};

const INTRO: &str = "A column for each machine; no figure here is a multiple of another machine's.";

const SIZED: &[Figure<Primitive>] = &[("", "MB/s", |item| primitives::throughput(item))];
const UNSIZED: &[Figure<Primitive>] = &[("", "µs", |item| item.micros(Metric::Cpu))];
const SIDES: &[Figure<Handshake>] = &[
    ("server", "µs", |item| item.micros(Metric::Server)),
    ("client", "µs", |item| item.micros(Metric::Client)),
];
const ENDS: &[Figure<Bulk>] = &[
    ("sends", "s/GB", |item| item.per_gigabyte(bulk::sender(item.work), item.work.buffer)),
    ("receives", "s/GB", |item| item.per_gigabyte(bulk::receiver(item.work), item.work.buffer)),
];
const MEMORY: &[Figure<Idle>] = &[("", "KiB", |item| handshakes::kibibytes(item))];
const REQUESTS: &[Figure<Load>] = &[
    ("server", "µs", |item| item.micros(Metric::Server)),
    ("requests", "1/s", |item| rate(item, bound(item))),
];
const TRANSFERS: &[Figure<Load>] = &[
    ("transfer", SPEED, |item| speed(item, Metric::Wall)),
    ("server", SPEED, |item| speed(item, Metric::Server)),
    ("client", SPEED, |item| speed(item, Metric::Client)),
];

/// Every section that has a case of more than one machine.
pub(super) fn sections(machines: &[Machine<'_>]) -> impl Iterator<Item = Section> {
    let all = [
        ("primitives", "Ciphers and hashes", sized(machines)),
        ("public-keys", "Operations without a message size", without_sizes(machines)),
        ("handshakes", "Handshakes", all_handshakes(machines)),
        ("bulk", "Bulk data", all_bulks(machines)),
        ("memory", "Idle connections", idles(machines)),
        ("load", "Requests", requests(machines)),
        ("transfers", "Large files", transfers(machines)),
    ];
    let section = |(id, title, blocks): (&str, &str, Vec<Block>)| {
        (!blocks.is_empty()).then(|| Section::new(id, title, INTRO).with(blocks))
    };
    all.into_iter().filter_map(section)
}

/// The largest messages, and behind them all sizes.
fn sized(machines: &[Machine<'_>]) -> Vec<Block> {
    let joined = Joined::of(machines, Facts::primitives, |item| {
        item.work.algorithm.class().is_sized() && is_alone(item)
    });
    let shared = joined.shared();
    let Some(largest) = shared.iter().map(|item| item.work.size).max() else { return Vec::new() };
    let title = |item: &Item<'_, Primitive>| format!("{} {}", item.work.algorithm, operation(item.work));
    let at = |size: u32| number::bytes(size.into());
    let few = shared.iter().filter(|item| item.work.size == largest).map(|item| (title(item), *item));
    let all = shared.iter().map(|item| (format!("{} {}", title(item), at(item.work.size)), *item));
    let few = joined.table(few, SIZED, format!("MB/s, messages of {}", at(largest))).map(Block::from);
    let all = joined.table(all, SIZED, "MB/s by message size").map(Block::Details);
    few.into_iter().chain(all).collect()
}

fn without_sizes(machines: &[Machine<'_>]) -> Vec<Block> {
    let joined = Joined::of(machines, Facts::primitives, |item| {
        !item.work.algorithm.class().is_sized() && is_alone(item)
    });
    let named = |item: Item<'_, Primitive>| format!("{} {}", item.work.algorithm, operation(item.work));
    let rows = joined.shared().into_iter().map(|item| (named(item), item));
    one(joined.table(rows, UNSIZED, "CPU time of one operation"))
}

fn all_handshakes(machines: &[Machine<'_>]) -> Vec<Block> {
    let joined = Joined::of(machines, Facts::handshakes, is_alone);
    let shared = joined.shared();
    let labels = Labels::of(HANDSHAKE, &shared);
    one(joined.table(rows(&labels, shared), SIDES, labels.caption("CPU time of one handshake")))
}

fn all_bulks(machines: &[Machine<'_>]) -> Vec<Block> {
    let joined = Joined::of(machines, Facts::bulks, |_| true);
    let shared = joined.shared();
    let labels = Labels::of(BULK, &shared);
    one(joined.table(rows(&labels, shared), ENDS, labels.caption("CPU seconds for a gigabyte")))
}

fn idles(machines: &[Machine<'_>]) -> Vec<Block> {
    let joined = Joined::of(machines, Facts::idles, |_| true);
    let shared = joined.shared();
    let labels = Labels::of(IDLE, &shared);
    let sided = |item: Item<'_, Idle>| format!("{} {}", item.work.side, labels.name(&item));
    let rows: Vec<_> = shared.iter().map(|item| (sided(*item), *item)).collect();
    one(joined.table(rows, MEMORY, labels.caption("Memory of one idle connection")))
}

fn requests(machines: &[Machine<'_>]) -> Vec<Block> {
    let joined = Joined::of(machines, Facts::loads, |item| !is_only_a_transfer(item.work));
    let shared = joined.shared();
    let labels = Labels::of(LOAD, &shared);
    let caption = labels.caption("The server's CPU time of one request, and requests in a second");
    one(joined.table(rows(&labels, shared), REQUESTS, caption))
}

fn transfers(machines: &[Machine<'_>]) -> Vec<Block> {
    let joined = Joined::of(machines, Facts::loads, |item| is_only_a_transfer(item.work));
    let shared = joined.shared();
    let labels = Labels::of(TRANSFER, &shared);
    let caption = labels.caption("MiB in a second of elapsed time, and of CPU time of each side");
    one(joined.table(rows(&labels, shared), TRANSFERS, caption))
}

fn rows<'a, T: PartialEq>(labels: &Labels<T>, items: Vec<Item<'a, T>>) -> Vec<(String, Item<'a, T>)> {
    items.into_iter().map(|item| (labels.name(&item), item)).collect()
}

fn one(table: Option<Table>) -> Vec<Block> {
    table.map(Block::from).into_iter().collect()
}

/// Whether it was measured on one thread.
fn is_alone<T>(item: &Item<'_, T>) -> bool {
    item.case.threads == 1
}
