//! The tree of classes: costs, and their algorithms below them.

use tlstax_doc::{Class, Cost, Unit};

use super::account::{Account, is_any, is_tls};
use crate::grid::{Grid, Measure};
use crate::model::{Quantity, Table};

/// A row: some classes under one name.
struct Line {
    name: String,
    is: Box<dyn Fn(Class) -> bool>,
    is_tls: bool,
}

pub(super) fn table(account: &Account<'_>) -> Option<Table> {
    let rows = lines(account).into_iter().map(|line| ([line.name.clone()], line));
    let seconds = |line: &Line| account.seconds(&line.is).map(|seconds| Quantity::exact(seconds, "s"));
    let counted = match account.profile.unit {
        Unit::Nanoseconds => Measure::plain("CPU time", "s", seconds),
        Unit::Cycles => Measure::plain("cycles", "10⁹", |line: &Line| {
            Quantity::exact(account.weight(&line.is) as f64 / 1e9, "10⁹")
        }),
        Unit::Samples => Measure::count("samples", |line: &Line| account.weight(&line.is)),
    };
    let of_tls = |line: &Line| line.is_tls.then(|| account.share(&line.is, &is_tls)).flatten();
    Grid::new(["what for"], rows)
        .measure(Measure::quantity("of TLS", "%", of_tls).where_found())
        .measure(Measure::quantity("of the process", "%", |line: &Line| account.share(&line.is, &is_any)))
        .measure(
            Measure::quantity("of the machine", "%", |line: &Line| account.of_machine(&line.is))
                .where_found(),
        )
        .measure(counted.ranked(1))
        .table("CPU time by what it was for; indented: by algorithm")
}

/// TLS with its costs and their algorithms, then the rest.
fn lines(account: &Account<'_>) -> Vec<Line> {
    let mut lines = Vec::new();
    if account.weight(&is_tls) > 0 {
        lines.push(Line { name: "TLS".to_owned(), is: Box::new(is_tls), is_tls: true });
    }
    let (tls, other): (Vec<Cost>, Vec<Cost>) = account.costs().partition(|cost| cost.is_tls());
    tls.into_iter().for_each(|cost| lines.extend(of_cost(account, cost, 1)));
    other.into_iter().for_each(|cost| lines.extend(of_cost(account, cost, 0)));
    lines
}

/// A cost and, where there is more to say, its algorithms.
fn of_cost(account: &Account<'_>, cost: Cost, depth: usize) -> Vec<Line> {
    let classes: Vec<Class> = account.totals.keys().copied().filter(|class| class.cost == cost).collect();
    let line = |depth: usize, title: &str, is: Box<dyn Fn(Class) -> bool>| Line {
        // No-break spaces: others would be trimmed.
        name: format!("{}{title}", "\u{a0}\u{a0}".repeat(depth)),
        is,
        is_tls: cost.is_tls(),
    };
    let mut lines = vec![line(depth, cost.title(), Box::new(move |class| class.cost == cost))];
    if classes.iter().any(|class| class.algorithm.is_some()) {
        lines.extend(classes.into_iter().map(|meant| {
            let title = meant.algorithm.map_or("not told apart", |algorithm| algorithm.title());
            line(depth + 1, title, Box::new(move |class| class == meant))
        }));
    }
    lines
}
