//! HTTPS against HTTP in words: small and large files, and the dynamic page.

use tlstax_doc::Metric;
use tlstax_spec::{Load, Page, Resumption};

use crate::loads::{Ends, Pair, any_is_limited, server_cost};
use crate::number;
use crate::phrase;
use crate::told::told;

/// What a sentence is about: the use of connections in words, which pairs, and the order of their bodies.
type Picked = (&'static str, fn(&Load) -> bool, fn(u32) -> i64);

const PICKED: [Picked; 4] = [
    ("on a new connection", |work| is_new(work) && work.page == Page::Static, |body| i64::from(body)),
    ("on a kept connection", |work| is_kept(work) && work.page == Page::Static, |body| -i64::from(body)),
    ("on a new connection", |work| is_new(work) && work.page == Page::FastCgi, |body| i64::from(body)),
    ("on a new connection that resumes", is_resumed, |body| i64::from(body)),
];

fn is_new(work: &Load) -> bool {
    work.requests_per_connection == 1 && work.resumption == Resumption::Full
}

fn is_resumed(work: &Load) -> bool {
    work.requests_per_connection == 1 && work.resumption != Resumption::Full && work.page == Page::Static
}

fn is_kept(work: &Load) -> bool {
    work.requests_per_connection == 0
}

/// What the server spends on the smallest file, the largest and the dynamic page over HTTPS and HTTP, and how much longer it takes
/// where it was the limit.
pub(super) fn answers(pairs: &[Pair<'_>]) -> Vec<String> {
    let answer = |(how, wanted, order): &Picked| {
        let pair = pairs
            .iter()
            .filter(|pair| wanted(pair.https.work))
            .min_by_key(|pair| order(pair.https.work.body))?;
        let factor = told(&pair.https.times(&pair.http, Metric::Server)?);
        let [https, http] = [&pair.https, &pair.http].map(|item| server_cost(item).ok());
        let [https, http] = [told(&https?), told(&http?)];
        let ends = Ends::of(&pair.https).named();
        let slower =
            pair.https.times(&pair.http, Metric::Wall).filter(|_| !any_is_limited(&[pair.https, pair.http]));
        let slower = slower.map(|wall| format!(", and takes {} as long", told(&wall))).unwrap_or_default();
        Some(format!(
            "For {} {how}, HTTPS costs the server {factor} as much as HTTP, {https} in place of {http}{slower} ({ends}).",
            page(pair.https.work)
        ))
    };
    PICKED.iter().filter_map(answer).collect()
}

fn page(work: &Load) -> String {
    match work.page {
        Page::Static => format!("a file of {}", number::bytes(work.body.into())),
        Page::FastCgi => "a dynamic page".to_owned(),
    }
}

/// At most four: the smallest file, the largest, the dynamic page, and what resumption leaves of the first.
pub(super) fn sentences(pairs: &[Pair<'_>]) -> Vec<String> {
    let of = |(how, wanted, order): &Picked| {
        let mut found: Vec<&Pair<'_>> = pairs.iter().filter(|pair| wanted(pair.https.work)).collect();
        found.sort_by_key(|pair| order(pair.https.work.body));
        found.into_iter().find_map(|pair| sentence(pair, how))
    };
    PICKED.iter().filter_map(of).collect()
}

/// How much slower, where the server was the limit; how much dearer otherwise.
fn sentence(pair: &Pair<'_>, how: &str) -> Option<String> {
    let page = page(pair.https.work);
    let ends = Ends::of(&pair.https);
    let cpu = pair.https.ratio(&pair.http, Metric::Server)?;
    let dearer = phrase::dearer(&cpu, "HTTPS", "HTTP", "costs the server")?;
    let slower = pair
        .https
        .ratio(&pair.http, Metric::Wall)
        .filter(|_| !any_is_limited(&[pair.https, pair.http]))
        .and_then(|wall| phrase::slowly(&wall))
        .map(|slowly| format!(", and {} answers {slowly}", ends.server));
    Some(format!("For {page} {how}, {dearer}{} ({}).", slower.unwrap_or_default(), ends.named()))
}
