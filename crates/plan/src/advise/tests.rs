//! What is advised, and what is not.

use std::path::Path;

use tlstax_doc::Tool;
use tlstax_doc::model::parse_model;
use tlstax_spec::Suite;

use super::*;
use crate::costs::Costs;
use crate::work::Setup;
use crate::workload::{Offered, traffic};

fn advised(text: &str, floor: &Floor) -> Vec<Scenario> {
    let model =
        parse_model(include_str!("../../tests/fixtures/model.json"), Path::new("model.json")).unwrap();
    let tool = Tool { name: "tlstax".to_owned(), version: "0".to_owned(), reference_kernels: 0 };
    let workload = tlstax_traffic::by_hand(text, "by-hand.toml", tool).unwrap();
    let traffic = traffic(&workload, Offered::PerSecond(2_000.0)).unwrap();
    let costs = Costs::of(&model);
    advise(&Ground { traffic: &traffic, setup: Setup::default(), costs: &costs, others: &[] }, floor)
}

const SLOW: &str = "connections_per_second = 500\nrequests_per_connection = 4\nresumed = 0\nsuites = 'TLS_AES_256_GCM_SHA384'\n\
                    groups = 'X25519MLKEM768'\nkeys = 'rsa-4096'\nresponse = '40k'\n";

fn new_suites() -> Vec<Suite> {
    vec![Suite::Aes128Gcm, Suite::Aes256Gcm, Suite::ChaCha20Poly1305]
}

#[test]
fn the_best_set_is_first_and_single_changes_are_ranked() {
    let advised = advised(SLOW, &Floor::intermediate(new_suites()));
    let (best, single) = advised.split_first().unwrap();
    assert!(
        best.changes.len() > 1 && best.changes.contains(&"cert=ecdsa-p256".to_owned()),
        "{:?}",
        best.changes
    );
    assert!(best.more.value <= single[0].more.value);
    assert!(single.iter().all(|one| one.changes.len() == 1));
    assert!(single.windows(2).all(|pair| pair[0].more.value <= pair[1].more.value));
    // Nothing that is gained by giving up key exchange that withstands quantum computers.
    assert!(!best.changes.iter().any(|change| change.starts_with("group=")), "{:?}", best.changes);
}

#[test]
fn nothing_below_the_floor_is_advised() {
    let changes = |floor: &Floor| -> Vec<String> {
        advised(SLOW, floor).into_iter().flat_map(|scenario| scenario.changes).collect()
    };
    let (modern, intermediate) = (Floor::modern(new_suites()), Floor::intermediate(new_suites()));
    assert!(!changes(&modern).iter().any(|change| change == "cert=rsa-2048" || change == "version=TLSv1.2"));
    assert!(changes(&intermediate).contains(&"cert=rsa-2048".to_owned()));
    for floor in [modern, intermediate] {
        let below = |change: &String| change.contains("ed25519") || change.contains("TLSv1.1");
        assert!(!changes(&floor).iter().any(below));
    }
}
