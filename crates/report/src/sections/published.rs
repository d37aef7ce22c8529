//! This machine beside machines whose figures were published.

use serde::Deserialize;
use tlstax_doc::Metric;
use tlstax_spec::{Op, Pattern, Primitive};
use tlstax_stats::Estimate;

use crate::facts::{Facts, Item};
use crate::number;
use crate::view::{Block, Cell, Chart, Column, Quantity, Row, Section, Series, Table};

/// Published figures: the rows of `reference/primitives.csv`, and of any file of the same form.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Published {
    rows: Vec<Line>,
}

/// A file of published figures that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error(
    "published figures, {0}; the columns must be source, machine, software, kind, algorithm, operation, bytes, value, unit"
)]
pub struct PublishedError(#[from] csv::Error);

/// One published figure.
#[derive(Debug, Clone, PartialEq, Deserialize)]
struct Line {
    machine: String,
    software: String,
    algorithm: String,
    operation: String,
    bytes: Option<u32>,
    value: f64,
    unit: String,
}

impl Published {
    /// Reads figures from the text of a CSV file.
    pub fn parse(text: &str) -> Result<Self, PublishedError> {
        let rows = csv::Reader::from_reader(text.as_bytes()).deserialize().collect::<Result<_, _>>()?;
        Ok(Self { rows })
    }

    /// Machines as columns: each with the software it ran.
    fn machines(&self) -> Vec<(&str, &str)> {
        let mut found: Vec<(&str, &str)> = Vec::new();
        for row in &self.rows {
            let machine = (row.machine.as_str(), row.software.as_str());
            if !found.contains(&machine) {
                found.push(machine);
            }
        }
        found
    }
}

impl Line {
    /// The same operation by our names: what is published as `seal` we call encryption.
    fn is(&self, work: &Primitive) -> bool {
        let operation = if self.operation == "seal" { Op::Encrypt.name() } else { &self.operation };
        self.algorithm == work.algorithm.name()
            && operation == work.op.name()
            && self.bytes.unwrap_or(0) == work.size
    }
}

/// A row of the table: one operation, and where it was measured here.
type Ours<'a> = (Primitive, Vec<Item<'a, Primitive>>);

pub(crate) fn section(facts: &Facts<'_>, published: &Published) -> Option<Section> {
    let mut items = facts.primitives();
    items.retain(|item| item.case.threads == 1 && !item.is_control());
    let rows = rows(&items, published);
    if rows.is_empty() {
        return None;
    }
    let libraries = facts.libraries(&items);
    let (sized, unsized_): (Vec<Ours<'_>>, Vec<Ours<'_>>) =
        rows.into_iter().partition(|(work, _)| work.algorithm.class().is_sized());
    let mut blocks = Vec::new();
    for (rows, unit) in [(sized, "MB/s"), (unsized_, "op/s")] {
        if !rows.is_empty() {
            blocks.push(Block::Table(table(facts, published, &libraries, &rows, unit)));
            blocks.extend(chart(facts, published, &libraries, &rows).map(Block::Chart));
        }
    }
    Some(Section {
        id: "published".to_owned(),
        title: "Beside published figures".to_owned(),
        intro: "The figures of other machines are as published: their software, its age and its way of calling differ \
                from what was measured here. Where it was measured, openssl speed's own way of calling is compared."
            .to_owned(),
        blocks,
        sentences: Vec::new(),
    })
}

/// The operations that were both measured here and published, each in the call pattern closest to the published one.
fn rows<'a>(items: &[Item<'a, Primitive>], published: &Published) -> Vec<Ours<'a>> {
    let mut sorted: Vec<Item<'_, Primitive>> = items.to_vec();
    sorted.sort_by_key(|item| (item.work.algorithm, item.work.op, item.work.size));
    let mut rows: Vec<Ours<'_>> = Vec::new();
    for item in sorted.into_iter().filter(|item| published.rows.iter().any(|line| line.is(item.work))) {
        let work = Primitive { pattern: Pattern::Tls, ..*item.work };
        match rows.iter_mut().find(|(known, _)| *known == work) {
            Some((_, found)) => found.push(item),
            None => rows.push((work, vec![item])),
        }
    }
    for (_, found) in &mut rows {
        found.sort_by_key(|item| item.work.pattern != Pattern::Speed);
    }
    rows
}

fn ours(facts: &Facts<'_>, (work, found): &Ours<'_>, library: &str, unit: &'static str) -> Cell {
    let Some(item) = found.iter().find(|item| item.library() == library) else { return Cell::Empty };
    let rate = |cost: Estimate| match work.algorithm.class().is_sized() {
        true => Quantity::rate(f64::from(work.size) * 1e3, &cost, unit),
        false => Quantity::rate(1e9, &cost, unit),
    };
    Cell::of(facts.cost(item.index, Metric::Cpu).map(rate))
}

fn theirs(published: &Published, machine: (&str, &str), work: &Primitive, unit: &'static str) -> Cell {
    let is_it = |line: &&Line| (line.machine.as_str(), line.software.as_str()) == machine && line.is(work);
    let found = published.rows.iter().find(is_it).filter(|line| line.unit == unit);
    Cell::maybe(found.map(|line| Quantity::exact(line.value, unit)))
}

/// The machines that have this operation, this one first.
fn beside(
    facts: &Facts<'_>,
    published: &Published,
    libraries: &[&str],
    row: &Ours<'_>,
) -> Vec<(String, Cell)> {
    let unit = unit(&row.0);
    let here =
        libraries.iter().map(|library| (format!("this machine, {library}"), ours(facts, row, library, unit)));
    let there = published
        .machines()
        .into_iter()
        .map(|machine| (format!("{}, {}", machine.0, machine.1), theirs(published, machine, &row.0, unit)));
    here.chain(there).filter(|(_, cell)| *cell != Cell::Empty).collect()
}

/// The unit in which such an operation is published.
fn unit(work: &Primitive) -> &'static str {
    if work.algorithm.class().is_sized() { "MB/s" } else { "op/s" }
}

fn table(
    facts: &Facts<'_>,
    published: &Published,
    libraries: &[&str],
    rows: &[Ours<'_>],
    unit: &'static str,
) -> Table {
    let columns = vec![
        Column::label("algorithm"),
        Column::label("operation"),
        Column::label("size"),
        Column::label("machine, software"),
        Column::quantity("rate", unit),
        Column::plain("this machine is", "x"),
    ];
    let of_row = |row: &Ours<'_>| {
        let found = beside(facts, published, libraries, row);
        let best = found
            .iter()
            .filter(|(name, _)| name.starts_with("this machine"))
            .filter_map(value)
            .reduce(f64::max);
        let work = row.0;
        let cells = move |(name, cell): (String, Cell)| {
            let size = if work.algorithm.class().is_sized() {
                number::bytes(work.size.into())
            } else {
                String::new()
            };
            let factor =
                best.zip(value(&(name.clone(), cell.clone()))).filter(|_| !name.starts_with("this machine"));
            Row::plain(vec![
                Cell::text(work.algorithm.name()),
                Cell::text(work.op.name()),
                Cell::text(size),
                Cell::text(name),
                cell,
                Cell::maybe(factor.map(|(here, there)| Quantity::exact(here / there, "x"))),
            ])
        };
        found.into_iter().map(cells).collect::<Vec<_>>()
    };
    Table {
        caption: format!("This machine beside published figures, {unit}"),
        columns,
        rows: rows.iter().flat_map(of_row).collect(),
    }
}

fn value((_, cell): &(String, Cell)) -> Option<f64> {
    match cell {
        Cell::Quantity(quantity) => Some(quantity.value),
        _ => None,
    }
}

/// The operation that most machines have, as bars.
fn chart(facts: &Facts<'_>, published: &Published, libraries: &[&str], rows: &[Ours<'_>]) -> Option<Chart> {
    let all = rows.iter().map(|row| (row.0, beside(facts, published, libraries, row)));
    let (work, found) = all.max_by_key(|(_, found)| found.len())?;
    let size =
        if work.algorithm.class().is_sized() { number::bytes(work.size.into()) } else { String::new() };
    let (labels, points) = found.into_iter().unzip();
    Some(Chart {
        title: format!("{} {} {size}", work.algorithm, work.op).trim_end().to_owned(),
        unit: unit(&work),
        log: true,
        labels,
        series: vec![Series { name: "rate".to_owned(), points }],
    })
}

#[cfg(test)]
mod tests {
    use tlstax_spec::Algorithm;

    use super::*;

    #[test]
    fn published_names_are_ours() {
        let text = "source,machine,software,kind,algorithm,operation,bytes,value,unit\n\
                    s,M,\"A, B\",primitive,aes-128-gcm,seal,8192,12.5,MB/s\n\
                    s,M,C,primitive,rsa-2048,sign,,1120,op/s\n";
        let published = Published::parse(text).expect("the text has the columns");
        let gcm =
            Primitive { op: Op::Encrypt, algorithm: Algorithm::Aes128Gcm, size: 8192, pattern: Pattern::Tls };
        let rsa = Primitive { op: Op::Sign, algorithm: Algorithm::Rsa2048, size: 0, pattern: Pattern::Tls };
        assert!(published.rows[0].is(&gcm) && published.rows[1].is(&rsa));
        assert_eq!(published.machines(), [("M", "A, B"), ("M", "C")]);
        assert!(Published::parse("machine\nM\n").is_err());
    }
}
