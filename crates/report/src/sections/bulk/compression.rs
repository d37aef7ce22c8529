//! What TLS compression costs beside the same suite without.

use tlstax_doc::Metric;
use tlstax_spec::{Bulk, Compression};

use super::sides::{Found, receiver, sender, wire};
use crate::grid::{Grid, Measure};
use crate::label::Labels;
use crate::model::{Quantity, Table};
use crate::number;
use crate::phrase;
use crate::told::told;

/// A transfer that was compressed, and the same without if that was measured.
struct Compressed<'a> {
    with: Found<'a>,
    without: Option<Found<'a>>,
}

/// What each core sends and receives with compression and without, and what goes over the wire.
pub(super) fn table<'a>(items: &[Found<'a>], labels: &Labels<Bulk>) -> Option<Table> {
    let named = |one: Compressed<'a>| ([labels.name(&one.with), one.with.library().to_owned()], one);
    Grid::new(["data", "library"], compressed(items).into_iter().map(named))
        .measure(Measure::quantity("one core sends", "MB/s", |one: &Compressed<'_>| rate(&one.with)))
        .measure(Measure::plain("without", "MB/s", |one: &Compressed<'_>| {
            one.without.and_then(|without| rate(&without).ok())
        }))
        .measure(Measure::quantity("sender's CPU", "x", |one: &Compressed<'_>| times(one, sender)))
        .measure(Measure::quantity("receiver's CPU", "x", |one: &Compressed<'_>| times(one, receiver)))
        .measure(Measure::plain("on the wire", "%", |one: &Compressed<'_>| on_wire(&one.with)))
        .table("TLS compression beside the same suite without")
}

/// How much dearer the sender of each content becomes, and where its core is full; of transfers that differ in more, the first.
pub(super) fn sentences(items: &[Found<'_>]) -> Vec<String> {
    let compressed = compressed(items);
    let Some(first) = compressed.first().map(|one| *one.with.work) else { return Vec::new() };
    let is_alike = |one: &&Compressed<'_>| Bulk { content: first.content, ..*one.with.work } == first;
    compressed.iter().filter(is_alike).filter_map(sentence).collect()
}

fn sentence(one: &Compressed<'_>) -> Option<String> {
    let (with, without) = (one.with, one.without?);
    let ratio = with.ratio(&without, sender(with.work))?;
    let Bulk { compression, content, .. } = with.work;
    let compressed = format!("Sending {content} with TLS compression ({compression})");
    let dearer = phrase::dearer(&ratio, &compressed, "sending without", "costs")?;
    let full = [told(&rate(&with).ok()?), told(&rate(&without).ok()?)];
    let wire = on_wire(&with)
        .map(|share| format!("; {} % of the bytes go over the wire", number::significant(share.value, 2)));
    Some(format!(
        "{dearer} ({}): {} fill a core of the sender, and {} without{}.",
        with.library(),
        full[0],
        full[1],
        wire.unwrap_or_default()
    ))
}

fn compressed<'a>(items: &[Found<'a>]) -> Vec<Compressed<'a>> {
    let usual = |work: &Bulk| Bulk {
        compression: Compression::None,
        content: Bulk::usual(work.params).content,
        ..*work
    };
    let without = |with: &Found<'a>| {
        let is_it = |other: &&Found<'a>| {
            other.library() == with.library()
                && other.case.threads == with.case.threads
                && *other.work == usual(with.work)
        };
        items.iter().find(is_it).copied()
    };
    let is_compressed =
        |item: &&Found<'a>| item.work.compression != Compression::None && item.measurement.proof().is_some();
    let with = items.iter().filter(is_compressed);
    with.map(|item| Compressed { with: *item, without: without(item) }).collect()
}

/// What one core of the sender sends.
fn rate(item: &Found<'_>) -> Result<Quantity, String> {
    // Nanoseconds for a byte.
    let cost = item.per_byte(sender(item.work), item.work.buffer)?;
    Ok(Quantity::rate(1e3, &cost, "MB/s"))
}

fn times(one: &Compressed<'_>, side: fn(&Bulk) -> Metric) -> Option<Quantity> {
    one.with.times(&one.without?, side(one.with.work))
}

/// The bytes on the wire, in percent of the payload.
fn on_wire(item: &Found<'_>) -> Option<Quantity> {
    let share = wire(item)? as f64 / f64::from(item.work.buffer);
    Some(Quantity::exact(share * 100.0, "%"))
}
