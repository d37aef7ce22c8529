//! The ciphers and hashes of one library, by message size.

use tlstax_doc::Metric;
use tlstax_spec::Primitive;
use tlstax_stats::{Affine, HalfWidth, Ratio, affine};

use super::operations::{Found, measured, operation, throughput};
use super::ratios;
use crate::ask::{distinct, find, of_library};
use crate::grid::{Grid, Measure};
use crate::model::{Cell, Quantity, Table};
use crate::number;

/// A fit that misses a point by a larger share of its cost says so.
const GOOD_FIT: Ratio = Ratio(0.1);

/// What stands in a row: a figure for each size, a fit over them, and the speed beside another library.
struct Line {
    by_size: Vec<Cell>,
    fit: Option<Affine>,
    /// How many sizes the fit is over.
    points: usize,
    speed: Option<Quantity>,
}

/// A row for each operation, then the ratios of algorithms; the speed stands beside that of `first`.
pub(super) fn table(items: &[Found<'_>], library: &str, first: &str) -> Option<Table> {
    let mut sizes: Vec<u32> = distinct(items.iter().map(|item| item.work.size), |size| *size);
    sizes.sort_unstable();
    let largest = *sizes.last()?;
    let own = of_library(items, library);
    let row = |work: Primitive| {
        let found = |size| find(&own, library, &Primitive { size, ..work });
        let beside = find(items, first, &Primitive { size: largest, ..work });
        let speed = beside.zip(found(largest)).and_then(|(beside, own)| beside.percent(&own, Metric::Cpu));
        let line = Line::of(&sizes.iter().map(|size| found(*size)).collect::<Vec<_>>());
        ([work.algorithm.name().to_owned(), operation(&work)], Line { speed, ..line })
    };
    let of_size = |(place, size): (usize, &u32)| {
        Measure::plain(number::bytes((*size).into()), "MB/s", move |line: &Line| line.by_size[place].clone())
    };
    let mut grid = Grid::new(["algorithm", "operation"], measured(&own).into_iter().map(row))
        .measures(sizes.iter().enumerate().map(of_size))
        .measure(Measure::plain("±", "", |line: &Line| widest(&line.by_size)))
        .measure(Measure::plain("a call", "ns", |line: &Line| line.fitted(|fit| fit.per_call)).ranked(1))
        .measure(Measure::plain("a byte", "ns", |line: &Line| line.fitted(|fit| fit.per_byte)).ranked(1));
    let mut caption = format!("{library}: MB/s by message size");
    if library != first {
        grid = grid.measure(Measure::quantity(format!("of {first}"), "%", |line: &Line| line.speed.clone()));
        let largest = number::bytes(largest.into());
        caption += &format!("; the last column is its speed at {largest} beside {first}");
    }
    for ([what, of], mut cells) in ratios::rows(items, &own, library, &sizes) {
        cells.push(widest(&cells));
        grid = grid.ratio([&what, &of], cells);
    }
    grid.table(caption)
}

impl Line {
    /// The throughput of each size, where it was measured.
    fn of(found: &[Option<Found<'_>>]) -> Self {
        let point = |item: &Found<'_>| Some((f64::from(item.work.size), item.cost(Metric::Cpu).ok()?.value));
        let points: Vec<(f64, f64)> = found.iter().flatten().filter_map(point).collect();
        let by_size = found.iter().map(|item| item.as_ref().map(throughput).into());
        Self { by_size: by_size.collect(), fit: affine(&points), points: points.len(), speed: None }
    }

    fn fitted(&self, part: fn(&Affine) -> f64) -> Option<Quantity> {
        let fit = self.fit?;
        let fitted = Quantity::exact(part(&fit), "ns");
        let worst = fit.worst_relative_error;
        let missed = || {
            let worst = number::percent(worst);
            format!("a fit over {} sizes; it misses the worst by {worst}", self.points)
        };
        Some(if worst > GOOD_FIT { fitted.remarked(missed()) } else { fitted })
    }
}

/// The widest half-width of some cells, in percent of the value.
fn widest(cells: &[Cell]) -> Cell {
    let half_widths = cells.iter().filter_map(|cell| cell.quantity()?.half_width());
    let widest = half_widths.reduce(|a, b| if b > a { b } else { a });
    widest.map(|HalfWidth(ratio)| number::percent(ratio)).into()
}
