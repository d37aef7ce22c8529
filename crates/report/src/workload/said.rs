//! The answer of a workload, in sentences.

use tlstax_doc::{Counts, Workload};

use super::dimension::{self, Dimension, Value};
use super::handshakes::Handshakes;
use super::kinds::said_bounds;
use super::known::{self, Known};
use super::per_connection::PerConnection;
use super::sources;
use super::times::{CONNECTIONS, REQUESTS, Times};
use crate::number;

/// So many values of a dimension are named.
const NAMED: usize = 3;

/// What matters most of the traffic, then how much there was, then what is unknown.
pub(super) fn sentences(workload: &Workload) -> Vec<String> {
    if workload.shares.is_empty() {
        return vec!["Nothing was counted.".to_owned()];
    }
    [Some(most_telling(workload)), Some(amounts(workload)), unknown(workload)].into_iter().flatten().collect()
}

pub(super) fn most_telling(workload: &Workload) -> String {
    let response = workload.response_bytes.quantile(0.5);
    let response = response.map(|median| format!("median response {}", number::size(median as f64, 2)));
    let parts = [Some(resumed(workload)), Some(each(workload)), response, busiest(workload)];
    sentence(&parts.into_iter().flatten().collect::<Vec<_>>().join("; "))
}

fn resumed(workload: &Workload) -> String {
    let Some(handshakes) = Handshakes::of(workload) else { return "no connection had TLS".to_owned() };
    let percent = |share: f64| number::whole_percent(share, 1.0);
    match (handshakes.share(), handshakes.of_requests()) {
        (Some(share), _) if handshakes.is_all_told() => {
            format!("{} of handshakes were resumed", percent(share))
        }
        (Some(share), _) => format!(
            "{} of the {} handshakes that tell it were resumed ({} of all, as the others may be)",
            percent(share),
            known::count(handshakes.told()),
            said_bounds(handshakes.bounds())
        ),
        (None, Some(share)) => format!(
            "{} of requests that tell it came over resumed connections, and what share of handshakes were resumed is unknown",
            percent(share)
        ),
        (None, None) => "how many handshakes were resumed is unknown".to_owned(),
    }
}

fn each(workload: &Workload) -> String {
    match PerConnection::of(workload) {
        Some(found) => {
            let mean = number::significant(found.mean(), 2);
            let Counts { connections_without_requests, requests_without_connection, .. } =
                known::sum(&workload.shares);
            let is_all = connections_without_requests == 0 && requests_without_connection == 0;
            let of = if is_all { "" } else { " of those that tell it" };
            format!("{} requests a connection{of}", mean.strip_suffix(".0").unwrap_or(&mean))
        }
        None => "how many requests a connection had is unknown".to_owned(),
    }
}

fn busiest(workload: &Workload) -> Option<String> {
    let times = Times::of(workload)?;
    let rate = [&REQUESTS, &CONNECTIONS].into_iter().find(|rate| times.knows(rate))?;
    let peak = times.load(rate)?.peak;
    let is_least = rate.word == REQUESTS.word
        && matches!(known::requests(&known::sum(&workload.shares)), Known::AtLeast(_));
    let least = if is_least { "at least " } else { "" };
    Some(format!("busiest {}: {least}{} {}/s", times.span(), per_second(peak), rate.word))
}

/// A rate with its thousands set apart, where it is large.
pub(super) fn per_second(rate: f64) -> String {
    if rate >= 100.0 { number::thousands(rate.round() as u64) } else { number::significant(rate, 2) }
}

fn amounts(workload: &Workload) -> String {
    let whole = known::sum(&workload.shares);
    let said = |known: Known, what: &str| match known.said(known::count) {
        Some(count) => format!("{count} {what}"),
        None => format!("an unknown number of {what}"),
    };
    let failed = (whole.failed_handshakes > 0)
        .then(|| format!("{} handshakes that failed", known::count(whole.failed_handshakes)));
    let parts = [
        Some(said(known::connections(&whole), "connections")),
        Some(said(known::requests(&whole), "requests")),
        Some(bytes(&whole)),
        failed,
        Times::of(workload).map(|times| times.period()),
    ];
    sentence(&parts.into_iter().flatten().collect::<Vec<_>>().join("; "))
}

fn bytes(whole: &Counts) -> String {
    let [sent, received] = [whole.out, whole.into].map(|total| known::bytes(whole, total).said(known::size));
    match (sent, received) {
        (Some(sent), Some(received)) => format!("servers sent {sent}, clients {received}"),
        (Some(sent), None) => format!("servers sent {sent}, what clients sent is unknown"),
        (None, Some(received)) => format!("clients sent {received}, what servers sent is unknown"),
        (None, None) => "bytes are unknown".to_owned(),
    }
}

fn unknown(workload: &Workload) -> Option<String> {
    let untold: Vec<&str> = sources::untold(workload).into_iter().map(|telling| telling.title).collect();
    let hint = sources::hint(workload).unwrap_or_default();
    (!untold.is_empty())
        .then(|| format!("Not told by any source: {}. {hint}", untold.join(", ")).trim().to_owned())
}

/// The largest shares of each dimension: of connections, or of requests where these alone are known.
pub(super) fn mix(workload: &Workload) -> Vec<String> {
    dimension::ALL.into_iter().filter_map(|dimension| shares(workload, dimension)).collect()
}

fn shares(workload: &Workload, dimension: &Dimension) -> Option<String> {
    let counts = dimension.counts(workload);
    if !dimension.is_told(workload) || counts.len() < 2 && dimension.word == "class" {
        return None;
    }
    let whole = known::sum(dimension.shares(workload));
    let (of, what): (fn(&Counts) -> u64, _) = match whole.connections {
        0 => (|counts| counts.requests, "requests"),
        _ => (|counts| counts.connections, "connections"),
    };
    let all = of(&whole);
    let counts: Vec<&(Value, Counts)> = counts.iter().filter(|(_, counts)| of(counts) > 0).collect();
    let known = counts.iter().filter(|(value, _)| matches!(value, Value::Known(_))).count();
    // One that is left over is named as well.
    let named = if known > NAMED + 1 { NAMED } else { known };
    let share = |part: u64| number::whole_percent(part as f64, all as f64);
    let said = |(value, counts): &(Value, Counts)| format!("{} {}", value.title(), share(of(counts)));
    let others: u64 = counts[named..known].iter().map(|(_, counts)| of(counts)).sum();
    let others = (others > 0).then(|| format!("{} others {}", known - named, share(others)));
    let said = counts[..named]
        .iter()
        .copied()
        .map(said)
        .chain(others)
        .chain(counts[known..].iter().copied().map(said));
    let said: Vec<String> = said.collect();
    (all > 0).then(|| sentence(&format!("{}, of {what}: {}", dimension.title, said.join(", "))))
}

/// With a capital and a full stop.
fn sentence(said: &str) -> String {
    let mut letters = said.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", letters.as_str())
}
