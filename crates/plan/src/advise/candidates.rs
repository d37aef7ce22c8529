//! Which changes there are.

use tlstax_spec::{Group, Http, Params};

use super::floor::Floor;
use crate::what_if::{Change, Ground};
use crate::workload::Traffic;

/// Sizes of records, and how many times as many requests a connection may have.
const RECORDS: [u32; 3] = [4_096, 8_192, 16_384];
const FACTORS: [f64; 3] = [2.0, 4.0, 10.0];

/// Every change that a floor allows and that changes anything.
pub fn candidates(ground: &Ground<'_>, floor: &Floor) -> Vec<Change> {
    let mut all: Vec<Change> = Vec::new();
    all.extend(floor.keys.iter().map(|key| Change::Cert(*key)));
    all.extend(floor.versions.iter().map(|version| Change::Version(*version)));
    all.extend(floor.suites.iter().map(|suite| Change::Suite(*suite)));
    all.extend(floor.groups.iter().map(|group| Change::Group(*group)));
    all.extend([Change::Tickets(true), Change::Sendfile(true)]);
    all.extend(RECORDS.map(Change::Record));
    all.extend(Http::ALL.iter().map(|http| Change::Http(*http)));
    all.extend([0.5, 0.8, 0.9, 0.95].map(Change::Resumed));
    let mean = mean(ground.traffic);
    all.extend(
        mean.into_iter()
            .flat_map(|mean| FACTORS.map(|factor| Change::RequestsPerConnection((mean * factor).ceil()))),
    );
    let changes_anything = |change: &Change| {
        let after = ground.changed(std::slice::from_ref(change));
        after.is_ok_and(|after| after.traffic != *ground.traffic || after.setup != ground.setup)
    };
    all.retain(changes_anything);
    all
}

/// Requests of a connection.
fn mean(traffic: &Traffic) -> Option<f64> {
    let requests: f64 = traffic.kinds.iter().map(|asked| asked.demand.requests).sum();
    let connections = traffic.connections().value;
    (connections > 0.0).then(|| requests / connections)
}

/// Whether it is for the server alone to decide, and nobody is lost and nothing given up.
pub fn is_setting(change: &Change, traffic: &Traffic) -> bool {
    match change {
        Change::Cert(_) | Change::Suite(_) | Change::Tickets(_) | Change::Record(_) | Change::Sendfile(_) => {
            true
        }
        Change::Group(group) => {
            let is_post_quantum = |params: &Params| params.group.is_some_and(Group::is_post_quantum);
            let mut tls = traffic.kinds.iter().filter_map(|asked| asked.demand.tls.as_ref());
            group.is_post_quantum() || !tls.any(is_post_quantum)
        }
        Change::Version(_)
        | Change::Http(_)
        | Change::Resumed(_)
        | Change::RequestsPerConnection(_)
        | Change::Library(_) => false,
    }
}
