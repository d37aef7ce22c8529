//! Several threads in one process: where they wait for each other's locks, the throughput does not grow with them.

use tlstax_doc::Metric;

use super::Found;
use crate::facts::Facts;
use crate::number;
use crate::quantity::Quantity;
use crate::view::{Cell, Column, Row, Table};

/// Throughput of several threads in one process: a column per number of threads.
pub(super) fn table(facts: &Facts<'_>, items: &[Found<'_>]) -> Option<Table> {
    let mut threads: Vec<u16> = items.iter().map(|item| item.case.threads).collect();
    threads.sort_unstable();
    threads.dedup();
    let several = threads.last().copied().filter(|&most| most > 1)?;
    let mut columns = vec![
        Column::label("library"),
        Column::label("algorithm"),
        Column::label("operation"),
        Column::label("size"),
    ];
    columns.extend(threads.iter().map(|threads| Column::quantity(format!("{threads} thread(s)"), "MB/s")));
    columns.push(Column::plain("of ideal", "%"));
    let with = |item: &Found<'_>, threads: u16| {
        let same = |other: &&Found<'_>| {
            other.library() == item.library() && other.work == item.work && other.case.threads == threads
        };
        items.iter().find(same).copied()
    };
    let row = |item: &Found<'_>| {
        let cost = |threads| facts.cost(with(item, threads)?.index, Metric::Wall).ok();
        let mut cells = vec![
            Cell::text(item.library()),
            Cell::text(item.work.algorithm.name()),
            Cell::text(item.work.op.name()),
            Cell::text(number::bytes(item.work.size.into())),
        ];
        cells.extend(threads.iter().map(|&threads| {
            let Some(found) = with(item, threads) else { return Cell::Empty };
            let estimate = facts.cost(found.index, Metric::Wall);
            Cell::of(
                estimate.map(|estimate| Quantity::rate(f64::from(item.work.size) * 1e3, &estimate, "MB/s")),
            )
        }));
        let ideal =
            cost(1).zip(cost(several)).map(|(one, all)| one.value / all.value / f64::from(several) * 100.0);
        cells.push(Cell::maybe(ideal.map(|ideal| Quantity::exact(ideal, "%"))));
        Row::plain(cells)
    };
    // One row per work, however many numbers of threads did it.
    let mut works: Vec<Found<'_>> = Vec::new();
    for item in items.iter().filter(|item| item.case.threads > 1) {
        if !works.iter().any(|known| known.library() == item.library() && known.work == item.work) {
            works.push(*item);
        }
    }
    let rows = works.iter().map(row).collect();
    Some(Table { caption: "Several threads in one process, by elapsed time".to_owned(), columns, rows })
}
