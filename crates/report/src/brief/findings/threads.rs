//! Several threads beside one.

use tlstax_doc::Metric;
use tlstax_spec::Handshake;

use super::finding::{Finding, Usual};
use crate::ask::{Facts, Item};
use crate::sections::Published;

/// A thread with a core of its own may lose so much to others.
const LOST: f64 = 0.1;

/// How much more handshakes several threads make than one, each with a core of its own.
pub(super) fn findings(facts: &Facts<'_>, _: &Published) -> Vec<Finding> {
    let Some(cores) = facts.results.host.topology.cores else { return Vec::new() };
    let items = facts.handshakes();
    let several = items.iter().filter(|item| item.case.threads > 1 && u32::from(item.case.threads) <= cores);
    several.filter(|item| !item.is_control()).filter_map(|item| finding(&items, item)).collect()
}

fn finding(items: &[Item<'_, Handshake>], item: &Item<'_, Handshake>) -> Option<Finding> {
    let is_alone = |one: &&Item<'_, Handshake>| {
        one.case.threads == 1 && one.library() == item.library() && one.work == item.work
    };
    let threads = item.case.threads;
    // Both are times of one handshake: the fewer, the more in a second.
    let ratio = items.iter().find(is_alone)?.ratio(item, Metric::Wall)?;
    let said = [format!("{threads} threads make handshakes"), format!("as fast as one ({})", item.library())];
    let usual = Usual::new(f64::from(threads) * (1.0 - LOST), threads.into(), "each has a core");
    Some(Finding { kind: "threads".to_owned(), said, ratio, usual })
}
