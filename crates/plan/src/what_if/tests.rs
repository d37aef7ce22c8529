//! What changes do, and which are refused.

use std::path::Path;

use tlstax_doc::Tool;
use tlstax_doc::model::parse_model;

use super::*;
use crate::workload::{Offered, traffic};

const MIXED: &str = include_str!("../../../../docs/traffic-by-hand.toml");

fn model() -> Model {
    parse_model(include_str!("../../tests/fixtures/model.json"), Path::new("model.json")).unwrap()
}

fn by_hand(text: &str) -> Traffic {
    let tool = Tool { name: "tlstax".to_owned(), version: "0".to_owned(), reference_kernels: 0 };
    let workload = tlstax_traffic::by_hand(text, "by-hand.toml", tool).unwrap();
    traffic(&workload, Offered::PerSecond(2_000.0)).unwrap()
}

fn changes(words: &[&str]) -> Vec<Change> {
    words.iter().map(|word| word.parse().unwrap()).collect()
}

fn on<T>(text: &str, ask: impl FnOnce(&Ground<'_>) -> T) -> T {
    let (model, traffic) = (model(), by_hand(text));
    let costs = Costs::of(&model);
    ask(&Ground { traffic: &traffic, setup: Setup::default(), costs: &costs, others: &[] })
}

const UNIFORM: &str = "connections_per_second = 500\nrequests_per_connection = 4\nresumed = 80\nsuites = 'TLS_AES_256_GCM_SHA384'\n\
                       groups = 'X25519'\nkeys = 'rsa-2048'\nhttp = 'h2'\nresponse = '40k'\n";

#[test]
fn the_same_changes_nothing() {
    on(UNIFORM, |ground| {
        for word in [
            "cert=rsa-2048",
            "suite=TLS_AES_256_GCM_SHA384",
            "group=X25519",
            "http=h2",
            "resumed=80%",
            "record=16k",
        ] {
            let scenario = ground.scenario(&changes(&[word])).unwrap();
            let Bounds { value, low, high } = scenario.more;
            assert!(
                value.abs() < 1e-6 && low.abs() < 1e-6 && high.abs() < 1e-6,
                "{word}: {:?}",
                scenario.more
            );
            assert!(scenario.elsewhere.bytes_per_connection.abs() < 1e-6, "{word}");
        }
    });
}

#[test]
fn a_scenario_is_the_prediction_of_what_was_changed() {
    on(MIXED, |ground| {
        let words = ["cert=ecdsa-p256", "resumed=95%", "group=X25519MLKEM768", "http=h2", "record=4k"];
        let scenarios = ground.scenarios(&changes(&words)).unwrap();
        assert_eq!(scenarios.len(), 6);
        let now = predict(ground.traffic, ground.setup, ground.costs).cores.value;
        for scenario in scenarios {
            let after = ground
                .changed(&changes(&scenario.changes.iter().map(String::as_str).collect::<Vec<_>>()))
                .unwrap();
            let cores = predict(&after.traffic, after.setup, ground.costs).cores;
            assert_eq!(cores, scenario.prediction.cores);
            assert!((cores.value - now - scenario.more.value).abs() < 1e-9, "{:?}", scenario.changes);
            assert!(scenario.more.low <= scenario.more.value && scenario.more.value <= scenario.more.high);
        }
    });
}

#[test]
fn what_is_open_of_the_traffic_is_open_of_a_difference() {
    let open = "requests_per_second = 10\nkeys = 'rsa-2048'\n";
    let more = |text: &str| on(text, |ground| ground.scenario(&changes(&["cert=ecdsa-p256"])).unwrap().more);
    let all = more(open);
    for (requests, resumed) in [(50, 90), (50, 0), (1, 90), (1, 0)] {
        let told = more(&format!("{open}requests_per_connection = {requests}\nresumed = {resumed}"));
        assert!(all.low <= told.value && told.value <= all.high, "{told:?} {all:?}");
    }
}

#[test]
fn http2_is_for_those_that_can_take_it() {
    let mixed = "requests_per_second = 10\nprotocols = { none = 50, '1.3' = 50 }\nhttp = 'http/1.1'\n";
    on(mixed, |ground| {
        let after = ground.changed(&changes(&["http=h2"])).unwrap();
        for asked in &after.traffic.kinds {
            let is_new = asked.demand.http == tlstax_spec::Http::Http2;
            assert_eq!(is_new, asked.demand.tls.is_some(), "{asked:?}");
        }
        assert!(after.said.join(" ").contains("50.0 % of connections cannot take it"), "{:?}", after.said);
    });
    for old in ["protocols = 'none'", "suites = 'AES128-SHA'\nkeys = 'rsa-2048'"] {
        let text = format!("requests_per_second = 10\nhttp = 'http/1.1'\n{old}\n");
        on(&text, |ground| {
            let error = ground.scenario(&changes(&["http=h2"])).unwrap_err();
            assert!(matches!(error, NoChange::Nothing { .. }), "{error}");
        });
    }
}

#[test]
fn what_the_model_does_not_know_of_a_change_is_said() {
    on(UNIFORM, |ground| {
        let said = ground.scenario(&changes(&["cert=rsa-3072"])).unwrap().elsewhere.said.join(" ");
        assert!(said.contains("the model has no cost of full handshake, TLSv1.3, rsa-3072: "), "{said}");
        assert!(said.contains("stands for it within bounds"), "{said}");
    });
}

#[test]
fn a_difference_is_sharper_than_its_parts() {
    on(UNIFORM, |ground| {
        let scenario = ground.scenario(&changes(&["suite=aes-128-gcm"])).unwrap();
        let width = |bounds: Bounds| bounds.high - bounds.low;
        assert!(scenario.more.high < 0.0, "{:?}", scenario.more);
        assert!(width(scenario.more) < width(scenario.prediction.cores) / 5.0);
    });
}

#[test]
fn elsewhere_has_bytes_round_trips_and_words() {
    on(UNIFORM, |ground| {
        let elsewhere = |word: &str| ground.scenario(&changes(&[word])).unwrap().elsewhere;
        let hybrid = elsewhere("group=X25519MLKEM768");
        assert!((hybrid.bytes_per_connection - 1_088.0).abs() < 1e-6);
        assert!((elsewhere("version=1.2").round_trips - 0.2).abs() < 1e-6);
        assert!(elsewhere("cert=ml-dsa-65").said.join(" ").contains("no browser"));
    });
}

#[test]
fn contradictions_are_refused_with_what_to_do() {
    on(MIXED, |ground| {
        for (words, part) in [
            (["cert=rsa-2048", "cert=ecdsa-p256"], "leave one of them out"),
            (["tickets=off", "resumed=80%"], "write resumed=0"),
            (["group=X25519MLKEM768", "version=1.2"], "write version=TLSv1.3"),
            (["suite=TLS_AES_128_GCM_SHA256", "version=1.2"], "does not have the suite"),
            (["suite=ECDHE-RSA-AES128-GCM-SHA256", "cert=ecdsa-p256"], "another kind of key"),
            (["library=openssl-3.6", "resumed=50%"], "--model OTHER"),
        ] {
            let error = ground.scenarios(&changes(&words)).unwrap_err().to_string();
            assert!(error.contains(part), "{words:?}: {error}");
        }
        assert!(ground.scenario(&changes(&["library=openssl-3.5"])).is_ok());
    });
    on("requests_per_second = 5\nprotocols = 'none'", |ground| {
        let error = ground.scenario(&changes(&["cert=ecdsa-p256"])).unwrap_err();
        assert!(error.to_string().contains("no connection of the workload can take it"), "{error}");
    });
}

#[test]
fn another_library_is_another_model() {
    let (model, traffic) = (model(), by_hand(UNIFORM));
    let mut other = model.clone();
    other.library = Some("OpenSSL 3.6.0".to_owned());
    other.terms.iter_mut().for_each(|term| term.ns *= 0.5);
    let (costs, others) = (Costs::of(&model), [Costs::of(&other)]);
    let ground = Ground { traffic: &traffic, setup: Setup::default(), costs: &costs, others: &others };
    let scenario = ground.scenario(&changes(&["library=openssl-3.6"])).unwrap();
    let now = predict(&traffic, ground.setup, &costs).cores.value;
    assert!((scenario.more.value + now / 2.0).abs() < 1e-9 && scenario.more.high < 0.0);
}

#[test]
fn a_library_is_named_exactly_or_by_one_alone() {
    let (model, traffic) = (model(), by_hand(UNIFORM));
    let others = ["OpenSSL 3.6", "OpenSSL 3.6.1"].map(|library| Model {
        library: Some(library.to_owned()),
        server: "nginx".parse().unwrap(),
        ..model.clone()
    });
    let (costs, others) = (Costs::of(&model), others.each_ref().map(Costs::of));
    let ground = Ground { traffic: &traffic, setup: Setup::default(), costs: &costs, others: &others };
    let asked = |word: &str| ground.scenario(&changes(&[word])).map(|_| ());
    assert_eq!(asked("library=openssl-3.6"), Ok(()));
    assert_eq!(asked("library=openssl-3.6.1"), Ok(()));
    assert_eq!(asked("library=openssl-3.5"), Ok(()));
    let error = asked("library=openssl-3").unwrap_err().to_string();
    assert!(error.contains("several") && error.contains("OpenSSL 3.6.1"), "{error}");
}
