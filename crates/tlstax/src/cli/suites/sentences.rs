//! What the figures of suites say in words: only what their intervals support.

use tlstax_doc::Metric;
use tlstax_run::{Expansion, SuiteFacts};
use tlstax_spec::{Key, Suite};
use tlstax_stats::Estimate;

use super::table::{Costs, Place};

/// A response of a small server.
const RESPONSE: f64 = 10_000.0;

/// A suite that was measured.
struct Measured {
    suite: Suite,
    facts: SuiteFacts,
    bulk: Place,
    handshake: Place,
}

/// The sentences for one library.
pub(super) fn of(costs: &Costs<'_>, library: &str, keys: &[Key], expansion: &Expansion) -> Vec<String> {
    let measured: Vec<Measured> = expansion
        .suites
        .iter()
        .filter_map(|name| {
            let suite: Suite = name.parse().ok()?;
            let handshake = keys.iter().find_map(|key| costs.handshake(library, suite, *key))?;
            Some(Measured {
                suite,
                facts: SuiteFacts::of(name),
                bulk: costs.bulk(library, suite)?,
                handshake,
            })
        })
        .collect();
    let mut said: Vec<String> =
        measured.first().and_then(|first| handshake(costs, first)).into_iter().collect();
    said.extend(longer_key(costs, &measured));
    said
}

/// What a handshake is worth in bulk data.
fn handshake(costs: &Costs<'_>, one: &Measured) -> Option<String> {
    let handshake = costs.cost(one.handshake, Metric::Server)?;
    let byte = costs.cost(one.bulk, Metric::Server)?;
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
fn longer_key(costs: &Costs<'_>, measured: &[Measured]) -> Option<String> {
    let of = |cipher: &str, like: Option<&Measured>| {
        measured.iter().find(|one| {
            one.facts.cipher == cipher
                && like.is_none_or(|like| one.suite.authentication() == like.suite.authentication())
        })
    };
    let (long, short) = measured.iter().filter(|one| one.facts.cipher == "AES-256-GCM").find_map(|long| {
        let short = of("AES-128-GCM", Some(long))?;
        costs.ratio(long.bulk, short.bulk, Metric::Server).map(|_| (long, short))
    })?;
    let bulk = costs.ratio(long.bulk, short.bulk, Metric::Server)?;
    let handshakes = costs.ratio(long.handshake, short.handshake, Metric::Server)?;
    let handshake = costs.cost(short.handshake, Metric::Server)?.value;
    let response = costs.cost(short.bulk, Metric::Server)?.value * RESPONSE;
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
    let [value_percent, low_percent, high_percent] = [value, low, high].map(|ratio| (ratio - 1.0) * 100.0);
    match low <= 1.0 && high >= 1.0 {
        true => format!("nothing that can be told ({low_percent:+.1} % to {high_percent:+.1} %)"),
        false => format!("{value_percent:+.1} % ({low_percent:+.1} % to {high_percent:+.1} %)"),
    }
}
