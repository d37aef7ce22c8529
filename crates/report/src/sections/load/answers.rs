//! How many requests there are in a second over HTTP and HTTPS, in words: on kept connections, and on new ones.

use tlstax_doc::Metric;
use tlstax_spec::{Load, Resumption};

use super::sentences::is_usual;
use crate::loads::{Ends, Found, Pair, bound, by_ends, pairs, rate};
use crate::model::{Quantity, Sign};
use crate::number;
use crate::told::{told, two_each};

/// A use of connections, and what it is called.
type Kept = (&'static str, fn(&Load) -> bool);

const KEPT: [Kept; 2] = [
    ("On kept connections", |work| work.requests_per_connection == 0),
    ("On new connections", |work| work.requests_per_connection == 1 && work.resumption == Resumption::Full),
];

/// The rates and what they cost the server, for the smallest body of each use of connections.
pub(super) fn answers(items: &[Found<'_>]) -> Vec<String> {
    let mut pairs = pairs(items);
    pairs.retain(|pair| !pair.https.is_control());
    let of_kept = |(how, is_it): &Kept| {
        let found: Vec<Pair<'_>> = pairs
            .iter()
            .filter(|pair| is_usual(pair.https.work) && is_it(pair.https.work))
            .copied()
            .collect();
        let body = found.iter().map(|pair| pair.https.work.body).filter(|body| *body > 0).min()?;
        let alike: Vec<Pair<'_>> = found.into_iter().filter(|pair| pair.https.work.body == body).collect();
        let body = number::bytes(body.into());
        let rates = of_ends(&alike, per_second);
        let is_bound = rates.iter().flat_map(|(_, both)| both).any(|rate| rate.sign == Some(Sign::AtLeast));
        let why = if is_bound { "; > where the client was the limit" } else { "" };
        let rates = two_each(rates, ["HTTPS gives", "HTTP"])?;
        Some(format!("{how}, with bodies of {body}, {rates}{why}."))
    };
    let answers: Vec<String> = KEPT.iter().filter_map(of_kept).collect();
    match answers.is_empty() {
        true => alone(items).into_iter().collect(),
        false => answers,
    }
}

/// What the first pair of each server and client has of something, HTTPS first.
fn of_ends(pairs: &[Pair<'_>], figure: fn(&Found<'_>) -> Option<Quantity>) -> Vec<(String, [Quantity; 2])> {
    let https: Vec<Found<'_>> = pairs.iter().map(|pair| pair.https).collect();
    let both = |(ends, own): &(Ends<'_>, Vec<Found<'_>>)| {
        let pair = pairs.iter().find(|pair| pair.https.index == own[0].index)?;
        Some((ends.title(), [figure(&pair.https)?, figure(&pair.http)?]))
    };
    by_ends(&https).iter().filter_map(both).collect()
}

fn per_second(item: &Found<'_>) -> Option<Quantity> {
    let rate = rate(item, bound(item)).ok()?;
    Some(Quantity { unit: "requests/s", ..rate })
}

/// The first load that has figures, where none has a partner without TLS.
fn alone(items: &[Found<'_>]) -> Option<String> {
    let (item, rate) =
        items.iter().filter(|item| !item.is_control()).find_map(|item| Some((item, per_second(item)?)))?;
    let cost = item
        .micros(Metric::Server)
        .ok()
        .map(|cost| format!(", at {} of the server's CPU time each", told(&cost)));
    Some(format!(
        "The first load has {}{} ({}).",
        told(&rate),
        cost.unwrap_or_default(),
        Ends::of(item).title()
    ))
}
