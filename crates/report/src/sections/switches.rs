//! What a switch is worth: each library with something switched off, beside itself.

mod measured;

use tlstax_doc::Metric;
use tlstax_spec::Primitive;

use self::measured::{Measured, sentences};
use crate::ask::{Facts, Item, Switched, distinct};
use crate::grid::{Grid, Measure};
use crate::label::{HANDSHAKE, Labels, operation};
use crate::model::{Quantity, Section, Table};
use crate::number;

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let measured = Measured::of(facts);
    let ids: Vec<&str> = facts.results.libraries.iter().map(|library| library.id.as_str()).collect();
    let pairs: Vec<Switched<'_>> = ids.iter().filter_map(|id| facts.switched(id, &ids)).collect();
    let intro = "\
        What a library costs without something, as a multiple of what it costs with it: CPU time of one thread, and of \
        the server in handshakes. 1 is no difference.";
    let tables = pairs.iter().flat_map(|pair| [sized(&measured, pair), others(&measured, pair)]);
    let section = Section::new("switches", "Switched off", intro).with(tables.flatten());
    (!section.blocks.is_empty()).then(|| section.saying(sentences(&measured, &pairs)))
}

/// Algorithms down, message sizes across.
fn sized(measured: &Measured<'_>, pair: &Switched<'_>) -> Option<Table> {
    let own = || measured.primitives(pair, true).map(|item| *item.work);
    let mut sizes = distinct(own().map(|work| work.size), |size| *size);
    sizes.sort_unstable();
    let works = distinct(own().map(|work| Primitive { size: 0, ..work }), |work| *work);
    let named = |work: Primitive| ([work.algorithm.to_string(), operation(&work)], work);
    let of_size = |size: u32| {
        Measure::quantity(number::bytes(size.into()), "x", move |work: &Primitive| {
            let factor = measured.factor(pair, &Primitive { size, ..*work })?;
            Some(Quantity::scaled(&factor, 1.0, "x"))
        })
    };
    Grid::new(["algorithm", "operation"], works.into_iter().map(named))
        .measures(sizes.into_iter().map(of_size))
        .table(format!("{} without {}: cost by message size", pair.on, pair.what))
}

/// What has no size: a row for each operation and each handshake.
fn others(measured: &Measured<'_>, pair: &Switched<'_>) -> Option<Table> {
    let labels = Labels::of(HANDSHAKE, &measured.handshakes);
    let primitives = measured.primitives(pair, false).filter_map(|item| {
        let on = measured.find(pair.on, item.work)?.of_any_kind();
        let name = format!("{} {}", item.work.algorithm, operation(item.work));
        Some(([name], Off { off: item.of_any_kind(), on, metric: Metric::Cpu }))
    });
    let handshakes = measured.handshakes(pair).map(|[off, on]| {
        let name = format!("handshake {}", labels.name(&off));
        ([name], Off { off: off.of_any_kind(), on: on.of_any_kind(), metric: Metric::Server })
    });
    let factor = |row: &Off<'_>| row.off.times(&row.on, row.metric);
    let rows = primitives.chain(handshakes).filter(|(_, row)| factor(row).is_some());
    let without = format!("without {}", pair.what);
    Grid::new(["operation"], rows)
        .measure(Measure::quantity(pair.on, "µs", |row: &Off<'_>| row.on.micros(row.metric)))
        .measure(Measure::quantity(without, "µs", |row: &Off<'_>| row.off.micros(row.metric)))
        .measure(Measure::quantity("factor", "x", factor))
        .table(format!("{} without {}: cost of one", pair.on, pair.what))
}

/// A measurement with something switched off, and the same one with it.
struct Off<'a> {
    off: Item<'a, ()>,
    on: Item<'a, ()>,
    metric: Metric,
}
