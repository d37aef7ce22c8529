//! What cores are spent on: by part, by suite, by key and by kind of handshake.

use tlstax_doc::plan::{Part, Piece, Prediction};

use super::{amount, part};
use crate::grid::{Grid, Measure};
use crate::model::{Quantity, Table};

/// A row of the table of parts: a part, or all of TLS.
struct Line {
    name: String,
    cores: f64,
}

/// By part, all of TLS first.
pub(super) fn parts(now: &Prediction) -> Option<Table> {
    let tls = of_tls(&now.parts);
    let lines = |is_tls: bool| {
        let of_part = move |meant: &Part| {
            (part::is_tls(*meant) == is_tls).then(|| {
                let indent = if is_tls { "\u{a0}\u{a0}" } else { "" };
                let cores = cores_of(&now.parts, *meant);
                (cores != 0.0).then(|| Line { name: format!("{indent}{}", part::title(*meant)), cores })
            })
        };
        part::ALL.iter().filter_map(of_part).flatten().collect::<Vec<_>>()
    };
    let whole = (tls != 0.0).then(|| Line { name: "TLS".to_owned(), cores: tls });
    let rows = whole.into_iter().chain(lines(true)).chain(lines(false));
    table("spent on", rows.collect(), now, "Cores by what they are spent on; indented: parts of TLS")
}

/// By suite, key and kind of handshake, a table for each that has more to say than the whole.
pub(super) fn tables(now: &Prediction) -> Vec<Table> {
    let named = [
        ("suite", &now.suites, "Cores by cipher suite"),
        ("key", &now.keys, "Cores by key"),
        ("handshake", &now.resumption, "Cores by kind of handshake"),
    ];
    let one = |(label, pieces, caption): (&'static str, &Vec<Piece<String>>, &'static str)| {
        let lines = pieces.iter().map(|piece| Line { name: piece.of.clone(), cores: piece.cores });
        table(label, lines.collect(), now, caption)
    };
    named.into_iter().filter_map(one).collect()
}

fn table(label: &'static str, lines: Vec<Line>, now: &Prediction, caption: &str) -> Option<Table> {
    let whole = now.cores.value;
    let rows = lines.into_iter().map(|line| ([line.name.clone()], line));
    Grid::new([label], rows)
        .measure(Measure::plain("cores", "", |line: &Line| Quantity::exact(line.cores, "")))
        .measure(Measure::plain("of all", "%", move |line: &Line| amount::share(line.cores, whole)))
        .table(caption)
}

pub(super) fn cores_of(parts: &[Piece<Part>], meant: Part) -> f64 {
    parts.iter().filter(|piece| piece.of == meant).map(|piece| piece.cores).sum()
}

pub(super) fn of_tls(parts: &[Piece<Part>]) -> f64 {
    parts.iter().filter(|piece| part::is_tls(piece.of)).map(|piece| piece.cores).sum()
}
