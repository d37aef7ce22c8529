//! Ciphers and hashes: algorithms down, message sizes across.

mod side_by_side;

use tlstax_doc::Metric;
use tlstax_spec::{Algorithm, Class, Op, Pattern, Primitive};
use tlstax_stats::{Estimate, HalfWidth, Ratio, affine};

use crate::ask::{Facts, Item};
use crate::model::{Block, Cell, Chart, Column, Quantity, Role, Row, Section, Series, Table};
use crate::notes::notes;
use crate::number;
use crate::phrase;

type Found<'a> = Item<'a, Primitive>;

/// Pairs whose throughputs are set in relation, where both were measured: (row, part, whole).
const PAIRS: &[(&str, Algorithm, Algorithm)] = &[
    ("CBC / GCM, 128 bits", Algorithm::Aes128Cbc, Algorithm::Aes128Gcm),
    ("CBC / GCM, 256 bits", Algorithm::Aes256Cbc, Algorithm::Aes256Gcm),
    ("AES-256 / AES-128, GCM", Algorithm::Aes256Gcm, Algorithm::Aes128Gcm),
    ("AES-256 / AES-128, CBC", Algorithm::Aes256Cbc, Algorithm::Aes128Cbc),
    ("ChaCha20 / AES-256-GCM", Algorithm::ChaCha20Poly1305, Algorithm::Aes256Gcm),
    ("SHA-384 / SHA-256", Algorithm::Sha384, Algorithm::Sha256),
];

const INTRO: &str = "Decimal MB per CPU second of one thread, by message size; ± is the row's widest interval; a call, a byte: \
                     fitted costs. Calls are TLS's own: a new nonce and 13 bytes of additional data.";

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let mut items = facts.primitives();
    items.retain(|item| {
        item.work.algorithm.class().is_sized() && item.case.threads == 1 && !item.is_control()
    });
    if items.is_empty() {
        return None;
    }
    let libraries = facts.libraries(&items);
    let grid = Grid { facts, items };
    let tables = libraries.iter().map(|library| grid.of_library(library, &libraries));
    let overview = side_by_side::table(&grid, &libraries);
    let tables = overview.into_iter().chain(tables.filter(|table| !table.rows.is_empty()));
    let mut blocks: Vec<Block> = tables.map(Block::Table).collect();
    blocks.extend(grid.chart(&libraries).map(Block::Chart));
    blocks.extend(notes(grid.items.iter().map(|item| item.measurement)));
    let mut intro = INTRO.to_owned();
    if grid.items.iter().any(|item| item.work.pattern == Pattern::Speed) {
        intro += " (speed) marks the calls of openssl speed.";
    }
    Some(Section {
        id: "primitives".to_owned(),
        title: "Ciphers and hashes".to_owned(),
        intro,
        blocks,
        sentences: grid.sentences(&libraries),
    })
}

struct Grid<'a> {
    facts: &'a Facts<'a>,
    items: Vec<Found<'a>>,
}

/// A row of the table of one library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Key {
    algorithm: Algorithm,
    op: Op,
    pattern: Pattern,
}

impl<'a> Grid<'a> {
    fn find(&self, library: &str, key: Key, size: u32) -> Option<Found<'a>> {
        let wanted = Primitive { op: key.op, algorithm: key.algorithm, size, pattern: key.pattern };
        let is_it = |item: &&Found<'_>| item.library() == library && *item.work == wanted;
        self.items.iter().find(is_it).copied()
    }

    fn sizes(&self) -> Vec<u32> {
        let mut sizes: Vec<u32> = self.items.iter().map(|item| item.work.size).collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    /// The rows that there are, in the order of the vocabulary.
    fn keys(&self, library: Option<&str>) -> Vec<Key> {
        let measured = |key: &Key| {
            self.items.iter().any(|item| {
                let Primitive { op, algorithm, pattern, .. } = *item.work;
                Key { algorithm, op, pattern } == *key
                    && library.is_none_or(|library| item.library() == library)
            })
        };
        let of_algorithm = |&algorithm: &Algorithm| {
            let of_op =
                move |&op: &Op| Pattern::ALL.iter().map(move |&pattern| Key { algorithm, op, pattern });
            algorithm.ops().iter().flat_map(of_op)
        };
        Algorithm::ALL.iter().flat_map(of_algorithm).filter(measured).collect()
    }

    fn throughput(&self, item: &Found<'_>) -> Result<Quantity, String> {
        let estimate = self.facts.cost(item.index, Metric::Cpu)?;
        Ok(Quantity::rate(f64::from(item.work.size) * 1e3, &estimate, "MB/s"))
    }

    fn of_library(&self, library: &str, libraries: &[&str]) -> Table {
        let sizes = self.sizes();
        let mut columns = vec![Column::label("algorithm"), Column::label("operation")];
        columns.extend(sizes.iter().map(|&size| Column::plain(number::bytes(size.into()), "MB/s")));
        columns.push(Column::plain("±", ""));
        columns.push(Column::plain("a call", "ns"));
        columns.push(Column::plain("a byte", "ns"));
        let mut caption = format!("{library}: MB/s by message size");
        let first = libraries.first().filter(|first| **first != library).zip(sizes.last());
        if let Some((first, &largest)) = first {
            columns.push(Column::quantity(format!("of {first}"), "%"));
            caption += &format!(
                "; the last column is its speed at {} beside {first}",
                number::bytes(largest.into())
            );
        }
        let keys = self.keys(Some(library));
        let mut rows: Vec<Row> = keys.iter().map(|key| self.row(library, *key, &sizes)).collect();
        rows.extend(self.algorithm_ratios(library, &sizes));
        for (place, row) in rows.iter_mut().enumerate() {
            if let Some((first, &largest)) = first {
                let ratio = keys.get(place).and_then(|key| self.speed(library, first, *key, largest));
                row.cells.push(Cell::maybe(ratio));
            }
        }
        Table { caption, columns, rows }
    }

    fn row(&self, library: &str, key: Key, sizes: &[u32]) -> Row {
        let found: Vec<Option<Found<'_>>> = sizes.iter().map(|&size| self.find(library, key, size)).collect();
        let cell = |item: &Option<Found<'_>>| {
            item.as_ref().map_or(Cell::Empty, |item| Cell::of(self.throughput(item)))
        };
        let mut cells = vec![Cell::text(key.algorithm.name()), Cell::text(operation(key))];
        cells.extend(found.iter().map(cell));
        cells.push(widest(&cells));
        let cost = |item: &Found<'_>| {
            let estimate = self.facts.cost(item.index, Metric::Cpu).ok()?;
            Some((f64::from(item.work.size), estimate.value))
        };
        let points: Vec<(f64, f64)> = found.iter().flatten().filter_map(cost).collect();
        let fit = affine(&points);
        let fitted = |part: f64, worst: Ratio| {
            let missed = format!(
                "a fit over {} sizes; it misses the worst by {}",
                points.len(),
                number::percent(worst)
            );
            let quantity = Quantity::exact(part, "ns");
            if worst > Ratio(0.1) { quantity.remarked(missed) } else { quantity }
        };
        cells.push(Cell::maybe(fit.map(|fit| fitted(fit.per_call, fit.worst_relative_error))));
        cells.push(Cell::maybe(fit.map(|fit| fitted(fit.per_byte, fit.worst_relative_error))));
        Row::plain(cells)
    }

    fn algorithm_ratios(&self, library: &str, sizes: &[u32]) -> Vec<Row> {
        let of_pair = |&(title, part, whole): &(&'static str, Algorithm, Algorithm)| {
            // Decryption is told by the same ratio, or nearly so.
            part.ops().iter().take(1).filter_map(move |&op| {
                let key = |algorithm| Key { algorithm, op, pattern: Pattern::Tls };
                let ratio = |&size: &u32| {
                    let (part, whole) =
                        (self.find(library, key(part), size)?, self.find(library, key(whole), size)?);
                    self.facts.ratio(whole.index, part.index, Metric::Cpu)
                };
                ratio_row(title, op.name(), sizes.iter().map(ratio).collect())
            })
        };
        PAIRS.iter().flat_map(of_pair).collect()
    }

    /// The speed of one library in percent of another's.
    fn speed(&self, library: &str, other: &str, key: Key, size: u32) -> Option<Quantity> {
        let (ours, theirs) = (self.find(library, key, size)?, self.find(other, key, size)?);
        let ratio = self.facts.ratio(theirs.index, ours.index, Metric::Cpu)?;
        Some(Quantity::scaled(&ratio, 100.0, "%"))
    }

    fn chart(&self, libraries: &[&str]) -> Option<Chart> {
        let size = *self.sizes().last()?;
        let mut keys = self.keys(None);
        keys.retain(|key| key.pattern == Pattern::Tls);
        let point = |library: &str, key: &Key| {
            self.find(library, *key, size).map_or(Cell::Empty, |item| Cell::of(self.throughput(&item)))
        };
        let series = libraries.iter().map(|library| Series {
            name: (*library).to_owned(),
            points: keys.iter().map(|key| point(library, key)).collect(),
        });
        (!keys.is_empty()).then(|| Chart {
            title: format!("Messages of {}", number::bytes(size.into())),
            unit: "MB/s",
            log: true,
            labels: keys.iter().map(|key| title(*key)).collect(),
            series: series.collect(),
        })
    }

    fn sentences(&self, libraries: &[&str]) -> Vec<String> {
        let Some(&size) = self.sizes().last() else { return Vec::new() };
        let key = |algorithm| Key { algorithm, op: Op::Encrypt, pattern: Pattern::Tls };
        let measured = |algorithm: &&Algorithm| {
            algorithm.class() == Class::Aead
                && libraries.iter().any(|library| self.find(library, key(**algorithm), size).is_some())
        };
        let mut ciphers = Algorithm::ALL.iter().filter(measured);
        let Some(&base) = ciphers.next() else { return Vec::new() };
        let dearer = |&other: &Algorithm| {
            let ratios = self.facts.by_library(libraries, Metric::Cpu, |library| {
                let find = |algorithm| self.find(library, key(algorithm), size);
                Some((find(other)?.index, find(base)?.index))
            });
            phrase::by_library(&ratios, other.name(), base.name(), |dear, multiple, cheap| {
                let size = number::bytes(size.into());
                format!("At {size} {dear} costs {multiple} {cheap}")
            })
        };
        let mut said: Vec<String> = ciphers.filter_map(dearer).take(3).map(|said| said + ".").collect();
        said.extend(self.libraries_differ(libraries, size));
        said
    }

    /// The two libraries that are furthest apart in what most connections use.
    fn libraries_differ(&self, libraries: &[&str], size: u32) -> Option<String> {
        let key = Key { algorithm: Algorithm::Aes128Gcm, op: Op::Encrypt, pattern: Pattern::Tls };
        let index = |library: &str| Some(self.find(library, key, size)?.index);
        let (a, b, ratio) = self.facts.furthest(libraries, Metric::Cpu, index)?;
        phrase::libraries(&ratio, &format!("aes-128-gcm at {}", number::bytes(size.into())), a, b, "costs")
    }
}

/// The operation as the table names it: hashes have only one.
fn operation(key: Key) -> String {
    let op = if key.algorithm.ops().len() > 1 { key.op.name() } else { "" };
    match key.pattern {
        Pattern::Tls => op.to_owned(),
        Pattern::Speed => format!("{op} (speed)").trim_start().to_owned(),
    }
}

/// The algorithm with its operation.
fn title(key: Key) -> String {
    format!("{} {}", key.algorithm, operation(key)).trim_end().to_owned()
}

/// A row of ratios in percent; none where no pair has both halves.
fn ratio_row(title: &str, op: &str, ratios: Vec<Option<Estimate>>) -> Option<Row> {
    ratios.iter().any(Option::is_some).then(|| {
        let mut cells = vec![Cell::text(title), Cell::text(op)];
        cells.extend(
            ratios
                .iter()
                .map(|ratio| Cell::maybe(ratio.as_ref().map(|ratio| Quantity::scaled(ratio, 100.0, "%")))),
        );
        cells.push(widest(&cells));
        cells.extend([Cell::Empty, Cell::Empty]);
        Row { role: Role::Ratio, cells }
    })
}

/// The widest half-width of some cells, in percent of the value.
fn widest(cells: &[Cell]) -> Cell {
    let half_width = |cell: &Cell| match cell {
        Cell::Quantity(quantity) => quantity.half_width(),
        _ => None,
    };
    cells
        .iter()
        .filter_map(half_width)
        .reduce(|a, b| if b > a { b } else { a })
        .map_or(Cell::Empty, |HalfWidth(ratio)| Cell::text(number::percent(ratio)))
}
