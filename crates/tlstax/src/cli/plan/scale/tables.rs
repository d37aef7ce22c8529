//! Tables of curves and of their points.

use tlstax_plan::scale::{At, Curve, FEWEST, Law, Measured};
use tlstax_report::{Cell, Column, Quantity, Row, Table};

use crate::cli::plan::figures::{digits, quantity};

pub const INTRO: &str = "\
    Rates by elapsed time, of all threads together. Lost: the part of each thread's work with the most threads, beside the fewest. \
    The law, where one fits within a tenth at every point: the universal scalability law with contention a and coherency b (Gunther), \
    or a lock with its cap. Nothing is said beyond the points.";

/// A row for each curve.
pub fn curves(measured: &[Measured], at: &[u16]) -> Table {
    let columns = [
        Column::label("library"),
        Column::label("work"),
        Column::words("points"),
        Column::quantity("with the most", "1/s"),
        Column::plain("lost", "%"),
        Column::words("regime"),
        Column::words("law"),
    ];
    let predicted = at.iter().map(|threads| Column::quantity(format!("at {threads}"), "1/s"));
    Table {
        caption: "How work grows".to_owned(),
        columns: columns.into_iter().chain(predicted).collect(),
        rows: measured.iter().map(|one| row(one, at)).collect(),
    }
}

fn row(measured: &Measured, at: &[u16]) -> Row {
    let names = [measured.library.clone(), measured.work.clone()].map(Cell::from);
    let cells = match &measured.curve {
        Some(curve) => of_curve(measured, curve, at),
        None => {
            let hole = || Cell::Hole { reason: too_few(measured) };
            let holes = std::iter::repeat_with(hole).take(2 + at.len());
            let mut cells: Vec<Cell> = vec![Cell::Empty];
            cells.extend(holes);
            cells.splice(3..3, [Cell::Empty, Cell::Empty]);
            cells
        }
    };
    Row::plain(names.into_iter().chain(cells).collect())
}

fn of_curve(measured: &Measured, curve: &Curve, at: &[u16]) -> Vec<Cell> {
    let points = curve.points();
    let numbers = points.iter().map(|point| point.threads.to_string()).collect::<Vec<_>>().join(", ");
    let most = points.last().map(|point| quantity(point.rate, measured.unit));
    let mut cells = vec![
        Cell::from(numbers),
        most.into(),
        Quantity::exact(curve.lost() * 100.0, "%").into(),
        Cell::text(curve.regime.name()),
        Cell::from(law(curve)),
    ];
    cells.extend(at.iter().map(|threads| predicted(measured, curve, *threads)));
    cells
}

fn predicted(measured: &Measured, curve: &Curve, threads: u16) -> Cell {
    match curve.at(threads) {
        At::Measured(rate) => quantity(rate, measured.unit).aside(Some("measured".to_owned())).into(),
        At::Between(rate) => quantity(rate, measured.unit).into(),
        At::Beyond { .. } => Cell::Hole { reason: beyond(measured, curve, threads) },
    }
}

/// Why nothing is said of a number of threads.
pub fn beyond(measured: &Measured, curve: &Curve, threads: u16) -> String {
    let of = measured.of;
    let (fewest, most) = match curve.at(threads) {
        At::Beyond { fewest, most } => (fewest, most),
        At::Measured(_) | At::Between(_) => (threads, threads),
    };
    format!(
        "{threads} {of} would be extrapolated: measured from {fewest} to {most}, and no law says what comes then"
    )
}

/// Why there is no curve.
pub fn too_few(measured: &Measured) -> String {
    let left_out = measured.left_out.iter().map(|(count, why)| format!("{count} {}: {why}", measured.of));
    format!("fewer than {FEWEST} points are left: {}", left_out.collect::<Vec<_>>().join("; "))
}

fn law(curve: &Curve) -> String {
    let missed = |worst: f64| format!("misses the worst by {} %", digits(worst * 100.0));
    match curve.law {
        None if curve.points().len() < 4 => "too few points for one".to_owned(),
        None => "none fits: lines between the points".to_owned(),
        Some(Law::Universal(usl)) => {
            let [contention, coherency] = [usl.contention, usl.coherency].map(digits);
            format!("universal: a {contention}, b {coherency}; {}", missed(usl.worst))
        }
        Some(Law::Lock(lock)) => {
            format!("a lock: at most {} 1/s; {}", digits(lock.cap()), missed(lock.worst))
        }
    }
}

/// A row for each point, those that are left out with their reason.
pub fn points(measured: &[Measured]) -> Table {
    let rows = measured.iter().flat_map(|one| {
        let labels = |count: u16| [one.library.clone(), one.work.clone(), format!("{count} {}", one.of)];
        let row = |count: u16, cells: [Cell; 2]| {
            Row::plain(labels(count).map(Cell::from).into_iter().chain(cells).collect())
        };
        let found = one.curve.iter().flat_map(Curve::points).map(move |point| {
            let each = Quantity::exact(point.rate.value / f64::from(point.threads), one.unit);
            row(point.threads, [quantity(point.rate, one.unit).into(), each.into()])
        });
        let left_out = one
            .left_out
            .iter()
            .map(move |(count, why)| row(*count, [Cell::Hole { reason: why.clone() }, Cell::Empty]));
        found.chain(left_out).collect::<Vec<_>>()
    });
    let columns = ["library", "work", "count"].map(Column::label);
    let rates = [Column::quantity("in all", "1/s"), Column::plain("each", "1/s")];
    Table {
        caption: "Points".to_owned(),
        columns: columns.into_iter().chain(rates).collect(),
        rows: rows.collect(),
    }
}
