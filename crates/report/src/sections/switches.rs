//! What a switch is worth: each library with something switched off, beside itself.

mod sentences;

use tlstax_doc::Metric;
use tlstax_spec::{Contexts, Handshake, Pattern, Primitive};
use tlstax_stats::Estimate;

use crate::facts::{Facts, Item};
use crate::label::{HANDSHAKE, Labels};
use crate::number;
use crate::quantity::Quantity;
use crate::switch::Switched;
use crate::view::{Block, Cell, Column, Row, Section, Table};

/// What is compared: everything that one thread does.
struct Measured<'a> {
    facts: &'a Facts<'a>,
    primitives: Vec<Item<'a, Primitive>>,
    handshakes: Vec<Item<'a, Handshake>>,
}

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let measured = Measured::of(facts);
    let ids: Vec<&str> = facts.results.libraries.iter().map(|library| library.id.as_str()).collect();
    let pairs: Vec<Switched<'_>> = ids.iter().filter_map(|id| facts.switched(id, &ids)).collect();
    let tables = pairs.iter().flat_map(|pair| [measured.sized(pair), measured.others(pair)]);
    let blocks: Vec<Block> = tables.flatten().map(Block::Table).collect();
    (!blocks.is_empty()).then(|| Section {
        id: "switches".to_owned(),
        title: "Switched off".to_owned(),
        intro: "\
                What a library costs without something, as a multiple of what it costs with it: CPU time of one \
                thread, and of the server in handshakes. 1 is no difference."
            .to_owned(),
        blocks,
        sentences: sentences::sentences(&measured, &pairs),
    })
}

impl<'a> Measured<'a> {
    fn of(facts: &'a Facts<'a>) -> Self {
        let mut primitives = facts.primitives();
        primitives.retain(|item| item.case.threads == 1 && item.work.pattern == Pattern::Tls);
        primitives.sort_by_key(|item| (item.work.algorithm, item.work.op, item.work.size));
        let mut handshakes = facts.handshakes();
        handshakes.retain(|item| item.case.threads == 1 && item.work.contexts == Contexts::Shared);
        Self { facts, primitives, handshakes }
    }

    /// The primitives of the library without it that have sizes, or those that have none.
    fn primitives(&self, pair: &Switched<'_>, sized: bool) -> impl Iterator<Item = &Item<'a, Primitive>> {
        let (off, on) = (pair.off.to_owned(), pair.on.to_owned());
        self.primitives.iter().filter(move |item| {
            let both = item.library() == off && self.on(&on, item.work).is_some();
            both && item.work.algorithm.class().is_sized() == sized
        })
    }

    /// The same primitive of the library with it.
    fn on(&self, library: &str, work: &Primitive) -> Option<usize> {
        let is_it = |item: &&Item<'_, Primitive>| item.library() == library && item.work == work;
        Some(self.primitives.iter().find(is_it)?.index)
    }

    /// What a primitive costs without it as a multiple of what it costs with it.
    fn factor(&self, pair: &Switched<'_>, work: &Primitive) -> Option<Estimate> {
        let off = self.on(pair.off, work)?;
        self.facts.ratio(off, self.on(pair.on, work)?, Metric::Cpu)
    }

    /// Algorithms down, message sizes across.
    fn sized(&self, pair: &Switched<'_>) -> Option<Table> {
        let mut sizes: Vec<u32> = self.primitives(pair, true).map(|item| item.work.size).collect();
        sizes.sort_unstable();
        sizes.dedup();
        let mut works: Vec<Primitive> =
            self.primitives(pair, true).map(|item| Primitive { size: 0, ..*item.work }).collect();
        works.dedup();
        let row = |work: &Primitive| {
            let factor = |&size: &u32| {
                let factor = self.factor(pair, &Primitive { size, ..*work });
                Cell::maybe(factor.map(|factor| Quantity::scaled(&factor, 1.0, "x")))
            };
            let names = [Cell::text(work.algorithm.name()), Cell::text(work.op.name())];
            let cells: Vec<Cell> = names.into_iter().chain(sizes.iter().map(factor)).collect();
            let told = cells.iter().any(|cell| matches!(cell, Cell::Quantity(_)));
            told.then(|| Row::plain(cells))
        };
        let rows: Vec<Row> = works.iter().filter_map(row).collect();
        let across = sizes.iter().map(|&size| Column::quantity(number::bytes(size.into()), "x"));
        (!rows.is_empty()).then(|| Table {
            caption: format!("{} without {}: cost by message size", pair.on, pair.what),
            columns: [Column::label("algorithm"), Column::label("operation")]
                .into_iter()
                .chain(across)
                .collect(),
            rows,
        })
    }

    /// What has no size: a row for each operation and each handshake.
    fn others(&self, pair: &Switched<'_>) -> Option<Table> {
        let labels = Labels::of(HANDSHAKE, &self.handshakes);
        let mut rows: Vec<Row> = self
            .primitives(pair, false)
            .filter_map(|item| {
                let name = format!("{} {}", item.work.algorithm, item.work.op);
                self.row(name, item.index, self.on(pair.on, item.work)?, Metric::Cpu)
            })
            .collect();
        rows.extend(self.handshakes(pair).filter_map(|(off, on)| {
            let name = format!("handshake {}", labels.name(off));
            self.row(name, off.index, on.index, Metric::Server)
        }));
        (!rows.is_empty()).then(|| Table {
            caption: format!("{} without {}: cost of one", pair.on, pair.what),
            columns: vec![
                Column::label("operation"),
                Column::quantity(pair.on, "µs"),
                Column::quantity(format!("without {}", pair.what), "µs"),
                Column::quantity("factor", "x"),
            ],
            rows,
        })
    }

    /// The handshakes of a library without it, each with the same one with it.
    fn handshakes(
        &self,
        pair: &Switched<'_>,
    ) -> impl Iterator<Item = (&Item<'a, Handshake>, &Item<'a, Handshake>)> {
        let (off, on) = (pair.off.to_owned(), pair.on.to_owned());
        let own = self.handshakes.iter().filter(move |item| item.library() == off);
        own.filter_map(move |item| {
            let is_it = |other: &&Item<'_, Handshake>| other.library() == on && other.work == item.work;
            Some((item, self.handshakes.iter().find(is_it)?))
        })
    }

    fn row(&self, name: String, off: usize, on: usize, metric: Metric) -> Option<Row> {
        let factor = self.facts.ratio(off, on, metric)?;
        let cost =
            |index| Cell::of(self.facts.cost(index, metric).map(|cost| Quantity::scaled(&cost, 1e-3, "µs")));
        let factor = Cell::Quantity(Quantity::scaled(&factor, 1.0, "x"));
        Some(Row::plain(vec![Cell::text(name), cost(on), cost(off), factor]))
    }
}
