//! What suites cost, in words: only what the intervals support.

use tlstax_doc::Metric;
use tlstax_spec::{Bulk, Handshake, Suite, SuiteFacts};
use tlstax_stats::{Estimate, Ratio};

use super::list::{ListedSuite, SuiteList};
use super::tables::Costs;
use crate::ask::Item;

/// Bytes of a response of a small server.
const RESPONSE: f64 = 10_000.0;

struct Measured<'a> {
    suite: Suite,
    cipher: String,
    bulk: Item<'a, Bulk>,
    handshake: Item<'a, Handshake>,
}

pub(super) fn sentences(costs: &Costs<'_>, library: &str, list: &SuiteList) -> Vec<String> {
    let find = |listed: &ListedSuite| {
        let suite: Suite = listed.name.parse().ok()?;
        let keys = listed.keys.as_ref().ok()?;
        let handshake = keys.iter().find_map(|key| costs.handshake(library, suite, *key))?;
        let cipher = SuiteFacts::of(&listed.name).cipher;
        Some(Measured { suite, cipher, bulk: costs.bulk(library, suite)?, handshake })
    };
    let measured: Vec<Measured<'_>> = list.suites.iter().filter_map(find).collect();
    let first = measured.first().and_then(|first| handshake(costs, first));
    first.into_iter().chain(longer_key(costs, &measured)).collect()
}

/// The bulk data that cost as much as a handshake.
fn handshake(costs: &Costs<'_>, one: &Measured<'_>) -> Option<String> {
    let handshake = one.handshake.cost(Metric::Server).ok()?;
    let byte = costs.byte(&one.bulk)?;
    let kilobytes = handshake.value / byte.value / 1e3;
    Some(format!(
        "With {}, a full handshake costs the server as much CPU as sending {} of bulk data.",
        one.suite,
        match kilobytes < 1000.0 {
            true => format!("{kilobytes:.0} KB"),
            false => format!("{:.1} MB", kilobytes / 1e3),
        }
    ))
}

/// What preferring AES-256 costs: in bulk data, and of a whole small response on a new connection.
fn longer_key(costs: &Costs<'_>, measured: &[Measured<'_>]) -> Option<String> {
    let pair = |long: &Measured<'_>| {
        let alike = |short: &&Measured<'_>| {
            short.cipher == "AES-128-GCM" && short.suite.authentication() == long.suite.authentication()
        };
        let short = measured.iter().find(alike).filter(|_| long.cipher == "AES-256-GCM")?;
        let handshakes = long.handshake.ratio(&short.handshake, Metric::Server);
        Some((short, long.bulk.ratio(&short.bulk, Metric::Server)?, handshakes))
    };
    let (short, bulk, handshakes) = measured.iter().find_map(pair)?;
    let handshakes = handshakes?;
    let handshake = short.handshake.cost(Metric::Server).ok()?.value;
    let response = costs.byte(&short.bulk)?.value * RESPONSE;
    let whole = handshake + response;
    // Both ratios at the same end of their intervals: wider than either, never narrower.
    let connection = |of: fn(&Estimate) -> f64| (of(&handshakes) * handshake + of(&bulk) * response) / whole;
    Some(format!(
        "Preferring AES-256-GCM to AES-128-GCM changes what bulk data cost the server by {}, and what a response of 10 KB on a new \
         connection costs by {}, of which the handshake is {:.0} %.",
        change(bulk.value, bulk.low, bulk.high),
        change(connection(|one| one.value), connection(|one| one.low), connection(|one| one.high)),
        handshake / whole * 100.0
    ))
}

/// A ratio as a change in percent with its interval; one that may be none is not called one.
fn change(value: f64, low: f64, high: f64) -> String {
    let [percent, least, most] = [value, low, high].map(|ratio| Ratio(ratio).change().0);
    match low <= 1.0 && high >= 1.0 {
        true => format!("nothing that can be told ({least:+.1} % to {most:+.1} %)"),
        false => format!("{percent:+.1} % ({least:+.1} % to {most:+.1} %)"),
    }
}
