//! [`demands`]: what a workload asks of a server in a second, by kind of connection.

use tlstax_doc::Workload;
use tlstax_doc::model::Bounds;

use super::assumed::{Assumed, What};
use super::case::Case;
use super::kinds::{Gathered, gathered};
use super::rate::{Rate, Rates, float};
use crate::demand::Demand;

/// What a workload asks of a server in a second, and what of it was assumed or left out: a sentence each. Without times its requests
/// are counted as those of one second.
pub fn demands(workload: &Workload, rate: Rate) -> (Vec<Demand>, Vec<String>) {
    let mut assumed = Assumed::default();
    let rates = Rates::of(workload, rate, &mut assumed);
    let each = rates.of_one().unwrap_or(1.0);
    let (mut demands, mut left_out) = (Vec::new(), Vec::new());
    for kind in gathered(workload) {
        match Case::of(&kind, workload, &rates, &mut assumed) {
            Ok(case) => demands.push(demand(&kind, &case, each, &mut assumed)),
            Err(why) => left_out.push(format!("left out: connections with {}", why.meaning())),
        }
    }
    left_out.dedup();
    (demands, [assumed.sentences(), left_out].concat())
}

fn demand(kind: &Gathered, case: &Case, each: f64, assumed: &mut Assumed) -> Demand {
    let counts = &kind.counts;
    // A request of which no connection is known counts as one of its own.
    let connections = counts.connections.saturating_add(counts.requests_without_connection);
    if counts.requests_without_connection > 0 {
        assumed.add(What::RequestsPerConnection, "1");
    }
    let exactly = |value| Bounds { value, low: value, high: value };
    Demand {
        tls: case.tls,
        http: case.http,
        connections: exactly(float(connections) * each),
        resumed: exactly(f64::from(case.resumed_percent) / 100.0),
        resumption: case.resumption,
        requests: float(counts.requests.max(counts.connections_without_requests)) * each,
        bodies: vec![(float(case.body), 1.0)],
    }
}
