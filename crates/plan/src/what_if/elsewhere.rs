//! What a change does elsewhere: bytes, round trips, and in words whom it loses.

use tlstax_doc::plan::Elsewhere;
use tlstax_spec::{Group, Http, Key, Version};

use super::apply::Changed;
use super::change::Change;
use crate::wire::{handshake_bytes, round_trips};
use crate::workload::Traffic;

/// What changes do elsewhere.
pub fn elsewhere(before: &Traffic, after: &Changed, changes: &[Change]) -> Elsewhere {
    let mut said: Vec<String> = changes.iter().flat_map(|change| words(change, before)).collect();
    said.extend(after.said.iter().cloned());
    Elsewhere {
        bytes_per_connection: handshake_bytes(&after.traffic) - handshake_bytes(before),
        round_trips: round_trips(&after.traffic) - round_trips(before),
        said,
    }
}

fn words(change: &Change, before: &Traffic) -> Vec<String> {
    let older = share(before, |params| !params.version.is_tls13());
    match change {
        Change::Cert(key) => of_key(*key, before),
        Change::Version(Version::Tls13) if older > 0.0 => vec![format!(
            "{:.1} % of connections have an older version now: clients that do not know TLS 1.3 are lost",
            older * 100.0
        )],
        Change::Version(version) if version.is_before_tls12() => {
            vec![format!("{version} is deprecated (RFC 8996): current clients refuse it")]
        }
        Change::Group(group) => of_group(*group, before),
        Change::Suite(suite) => {
            vec![format!("clients that do not offer {suite} or its like are lost unless others stay allowed")]
        }
        Change::Tickets(true) => {
            vec!["servers behind one name need the same ticket keys, changed every day".to_owned()]
        }
        Change::Tickets(false) => {
            vec!["a session cache in the server may still resume sessions; none is counted".to_owned()]
        }
        Change::Http(Http::Http2) => vec![
            "connections are counted as many as now; clients open fewer of HTTP/2: requests-per-connection= says how many requests each has"
                .to_owned(),
        ],
        Change::Http(Http::Http1) => vec![
            "connections are counted as many as now; clients open up to six of HTTP/1.1: requests-per-connection= says how many requests each has"
                .to_owned(),
        ],
        Change::RequestsPerConnection(_) => {
            vec!["connections that are kept longer take memory; clients have to use them again".to_owned()]
        }
        Change::Resumed(_) => vec!["clients decide whether they resume; servers only let them".to_owned()],
        Change::Record(_) => vec!["a smaller record can be read before the next one comes, a larger one costs less".to_owned()],
        Change::Sendfile(_) | Change::Library(_) | Change::Version(_) => Vec::new(),
    }
}

fn of_key(key: Key, before: &Traffic) -> Vec<String> {
    let has_rsa = share(before, |params| params.key.is_rsa()) > 0.0;
    let text = match key {
        Key::Ed25519 => "browsers do not accept certificates with Ed25519: for own clients only",
        _ if key.is_post_quantum() => {
            "no public authority issues certificates with ML-DSA, and no browser accepts them"
        }
        _ if !key.is_rsa() && has_rsa => {
            "a new certificate is needed; clients without ECDSA are lost unless the RSA certificate stays beside it"
        }
        _ => "a new certificate is needed",
    };
    vec![text.to_owned()]
}

fn of_group(group: Group, before: &Traffic) -> Vec<String> {
    let has_post_quantum = share(before, |params| params.group.is_some_and(Group::is_post_quantum)) > 0.0;
    let mut said =
        vec![format!("counted as if all clients that can take it had {group}; those without it fall back")];
    if group.is_post_quantum() {
        said.push("what is recorded today stays secret from quantum computers of tomorrow".to_owned());
    } else if has_post_quantum {
        said.push("gives up key exchange that withstands quantum computers".to_owned());
    }
    said
}

/// The share of connections with TLS that are so.
fn share(traffic: &Traffic, is_so: impl Fn(&tlstax_spec::Params) -> bool) -> f64 {
    let sum = |all: bool| -> f64 {
        let is_counted = |asked: &&crate::workload::Asked| {
            asked.demand.tls.as_ref().is_some_and(|params| all || is_so(params))
        };
        traffic.kinds.iter().filter(is_counted).map(|asked| asked.demand.connections.value).sum()
    };
    let all = sum(true);
    if all > 0.0 { sum(false) / all } else { 0.0 }
}
