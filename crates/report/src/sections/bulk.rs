//! What a gigabyte costs each side.

mod compression;
mod sides;

use tlstax_doc::Metric;
use tlstax_spec::{Bulk, Compression};
use tlstax_stats::Estimate;

use crate::ask::{Facts, Item, dearest_control, furthest, libraries, works};
use crate::grid::{Cross, Measure};
use crate::label::{BULK, Labels, cipher};
use crate::model::{Quantity, Section};
use crate::notes::notes;
use crate::number;
use crate::phrase::{self, few_or_extremes};
use crate::told::two_each;
use sides::{Found, wire};
pub(crate) use sides::{receiver, sender};

const INTRO: &str = "\
    CPU seconds for a decimal gigabyte of application data, in memory over an established connection, each side on its \
    own. 0.5 s/GB are 2 GB/s of one core. Overhead is what TLS adds on the wire.";

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let items = facts.bulks();
    if items.is_empty() {
        return None;
    }
    let libraries = libraries(&items);
    let labels = Labels::of(BULK, &items);
    let find = |library: &str, like: &Found<'_>| like.by(library, &items);
    let side = |metric: fn(&Bulk) -> Metric| {
        move |item: &Found<'_>| item.per_gigabyte(metric(item.work), item.work.buffer)
    };
    let cross = Cross::new("data", labels.rows(&works(&items)), &libraries, find)
        .measure(Measure::quantity("{} sends", "s/GB", side(sender)))
        .measure(Measure::quantity("{} receives", "s/GB", side(receiver)))
        .once(Measure::plain("overhead", "%", overhead))
        .control("control, the largest", dearest_control(&items, |work| f64::from(work.buffer)));
    let section = Section::new("bulk", "Bulk data", INTRO)
        .with(cross.table(labels.caption("Application data")))
        .with(compression::table(&items, &labels))
        .with(cross.chart("CPU seconds for a gigabyte", true))
        .with(notes(items.iter().map(|item| item.measurement)));
    let answers = answers(&items, &libraries);
    // Of what a gigabyte costs, the first sentence has no more than the answer.
    Some(section.saying(sentences(&items, &libraries)).answering_in_place(answers.len(), answers))
}

/// What the sender put on the wire beyond the payload, in percent of it.
fn overhead(item: &Found<'_>) -> Option<Quantity> {
    let share = wire(item)? as f64 / f64::from(item.work.buffer) - 1.0;
    Some(Quantity::exact(share * 100.0, "%"))
}

/// The cipher, and what is done before it.
fn carried(work: &Bulk) -> String {
    let cipher = cipher(work.params.suite);
    match work.compression {
        Compression::None => cipher,
        method => format!("{cipher} after {method} of {}", work.content),
    }
}

/// What each library did first, where that has a cost.
fn firsts<'a>(items: &[Found<'a>], libraries: &[&str]) -> Vec<Found<'a>> {
    let has_cost = |item: &Found<'_>| item.cost(Metric::Server).is_ok();
    let first =
        |library: &&str| items.iter().find(|item| item.library() == *library && has_cost(item)).copied();
    libraries.iter().filter_map(first).collect()
}

/// What a gigabyte costs both sides.
fn answers(items: &[Found<'_>], libraries: &[&str]) -> Vec<String> {
    let firsts = firsts(items, libraries);
    let Some(first) = firsts.first() else { return Vec::new() };
    let cost = |item: &Found<'_>| {
        let side = |metric: Metric| item.per_gigabyte(metric, item.work.buffer).ok();
        // The sentence says of what.
        let seconds = |cost: Quantity| Quantity { unit: "s", ..cost };
        let sides = [side(sender(item.work))?, side(receiver(item.work))?];
        Some((item.library().to_owned(), sides.map(seconds)))
    };
    let costs = firsts.iter().filter(|item| item.work == first.work).filter_map(cost).collect();
    let cipher = carried(first.work);
    let said = two_each(costs, ["the sender", "the receiver"]);
    said.map(|said| format!("A gigabyte with {cipher} costs {said} of CPU time.")).into_iter().collect()
}

fn sentences(items: &[Found<'_>], libraries: &[&str]) -> Vec<String> {
    let firsts = firsts(items, libraries);
    let mut said: Vec<String> = gigabyte(&firsts).into_iter().collect();
    said.extend(compression::sentences(items));
    said.extend(smaller_records(items, &firsts, libraries));
    said.extend(libraries_differ(items, &firsts));
    said
}

/// The two libraries that are furthest apart in sending what the first of all sent.
fn libraries_differ(items: &[Found<'_>], firsts: &[Found<'_>]) -> Option<String> {
    let like = firsts.first()?;
    let libraries: Vec<&str> = firsts.iter().map(Item::library).collect();
    let (a, b, ratio) = furthest(&libraries, sender(like.work), |library| like.by(library, items))?;
    phrase::libraries(&ratio, &format!("sending with {}", carried(like.work)), a, b, "costs")
}

/// What a gigabyte costs both sides, with every library that sent the same data as the first; of many, the cheapest and
/// the dearest sender.
fn gigabyte(firsts: &[Found<'_>]) -> Option<String> {
    let first = firsts.first()?;
    let alike = firsts.iter().filter(|item| item.work == first.work);
    let told = |cost: &Estimate| number::within_interval(cost.value, cost.low, cost.high);
    let of = |item: &Found<'_>, metric: Metric| item.per_byte(metric, item.work.buffer).ok();
    let costs = alike.filter_map(|item| {
        Some((of(item, sender(item.work))?, of(item, receiver(item.work))?, item.library()))
    });
    let (costs, joint) = few_or_extremes(costs.collect(), |(sent, ..)| sent.value, ", ", " up to ");
    let said = costs.iter().enumerate().map(|(place, (sent, received, library))| {
        let (sent, received) = (told(sent), told(received));
        match place {
            0 => format!("the sender {sent} s and the receiver {received} s of CPU ({library})"),
            _ => format!("{sent} s and {received} s ({library})"),
        }
    });
    let said = said.collect::<Vec<_>>().join(joint);
    let cipher = carried(first.work);
    (!said.is_empty()).then(|| format!("On this machine a gigabyte with {cipher} costs {said}."))
}

/// The smallest records beside the largest, all else as in the first row of each library.
fn smaller_records(items: &[Found<'_>], firsts: &[Found<'_>], libraries: &[&str]) -> Option<String> {
    let extremes = |library: &str| {
        let first = firsts.iter().find(|item| item.library() == library)?;
        let alike = |other: &&Found<'_>| {
            other.library() == library && Bulk { record: first.work.record, ..*other.work } == *first.work
        };
        let smallest = items.iter().filter(alike).min_by_key(|other| other.work.record)?;
        let largest = items.iter().filter(alike).max_by_key(|other| other.work.record)?;
        (smallest.work.record < largest.work.record).then_some((*smallest, *largest))
    };
    let (smallest, largest) = libraries.iter().find_map(|library| extremes(library))?;
    // Where one library has a hole, its extremes are others.
    let is_same = |(small, large): &(Found<'_>, Found<'_>)| {
        (small.work.record, large.work.record) == (smallest.work.record, largest.work.record)
    };
    let ratio = |library: &str| {
        let (small, large) = extremes(library).filter(is_same)?;
        small.ratio(&large, sender(smallest.work))
    };
    let size = |item: &Found<'_>| number::bytes(item.work.record.into());
    phrase::by_library(libraries, ratio, &size(&smallest), &size(&largest), |dear, multiple, cheap| {
        format!("Sending in records of {dear} costs {multiple} records of {cheap}")
    })
}
