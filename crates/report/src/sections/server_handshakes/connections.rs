//! Which connections to one server are compared, with what, and what that says of the key, the exchange, the version and
//! resumption, one at a time.

use tlstax_doc::Metric;
use tlstax_spec::{Direction, Load, Page, Params, Resumption};

use crate::label::{group, key, version};
use crate::loads::{Ends, Found};
use crate::phrase;

/// The HTTPS connections with one request of the smallest body, where there is something to compare.
pub(super) fn compared<'a>(own: &[Found<'a>]) -> Option<Vec<Found<'a>>> {
    let one = |item: &&Found<'_>| {
        let Load { params, requests_per_connection, rate, page, work_us, direction, .. } = item.work;
        let is_small = *page == Page::Static && *work_us == 0 && *direction == Direction::Download;
        params.is_some() && *requests_per_connection == 1 && *rate == 0 && is_small
    };
    let body = own.iter().filter(one).map(|item| item.work.body).min()?;
    let found: Vec<Found<'_>> =
        own.iter().filter(one).filter(|item| item.work.body == body).copied().collect();
    let kind = |work: &Load| (work.params, work.resumption, work.resumed_percent);
    let differ = found.iter().any(|item| kind(item.work) != kind(found[0].work));
    differ.then_some(found)
}

/// What the others are held against: the first that has a figure.
pub(super) fn first<'a>(items: &[Found<'a>]) -> Option<Found<'a>> {
    items.iter().find(|item| item.cost(Metric::Server).is_ok()).copied()
}

/// At most four: the rows that differ from the first of their table in one choice alone.
pub(super) fn sentences(groups: &[(Ends<'_>, Vec<Found<'_>>)]) -> Vec<String> {
    let of_group = |(ends, own): &(Ends<'_>, Vec<Found<'_>>)| {
        let Some(first) = first(own) else { return Vec::new() };
        let sentence = |item: &Found<'_>| {
            let (a, b) = choice(item.work, first.work)?;
            let ratio = |_: &str| item.ratio(&first, Metric::Server);
            phrase::by_library(&[&ends.named()], ratio, &a, &b, |dear, multiple, cheap| {
                format!("On this machine a connection {dear} costs the server {multiple} one {cheap}")
            })
        };
        own.iter().filter(|item| item.case.threads == first.case.threads).filter_map(sentence).collect()
    };
    groups.iter().flat_map(of_group).take(4).collect()
}

/// The one choice in which two connections differ, in words; none where they differ in more, or in nothing.
fn choice(a: &Load, b: &Load) -> Option<(String, String)> {
    let (x, y) = (a.params?, b.params?);
    let alike = |params: Params, resumption: &Load| {
        let Load { resumption, resumed_percent, .. } = *resumption;
        Load { params: Some(params), resumption, resumed_percent, ..b.clone() } == *a
    };
    let named = |names: [String; 2]| {
        let [a, b] = names.map(|words| format!("with {words}"));
        Some((a, b))
    };
    if alike(Params { key: x.key, ..y }, b) {
        return named([x, y].map(|params| key(params.key).to_owned())).filter(|_| x.key != y.key);
    }
    if alike(Params { group: x.group, ..y }, b) {
        return named([x, y].map(group));
    }
    // A suite belongs to one version.
    if alike(Params { version: x.version, suite: x.suite, ..y }, b) {
        return named([x, y].map(|params| version(params.version).to_owned()))
            .filter(|_| x.version != y.version);
    }
    // A mixture is no kind of connection.
    let is_pure = |load: &Load| load.resumption == Resumption::Full || load.resumed_percent == 100;
    (alike(y, a) && is_pure(a) && is_pure(b)).then(|| (resumed(a.resumption), resumed(b.resumption)))
}

fn resumed(kind: Resumption) -> String {
    match kind {
        Resumption::Full => "in full".to_owned(),
        kind => format!("resumed by {kind}"),
    }
}
