//! What HTTPS adds to a request, in words: small and large bodies, new connections, dynamic pages.

use tlstax_doc::Metric;
use tlstax_spec::{Direction, Http, Load, Page, Resumption};

use crate::loads::Pair;
use crate::number;
use crate::phrase::few_or_extremes;

/// A request in words, where there is such a one.
type Picked<'p, 'a> = (String, Option<&'p Pair<'a>>);

/// At most four sentences: a small and a large body on kept connections, a new connection, a dynamic page.
pub(super) fn sentences(pairs: &[Pair<'_>], libraries: &[&str]) -> Vec<String> {
    let find = |wanted: &dyn Fn(&Load) -> bool, by: fn(u32) -> i64| {
        let found = pairs.iter().filter(|pair| is_usual(pair.https.work) && wanted(pair.https.work));
        found.min_by_key(|pair| by(pair.https.work.body))
    };
    let kept = |work: &Load| work.requests_per_connection == 0 && work.work_us == 0 && work.body > 0;
    let small = find(&kept, i64::from);
    let large =
        find(&kept, |body| -i64::from(body)).filter(|large| small.is_none_or(|small| !small.alike(large)));
    let new = |work: &Load| work.requests_per_connection == 1 && work.resumption == Resumption::Full;
    let body = |pair: Option<&Pair<'_>>| number::bytes(pair.map_or(0, |pair| pair.https.work.body).into());
    let picked: [Picked<'_, '_>; 4] = [
        (format!("a keep-alive request of {}", body(small)), small),
        (format!("a keep-alive request of {}", body(large)), large),
        ("a request on a new connection".to_owned(), find(&new, |_| 0)),
        ("a request for the dynamic page".to_owned(), find(&|work| work.work_us > 0, |_| 0)),
    ];
    let of = |(what, pair): &Picked<'_, '_>| sentence(pairs, (*pair)?, what, libraries);
    picked.iter().filter_map(of).collect()
}

/// Whether a load has the usual values of all that a sentence does not mention.
pub(super) fn is_usual(work: &Load) -> bool {
    work.http == Http::Http1
        && work.rate == 0
        && work.direction == Direction::Download
        && work.page == Page::Static
}

/// What HTTPS adds to one request with every library whose interval is above zero; of many, the least and the most.
fn sentence(pairs: &[Pair<'_>], like: &Pair<'_>, what: &str, libraries: &[&str]) -> Option<String> {
    let shares = libraries.iter().filter_map(|library| {
        let pair = like.with_library(library, pairs)?;
        let (https, added) = (pair.https.micros(Metric::Server).ok()?, pair.added()?);
        // A difference that may be nothing, or of either sign, is not worth a sentence.
        (added.low > 0.0).then_some(())?;
        let [part, whole] =
            [&added, &https].map(|cost| number::within_interval(cost.value, cost.low, cost.high));
        Some((library, format!("{part} of the {whole} µs"), added.value))
    });
    let (shares, joint) = few_or_extremes(shares.collect(), |(.., added)| *added, ", ", " up to ");
    let mut shares = shares.into_iter();
    let (first, share, _) = shares.next()?;
    let others: String = shares.map(|(library, share, _)| format!("{joint}{share} ({library})")).collect();
    Some(format!("On this machine HTTPS adds about {share} that {what} costs the server ({first}){others}."))
}
