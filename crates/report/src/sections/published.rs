//! This machine beside machines whose figures were published.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use tlstax_doc::{Metric, Note, Severity};
use tlstax_spec::{Algorithm, Op, Pattern, Primitive};
use tlstax_stats::Estimate;

use crate::ask::{Facts, Item};
use crate::model::{Block, Cell, Chart, Column, Quantity, Row, Section, Series, Table};
use crate::notes::sorted_notes;
use crate::number;

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
    /// Whether this is the same operation; where no size was published, it is set beside the largest message.
    fn is(&self, work: &Primitive, largest: u32) -> bool {
        let silent = if work.algorithm.class().is_sized() { largest } else { 0 };
        self.algorithm() == work.algorithm.name()
            && self.operation() == work.op.name()
            && self.bytes.unwrap_or(silent) == work.size
    }

    /// The algorithm by our name.
    fn algorithm(&self) -> &str {
        if self.algorithm == "aes-128-cbc-sha1" {
            Algorithm::Aes128CbcHmacSha1.name()
        } else {
            &self.algorithm
        }
    }

    /// The operation by our name: what is published as `seal` we call encryption.
    fn operation(&self) -> &str {
        if self.operation == "seal" { Op::Encrypt.name() } else { &self.operation }
    }
}

/// A row of the table: one operation, and where it was measured here.
type Ours<'a> = (Primitive, Vec<Item<'a, Primitive>>);

pub(crate) fn section(facts: &Facts<'_>, published: &Published) -> Option<Section> {
    let mut items = facts.primitives();
    items.retain(|item| item.case.threads == 1 && !item.is_control());
    if published.rows.is_empty() || items.is_empty() {
        return None;
    }
    let rows = rows(&items, published);
    let libraries = facts.libraries(&items);
    let mut blocks: Vec<Block> = rows
        .iter()
        .map(|row| Block::Table(table(beside(facts, published, &libraries, row), &row.0)))
        .collect();
    blocks.extend(chart(facts, published, &libraries, &rows).map(Block::Chart));
    blocks.extend(sorted_notes(only_published(&items, published)));
    Some(Section {
        id: "published".to_owned(),
        title: "Beside published figures".to_owned(),
        intro: "The figures of other machines are as published: their software, its age and its way of calling differ \
                from what was measured here. Where it was measured, openssl speed's own way of calling is compared. A figure whose size was not \
                published stands beside the largest messages here."
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
    let largest = largest(items);
    for item in
        sorted.into_iter().filter(|item| published.rows.iter().any(|line| line.is(item.work, largest)))
    {
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

/// The size of the largest messages that were measured.
fn largest(items: &[Item<'_, Primitive>]) -> u32 {
    items.iter().map(|item| item.work.size).max().unwrap_or_default()
}

/// The published operations that have no partner in this run; those that can have none are said apart.
fn only_published(items: &[Item<'_, Primitive>], published: &Published) -> Vec<Note> {
    let largest = largest(items);
    let has_partner = |line: &Line| items.iter().any(|item| line.is(item.work, largest));
    let mut others: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    let mut exchanges: BTreeSet<&str> = BTreeSet::new();
    for line in published.rows.iter().filter(|line| !has_partner(line)) {
        if line.operation == "exchange" {
            exchanges.insert(&line.algorithm);
        } else {
            let sizes = others.entry(format!("{} {}", line.algorithm(), line.operation())).or_default();
            sizes.extend(line.bytes);
        }
    }
    let sized = |(name, sizes): (String, BTreeSet<u32>)| {
        let sizes: Vec<String> = sizes.into_iter().map(|size| number::bytes(size.into())).collect();
        if sizes.is_empty() { name } else { format!("{name} of {}", sizes.join(", ")) }
    };
    let info =
        |what: String, remedy: &str| Note { severity: Severity::Info, what, remedy: remedy.to_owned() };
    let mut notes = Vec::new();
    if !others.is_empty() {
        let others: Vec<String> = others.into_iter().map(sized).collect();
        notes.push(info(format!("published, and not measured in this run: {}", others.join("; ")), ""));
    }
    if !exchanges.is_empty() {
        let exchanges: Vec<&str> = exchanges.into_iter().collect();
        let what = format!("published, and without a counterpart here: exchange ({})", exchanges.join(", "));
        notes.push(info(what, "an exchange is a keygen and a derive together: add the two"));
    }
    notes
}

fn ours(facts: &Facts<'_>, (work, found): &Ours<'_>, library: &str, unit: &'static str) -> Cell {
    let Some(item) = found.iter().find(|item| item.library() == library) else { return Cell::Empty };
    let rate = |cost: Estimate| match work.algorithm.class().is_sized() {
        true => Quantity::rate(f64::from(work.size) * 1e3, &cost, unit),
        false => Quantity::rate(1e9, &cost, unit),
    };
    Cell::of(facts.cost(item.index, Metric::Cpu).map(rate))
}

fn theirs(published: &Published, machine: (&str, &str), work: &Primitive, largest: u32) -> Cell {
    let unit = unit(work);
    let is_it =
        |line: &&Line| (line.machine.as_str(), line.software.as_str()) == machine && line.is(work, largest);
    let found = published.rows.iter().find(is_it).filter(|line| line.unit == unit);
    Cell::maybe(found.map(|line| Quantity::exact(line.value, unit)))
}

/// An operation by the libraries that were measured here, and on the machines of which it was published.
struct Beside<'a> {
    here: Vec<(&'a str, Cell)>,
    there: Vec<(String, Cell)>,
}

/// Who has this operation.
fn beside<'a>(facts: &Facts<'_>, published: &Published, libraries: &[&'a str], row: &Ours<'_>) -> Beside<'a> {
    let unit = unit(&row.0);
    let largest = largest(&facts.primitives());
    let here = libraries.iter().map(|library| (*library, ours(facts, row, library, unit)));
    let there = published.machines().into_iter().map(|machine| {
        (format!("{}, {}", machine.0, machine.1), theirs(published, machine, &row.0, largest))
    });
    Beside {
        here: here.filter(|(_, cell)| *cell != Cell::Empty).collect(),
        there: there.filter(|(_, cell)| *cell != Cell::Empty).collect(),
    }
}

/// The unit in which such an operation is published.
fn unit(work: &Primitive) -> &'static str {
    if work.algorithm.class().is_sized() { "MB/s" } else { "op/s" }
}

/// One operation on this machine and on others, with what each library here is of each of them.
fn table(beside: Beside<'_>, work: &Primitive) -> Table {
    let Beside { here, there } = beside;
    let many = here.len() > 1;
    let factor = |(library, _): &(&str, Cell)| match many {
        true => Column::plain(format!("{library} here is"), "x as fast"),
        false => Column::plain("", ""),
    };
    let title_of = |title: &str| if many { title.to_owned() } else { String::new() };
    let columns = [Column::label(title_of("machine")), Column::quantity(title_of("rate"), unit(work))];
    let ours = here.iter().map(|(library, cell)| {
        let none = here.iter().map(|_| Cell::Empty);
        Row::plain([Cell::text(this_machine(library)), cell.clone()].into_iter().chain(none).collect())
    });
    let theirs = there.iter().map(|(name, cell)| {
        let factors = here.iter().map(|(_, ours)| Cell::maybe(as_fast(ours, cell, many)));
        Row::plain([Cell::text(name), cell.clone()].into_iter().chain(factors).collect())
    });
    Table {
        caption: format!("{}, {}", title(work), unit(work)),
        rows: ours.chain(theirs).collect(),
        columns: columns.into_iter().chain(here.iter().map(factor)).collect(),
    }
}

/// What our rate is of theirs; the unit says so where no heading does.
fn as_fast(ours: &Cell, theirs: &Cell, has_heading: bool) -> Option<Quantity> {
    let unit = if has_heading { "x as fast" } else { "x as fast here" };
    Some(Quantity::exact(value(ours)? / value(theirs)?, unit))
}

fn this_machine(library: &str) -> String {
    format!("this machine, {library}")
}

/// The operation in words, with the size where it has one.
fn title(work: &Primitive) -> String {
    let size =
        if work.algorithm.class().is_sized() { number::bytes(work.size.into()) } else { String::new() };
    format!("{} {} {size}", work.algorithm, work.op).trim_end().to_owned()
}

fn value(cell: &Cell) -> Option<f64> {
    match cell {
        Cell::Quantity(quantity) => Some(quantity.value),
        _ => None,
    }
}

/// The operation that most machines have, as bars.
fn chart(facts: &Facts<'_>, published: &Published, libraries: &[&str], rows: &[Ours<'_>]) -> Option<Chart> {
    let all = rows.iter().map(|row| (row.0, beside(facts, published, libraries, row)));
    let (work, found) = all.max_by_key(|(_, found)| found.here.len() + found.there.len())?;
    let here = found.here.into_iter().map(|(library, cell)| (this_machine(library), cell));
    let (labels, points) = here.chain(found.there).unzip();
    Some(Chart {
        title: title(&work),
        unit: unit(&work),
        log: true,
        labels,
        series: vec![Series { name: "rate".to_owned(), points }],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_names_are_ours() {
        let text = "source,machine,software,kind,algorithm,operation,bytes,value,unit\n\
                    s,M,\"A, B\",primitive,aes-128-gcm,seal,8192,12.5,MB/s\n\
                    s,M,C,primitive,rsa-2048,sign,,1120,op/s\n\
                    s,M,C,primitive,aes-128-cbc-sha1,seal,,387,MB/s\n\
                    s,M,C,primitive,x25519,exchange,,9278,op/s\n";
        let published = Published::parse(text).expect("the text has the columns");
        let gcm =
            Primitive { op: Op::Encrypt, algorithm: Algorithm::Aes128Gcm, size: 8192, pattern: Pattern::Tls };
        let rsa = Primitive { op: Op::Sign, algorithm: Algorithm::Rsa2048, size: 0, pattern: Pattern::Tls };
        assert!(published.rows[0].is(&gcm, 64) && published.rows[1].is(&rsa, 64));
        let cbc = Primitive { algorithm: Algorithm::Aes128CbcHmacSha1, size: 64, ..gcm };
        assert!(published.rows[2].is(&cbc, 64) && !published.rows[2].is(&cbc, 8192));
        assert_eq!(published.machines(), [("M", "A, B"), ("M", "C")]);
        let only = only_published(&[], &published);
        assert!(only[0].what.contains("aes-128-gcm encrypt of 8 KiB; rsa-2048 sign"), "{only:?}");
        assert!(only[1].what.contains("exchange (x25519)"), "{only:?}");
        assert!(Published::parse("machine\nM\n").is_err());
    }
}
