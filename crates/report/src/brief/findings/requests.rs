//! Requests over HTTPS beside the same over HTTP.

use tlstax_doc::Metric;
use tlstax_spec::{Direction, Http, Load, Page, Resumption};

use super::finding::{Finding, Usual};
use crate::ask::Facts;
use crate::loads::{Ends, Pair, pairs};
use crate::number;
use crate::sections::Published;

/// Bodies above this are bulk data more than requests.
const SMALL: u32 = 16 * 1024;

/// A use of connections, what it is called, and what is usual of it.
type Kept = (&'static str, fn(&Load) -> bool, [f64; 2], &'static str);

const KEPT: [Kept; 2] = [
    (
        "on a new connection",
        |work| work.requests_per_connection == 1 && work.resumption == Resumption::Full,
        [2.0, 7.0],
        "published for a small server",
    ),
    ("on a kept connection", |work| work.requests_per_connection == 0, [1.0, 1.5], "tlstax's own runs"),
];

pub(super) fn findings(facts: &Facts<'_>, _: &Published) -> Vec<Finding> {
    let loads = facts.loads();
    let mut pairs = pairs(&loads);
    pairs.retain(|pair| !pair.https.is_control() && is_small(pair.https.work));
    let of_kept = |kept: &Kept| {
        let own = pairs.iter().filter(|pair| (kept.1)(pair.https.work));
        own.filter_map(|pair| finding(pair, kept)).collect::<Vec<_>>()
    };
    KEPT.iter().flat_map(of_kept).collect()
}

/// Whether it is a request for a small file, as fast as it goes.
fn is_small(work: &Load) -> bool {
    work.http == Http::Http1
        && work.rate == 0
        && work.work_us == 0
        && work.page == Page::Static
        && work.direction == Direction::Download
        && (1..=SMALL).contains(&work.body)
}

fn finding(pair: &Pair<'_>, &(how, _, [low, high], by): &Kept) -> Option<Finding> {
    let body = number::bytes(pair.https.work.body.into());
    let before = format!("A request of {body} {how} costs the server over HTTPS");
    let after = format!("as much as over HTTP ({})", Ends::of(&pair.https).title());
    let ratio = pair.https.ratio(&pair.http, Metric::Server)?;
    Some(Finding { kind: how.to_owned(), said: [before, after], ratio, usual: Usual::new(low, high, by) })
}
