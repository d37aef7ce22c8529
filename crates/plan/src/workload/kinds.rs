//! [`Gathered`]: connections that differ in nothing but whether they resumed.

use std::collections::BTreeMap;

use tlstax_doc::{Counts, Kind, Resumed, Workload};

/// Connections that differ in nothing but whether they resumed.
#[derive(Debug)]
pub struct Gathered {
    /// What they have in common; neither class nor resumption.
    pub kind: Kind,
    pub counts: Counts,
    /// How many began in which way.
    pub begun: BTreeMap<Option<Resumed>, f64>,
}

impl Gathered {
    /// How many connections there may have been. A request of which nothing tells counts as one.
    pub fn weight(&self) -> f64 {
        weight(&self.counts)
    }
}

/// The kinds of a workload that have connections, the most frequent first.
pub fn gathered(workload: &Workload) -> Vec<Gathered> {
    let mut kinds = all_kinds(workload);
    kinds.retain(|kind| kind.weight() > 0.0);
    kinds
}

/// The same with those of whose requests nothing tells on which connections they came.
pub fn all_kinds(workload: &Workload) -> Vec<Gathered> {
    let mut kinds = BTreeMap::<Kind, Gathered>::new();
    for share in &workload.shares {
        let kind = Kind { class: None, resumed: None, ..share.kind.clone() };
        let known = kinds.entry(kind.clone()).or_insert_with(|| Gathered {
            kind,
            counts: Counts::default(),
            begun: BTreeMap::new(),
        });
        known.counts.merge(&share.counts);
        *known.begun.entry(share.kind.resumed).or_default() += weight(&share.counts);
    }
    let mut kinds: Vec<Gathered> = kinds.into_values().collect();
    kinds.sort_by(|one, other| other.weight().total_cmp(&one.weight()));
    kinds
}

// Counts are far below 2^52, or the last digits do not matter.
#[allow(clippy::cast_precision_loss)]
const fn weight(counts: &Counts) -> f64 {
    counts.connections.saturating_add(counts.requests_without_connection) as f64
}
