//! Libraries beside each other at the same work.

use tlstax_doc::Metric;
use tlstax_spec::{Bulk, Handshake, Pattern, Primitive};

use super::finding::{Finding, Usual};
use crate::ask::{Facts, Item, furthest, libraries, works};
use crate::label::{BULK, HANDSHAKE, Labels, cipher};
use crate::number;
use crate::sections::{Published, bulk};

/// The same work: half as much again is nothing special.
const USUAL: [f64; 2] = [1.0 / 1.5, 1.5];

/// Of each work that several libraries did, the two that are furthest apart.
pub(super) fn findings(facts: &Facts<'_>, _: &Published) -> Vec<Finding> {
    let (primitives, handshakes, bulks) = (facts.primitives(), facts.handshakes(), facts.bulks());
    let usual = |item: &Item<'_, Primitive>| item.work.pattern == Pattern::Tls;
    let primitives: Vec<Item<'_, Primitive>> = primitives.into_iter().filter(usual).collect();
    let labels = Labels::of(HANDSHAKE, &handshakes);
    let data = Labels::of(BULK, &bulks);
    let handshake = |item: &Item<'_, Handshake>| format!("the server in a {} handshake", labels.name(item));
    let sending = |item: &Item<'_, Bulk>| {
        format!("sending with {} ({})", cipher(item.work.params.suite), data.name(item))
    };
    [
        apart(&primitives, |_| Metric::Cpu, |item| primitive(item.work)),
        apart(&handshakes, |_| Metric::Server, handshake),
        apart(&bulks, bulk::sender, sending),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The two libraries that are furthest apart in each work of one thread.
fn apart<'a, T: PartialEq + 'a>(
    items: &[Item<'a, T>],
    metric: impl Fn(&T) -> Metric,
    name: impl Fn(&Item<'a, T>) -> String,
) -> Vec<Finding> {
    let libraries = libraries(items);
    let finding = |like: &Item<'a, T>| {
        let (a, b, ratio) = furthest(&libraries, metric(like.work), |library| like.by(library, items))?;
        let said = [format!("For {}, {a} costs", name(like)), b.to_owned()];
        let usual = Usual::new(USUAL[0], USUAL[1], "the work is the same");
        // Of all works one is told: a library that is slow is slow at much.
        Some(Finding { kind: "libraries".to_owned(), said, ratio, usual })
    };
    works(items).iter().filter(|item| item.case.threads == 1).filter_map(finding).collect()
}

fn primitive(work: &Primitive) -> String {
    let size = if work.size > 0 { format!(" of {}", number::bytes(work.size.into())) } else { String::new() };
    format!("{} {}{size}", work.algorithm, work.op)
}
