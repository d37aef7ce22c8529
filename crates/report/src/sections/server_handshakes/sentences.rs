//! Sentences on handshakes on a server: the key, the exchange, the version and resumption, one at a time.

use tlstax_doc::Metric;
use tlstax_spec::{Load, Params, Resumption};

use super::connections::first;
use crate::label::{group, key, version};
use crate::loads::{Ends, Found};
use crate::phrase;

/// At most four: the rows that differ from the first of their table in one choice alone.
pub(super) fn sentences(groups: &[(Ends<'_>, Vec<Found<'_>>)]) -> Vec<String> {
    let of_group = |(ends, own): &(Ends<'_>, Vec<Found<'_>>)| {
        let Some(first) = first(own) else { return Vec::new() };
        let sentence = |item: &Found<'_>| {
            let (a, b) = choice(item.work, first.work)?;
            let ratio = item.ratio(&first, Metric::Server)?;
            let named = ends.named();
            phrase::by_library(
                &[&named],
                |_| Some(ratio),
                &a,
                &b,
                |dear, multiple, cheap| {
                    format!("On this machine a connection {dear} costs the server {multiple} one {cheap}")
                },
            )
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
