//! What changes explain of a rise, on a model whose costs are round numbers.

use proptest::prelude::*;
use tlstax_doc::Tool;
use tlstax_doc::model::{Model, parse_model};
use tlstax_doc::plan::Explanation;
use tlstax_spec::{Group, Http, Key, Params, Resumption, Suite, Version};
use tlstax_traffic::by_hand;

use super::*;
use crate::workload::rate::Rate;
use crate::workload::{Offered, traffic as asked_by};

const BEFORE: &str = include_str!("../../../../docs/plan-explain-before.toml");
const AFTER: &str = include_str!("../../../../docs/plan-explain-after.toml");

fn model() -> Model {
    parse_model(include_str!("../../tests/model.json"), "model.json".as_ref()).unwrap()
}

fn traffic(text: &str) -> Vec<Demand> {
    let tool = Tool { name: "tlstax".to_owned(), version: "0".to_owned(), reference_kernels: 0 };
    let workload = by_hand(text, "by-hand.toml", tool).unwrap();
    let found = asked_by(&workload, Offered::AsCounted(Rate::Mean)).unwrap();
    found.kinds.into_iter().map(|kind| kind.demand).collect()
}

fn of(before: &[Demand], after: &[Demand], rise: Option<Rise>) -> Explanation {
    explain(before, after, &Costs::of(&model()), Setup::default(), rise).unwrap()
}

fn part<'e>(found: &'e Explanation, what: &str) -> &'e Explained {
    found.parts.iter().find(|part| part.what == what).unwrap_or_else(|| panic!("{what} in {found:?}"))
}

fn adds_up(found: &Explanation) {
    let parts: f64 = found.parts.iter().map(|part| part.cores.value).sum();
    let near = |one: f64, other: f64| (one - other).abs() < 1e-9 * (1.0 + one.abs());
    assert!(near(parts, found.explained.value), "{found:?}");
    assert!(near(found.explained.value, found.after.value - found.before.value), "{found:?}");
    if let Some(rise) = found.rise {
        assert!(near(found.explained.value + rise.left.value, rise.cores), "{found:?}");
    }
    for part in &found.parts {
        let slack = 1e-12;
        assert!(part.least <= part.cores.value + slack && part.cores.value <= part.most + slack, "{part:?}");
        assert!(part.cores.low <= part.cores.value && part.cores.value <= part.cores.high, "{part:?}");
    }
}

#[test]
fn a_longer_key_explains_next_to_nothing_of_a_fivefold_rise() {
    let found = of(&traffic(BEFORE), &traffic(AFTER), Some(Rise::Times(5.5)));
    adds_up(&found);
    let suite = part(&found, "suite");
    assert_eq!(
        (suite.before.as_str(), suite.after.as_str()),
        ("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384")
    );
    assert!(suite.of_before.low > 0.0 && suite.of_before.high < 0.01, "{suite:?}");
    // Six connections became one, which saves five handshakes of six: the rise has to be something else.
    assert!(part(&found, "connections").of_before.high < -0.5, "{found:?}");
    assert!(found.rise.unwrap().left.low > found.rise.unwrap().cores, "{found:?}");
    assert_eq!(found.missing, Vec::<String>::new());
}

#[test]
fn sessions_that_are_no_longer_resumed_explain_more_than_the_longer_key() {
    let lost = AFTER.replacen("{ full = 50, ticket = 50 }", "{ full = 100 }", 1);
    let found = of(&traffic(BEFORE), &traffic(&lost), Some(Rise::Cores { before: 0.005, after: 0.0275 }));
    adds_up(&found);
    let (suite, resumption) = (part(&found, "suite"), part(&found, "resumption"));
    assert!(resumption.cores.low > 10.0 * suite.cores.high, "{found:?}");
    assert_eq!(
        (resumption.before.as_str(), resumption.after.as_str()),
        ("50 % of connections", "0 % of connections")
    );
    // With few connections left fewer resumptions are lost: the orders differ.
    assert!(resumption.most > 3.0 * resumption.least, "{resumption:?}");
    assert_eq!(found.rise.unwrap().before, Some(0.005));
}

#[test]
fn what_did_not_change_explains_nothing() {
    let mixed = "requests_per_second = 50\nrequests_per_connection = 4\nresumed = 30\nkeys = { rsa-2048 = 40, ecdsa-p256 = 60 }\n\
                 suites = { TLS_AES_128_GCM_SHA256 = 70, ECDHE-RSA-AES128-GCM-SHA256 = 30 }\ngroups = 'X25519'\nresponse = '3k'";
    let traffic = traffic(mixed);
    assert!(traffic.len() > 2);
    let found = of(&traffic, &traffic, Some(Rise::Times(2.0)));
    assert_eq!(found.parts, Vec::new());
    adds_up(&found);
    assert!((found.rise.unwrap().left.value - found.before.value).abs() < 1e-12, "all of it is left");
}

#[test]
fn a_mix_is_set_beside_its_like() {
    let before = "requests_per_second = 50\nrequests_per_connection = 4\nresumed = 0\nprotocols = '1.3'\ngroups = 'X25519'\nkeys = { rsa-2048 = 50, ecdsa-p256 = 50 }";
    let after = before.replace("rsa-2048 = 50, ecdsa-p256 = 50", "rsa-2048 = 20, ecdsa-p256 = 80");
    let found = of(&traffic(before), &traffic(&after), None);
    let whats: Vec<&str> = found.parts.iter().map(|part| part.what.as_str()).collect();
    assert_eq!(whats, ["key"], "{found:?}");
    // Of 12.5 connections a second 30 % are 780 us cheaper.
    assert!((found.explained.value + 12.5 * 0.3 * 780e-6).abs() < 1e-6, "{found:?}");
    assert_eq!(part(&found, "key").after, "ecdsa-p256 80 %");
}

#[test]
fn tls_that_comes_is_a_change_of_its_own() {
    let plain = "requests_per_second = 50\nrequests_per_connection = 4\nprotocols = 'none'\nhttp = 'http/1.1'\nresponse = '3k'";
    let tls = "requests_per_second = 50\nrequests_per_connection = 4\nresumed = 50\nprotocols = '1.3'\ngroups = 'X25519'\n\
               keys = 'rsa-2048'\nhttp = 'http/1.1'\nresponse = '3k'";
    for (before, after) in [(plain, tls), (tls, plain)] {
        let found = of(&traffic(before), &traffic(after), None);
        adds_up(&found);
        let whats: Vec<&str> = found.parts.iter().map(|part| part.what.as_str()).collect();
        assert_eq!(whats, ["TLS"], "{found:?}");
    }
}

#[test]
fn a_change_of_version_takes_the_ways_to_resume_with_it() {
    let old = "requests_per_second = 50\nrequests_per_connection = 4\nresumed = { full = 20, ticket = 80 }\n\
               suites = 'ECDHE-RSA-AES128-GCM-SHA256'\ngroups = 'X25519'\nkeys = 'rsa-2048'\nresponse = '3k'";
    let new = old.replace("ticket", "psk").replace("ECDHE-RSA-AES128-GCM-SHA256", "TLS_AES_128_GCM_SHA256");
    let found = of(&traffic(old), &traffic(&new), None);
    adds_up(&found);
    assert_eq!(found.missing, Vec::<String>::new());
    let whats: Vec<&str> = found.parts.iter().map(|part| part.what.as_str()).collect();
    assert!(whats.contains(&"version") && !whats.contains(&"connections"), "{whats:?}");
}

#[test]
fn what_cannot_be_explained_is_refused() {
    let (some, model) = (traffic(BEFORE), model());
    let costs = Costs::of(&model);
    let refused = |before: &[Demand], after: &[Demand], rise| {
        explain(before, after, &costs, Setup::default(), rise).unwrap_err()
    };
    let idle = Demand { requests: 0.0, connections: Bounds::default(), ..some[0].clone() };
    assert_eq!(refused(&[], &some, None), ExplainError::Nothing("before"));
    assert_eq!(refused(&some, &[idle], None), ExplainError::Nothing("after"));
    for rise in [
        Rise::Times(-5.5),
        Rise::Times(0.0),
        Rise::Times(f64::NAN),
        Rise::Cores { before: 0.0, after: 0.1 },
        Rise::Cores { before: 0.1, after: -0.1 },
    ] {
        assert_eq!(refused(&some, &some, Some(rise)), ExplainError::NoRise);
    }
    let empty = Model { terms: Vec::new(), covariance: Vec::new(), ..model.clone() };
    let unknown = explain(&some, &some, &Costs::of(&empty), Setup::default(), None);
    assert_eq!(unknown, Err(ExplainError::NoCost));
}

#[test]
fn what_the_model_has_no_cost_of_is_named() {
    let after = AFTER.replace("rsa-2048", "rsa-4096");
    let found = of(&traffic(BEFORE), &traffic(&after), None);
    adds_up(&found);
    assert_eq!(
        found.missing,
        [
            "the model has no cost of full handshake, TLSv1.2, rsa-4096: full handshake, TLSv1.2, rsa-2048 stands for it within bounds"
        ]
    );
    // It is not taken to cost nothing, which would be less than the shorter key.
    assert!(part(&found, "key").cores.value > 0.0, "{found:?}");
}

fn any_demand() -> impl Strategy<Value = Demand> {
    let params = (0..3usize).prop_map(|kind| match kind {
        0 => None,
        1 => Some((Version::Tls12, Suite::EcdheRsaAes256Gcm)),
        _ => Some((Version::Tls13, Suite::Aes128Gcm)),
    });
    let keys = prop_oneof![Just(Key::Rsa2048), Just(Key::EcdsaP256)];
    let groups = prop_oneof![Just(Group::X25519), Just(Group::Secp256r1)];
    let sizes = prop::collection::vec(1.0f64..1e6, 1..3);
    (params, keys, groups, 0.0f64..100.0, 0.0f64..1.0, 0.0f64..1e3, sizes).prop_map(
        |(params, key, group, connections, resumed, requests, sizes)| {
            let exactly = |value| Bounds { value, low: value, high: value };
            let is_13 = params.is_some_and(|(version, _)| version.is_tls13());
            let share = 1.0 / sizes.len() as f64;
            Demand {
                tls: params.map(|(version, suite)| Params { version, suite, group: Some(group), key }),
                http: if params.is_some() && requests > 500.0 { Http::Http2 } else { Http::Http1 },
                connections: exactly(connections),
                resumed: exactly(resumed),
                resumption: if is_13 { Resumption::Psk } else { Resumption::Ticket },
                requests: requests + 1.0,
                bodies: sizes.into_iter().map(|bytes| (bytes, share)).collect(),
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn parts_and_what_is_left_are_the_rise(
        before in prop::collection::vec(any_demand(), 1..4),
        after in prop::collection::vec(any_demand(), 1..4),
        times in 0.1f64..10.0,
    ) {
        adds_up(&of(&before, &after, Some(Rise::Times(times))));
        let same = of(&before, &before, None);
        prop_assert_eq!(same.parts, Vec::new());
    }
}
