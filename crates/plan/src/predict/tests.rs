//! Predictions add up, and grow with what is asked.

use std::path::Path as File;

use proptest::prelude::*;
use tlstax_doc::Tool;
use tlstax_doc::model::{Model, Path, Term, parse_model};
use tlstax_doc::plan::Missing;
use tlstax_spec::{Http, Key, Suite, Version};

use super::*;
use crate::workload::{Offered, traffic};

pub fn model() -> Model {
    parse_model(include_str!("../../tests/fixtures/model.json"), File::new("model.json")).unwrap()
}

fn by_hand(text: &str, rate: f64) -> Traffic {
    let tool = Tool { name: "tlstax".to_owned(), version: "0".to_owned(), reference_kernels: 0 };
    let workload = tlstax_traffic::by_hand(text, "by-hand.toml", tool).unwrap();
    traffic(&workload, Offered::PerSecond(rate)).unwrap()
}

const MIXED: &str = include_str!("../../../../docs/traffic-by-hand.toml");

fn of(model: &Model, traffic: &Traffic) -> Prediction {
    predict(traffic, Setup::default(), &Costs::of(model))
}

fn close(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * one.abs().max(other.abs()).max(1e-6)
}

fn adds_up(prediction: &Prediction) {
    let whole = prediction.cores.value;
    let sum = |pieces: &[Piece<String>]| pieces.iter().map(|piece| piece.cores).sum::<f64>();
    for pieces in [&prediction.suites, &prediction.keys, &prediction.resumption] {
        assert!(close(sum(pieces), whole), "{pieces:?} of {whole}");
    }
    let parts: f64 = prediction.parts.iter().map(|piece| piece.cores).sum();
    let rows: f64 = prediction.rows.iter().map(|row| row.cores.value).sum();
    assert!(close(parts, whole) && close(rows, whole), "{parts} {rows} {whole}");
    for row in &prediction.rows {
        let parts: f64 = row.parts.iter().map(|piece| piece.cores).sum();
        assert!(close(parts, row.cores.value), "{row:?}");
    }
    let Bounds { value, low, high } = prediction.cores;
    assert!(low <= value && value <= high);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn shares_add_up_and_rates_scale(rate in 1.0..1e6f64, resumed in 0u32..=100, plain in 0u32..=60) {
        let text = format!(
            "requests_per_second = 10\nrequests_per_connection = 3\nresumed = {resumed}\nkeys = {{ rsa-2048 = 30, ecdsa-p384 = 70 }}\n\
             protocols = {{ none = {plain}, '1.2' = 15, '1.3' = {} }}\nresponse = {{ 500 = 60, 200k = 40 }}\n",
            85 - plain
        );
        let model = model();
        let one = of(&model, &by_hand(&text, rate));
        adds_up(&one);
        let double = of(&model, &by_hand(&text, 2.0 * rate));
        for (one, other) in [(one.cores.value, double.cores.value), (one.cores.high, double.cores.high)] {
            prop_assert!(close(2.0 * one, other), "{one} {other}");
        }
    }
}

#[test]
fn a_load_costs_what_the_terms_say() {
    let text = "connections_per_second = 100\nrequests_per_connection = 10\nresumed = 0\nsuites = 'TLS_AES_128_GCM_SHA256'\n\
                groups = 'X25519'\nkeys = 'ecdsa-p256'\nhttp = 'http/1.1'\nresponse = 1024\n";
    let prediction = of(&model(), &by_hand(text, 1_000.0));
    let expected = (100.0 * (21_000.0 + 214_000.0) + 1_000.0 * (17_900.0 + 620.0)) / 1e9;
    assert!((prediction.cores.value / expected - 1.0).abs() < 1e-6, "{} {expected}", prediction.cores.value);
    assert!(prediction.missing.is_empty());
    let share = prediction.cores.high / prediction.cores.value - 1.0;
    assert!((0.02..0.06).contains(&share), "{share}");
}

#[test]
fn what_the_model_does_not_know_is_named_and_bounded() {
    let model = model();
    let costs = Costs::of(&model);
    let prices = Prices::of(&costs);
    let once = |term: Term| {
        let work = Work::from_iter([(term, 1.0)]);
        let [missing] = prices.missing_of(&work).try_into().unwrap();
        missing
    };
    let rsa = once(Term::Handshake { version: Version::Tls13, key: Key::Rsa3072 });
    assert_eq!(rsa.kin, Some(Term::Handshake { version: Version::Tls13, key: Key::Rsa2048 }));
    assert!(rsa.ns.low == 760_000.0 && rsa.ns.high == 4_380_000.0 && rsa.ns.value < 2e6);
    let old = once(Term::Handshake { version: Version::Tls11, key: Key::Rsa2048 });
    assert_eq!(old.kin, Some(Term::Handshake { version: Version::Tls12, key: Key::Rsa2048 }));
    let cbc = once(Term::SuiteByte { suite: Suite::EcdheEcdsaAes256CbcSha384 });
    assert_eq!(cbc.kin, Some(Term::SuiteByte { suite: Suite::EcdheEcdsaAes128CbcSha }));
    let body = once(Term::Body { path: Path::Sendfile, http: Http::Http2, bytes: 1_024 });
    assert_eq!(body.kin, Some(Term::Body { path: Path::Sendfile, http: Http::Http1, bytes: 1_024 }));
    let traffic = by_hand(&MIXED.replace("rsa-2048 = 20", "rsa-3072 = 20"), 2_000.0);
    let prediction = of(&model, &traffic);
    adds_up(&prediction);
    assert!(!prediction.missing.is_empty() && prediction.missing.iter().all(|one| one.kin.is_some()));
}

/// A model without some of its terms.
fn without(is_left_out: impl Fn(Term) -> bool) -> Model {
    let mut model = model();
    model.terms.retain(|cost| !is_left_out(cost.term));
    model.covariance.clear();
    model
}

fn missing(model: &Model, term: Term) -> Missing {
    let costs = Costs::of(model);
    let [missing] = Prices::of(&costs).missing_of(&Work::from_iter([(term, 1.0)])).try_into().unwrap();
    missing
}

#[test]
fn kin_of_another_sort_leaves_much_open() {
    let is_rsa = |term| matches!(term, Term::Handshake { key, .. } if key.is_rsa());
    let rsa = missing(&without(is_rsa), Term::Handshake { version: Version::Tls13, key: Key::Rsa4096 });
    assert!(rsa.ns.low == 0.0 && close(rsa.ns.high, 16.0 * rsa.ns.value), "{rsa:?}");
    let is_aead = |term| matches!(term, Term::SuiteByte { suite } if suite != Suite::EcdheEcdsaAes128CbcSha);
    let aead = missing(&without(is_aead), Term::SuiteByte { suite: Suite::Aes256Gcm });
    assert!(aead.ns.low == 0.0 && close(aead.ns.high, 16.0 * aead.ns.value), "{aead:?}");
    let is_tls = |term| matches!(term, Term::Body { path: Path::Tls, .. });
    let body = missing(&without(is_tls), Term::Body { path: Path::Tls, http: Http::Http1, bytes: 1_024 });
    assert!(close(body.ns.high, 16.0 * body.ns.value), "{body:?}");
}

#[test]
fn bodies_of_no_known_size_are_missing() {
    let known = model();
    let model = without(|term| matches!(term, Term::Body { .. }));
    let prediction = of(&model, &by_hand(MIXED, 2_000.0));
    adds_up(&prediction);
    let body = |missing: &&Missing| matches!(missing.term, Term::Body { .. });
    assert!(prediction.missing.iter().any(|missing| body(&missing) && missing.kin.is_none()));
    // A size of no bytes is none.
    let mut empty = known;
    empty.terms.iter_mut().for_each(|cost| {
        if let Term::Body { path, http, bytes: 1_024 } = cost.term {
            cost.term = Term::Body { path, http, bytes: 0 };
        }
    });
    assert!(of(&empty, &by_hand(MIXED, 2_000.0)).cores.value.is_finite());
}

#[test]
fn connections_that_calibration_could_not_tell_are_in_their_handshakes() {
    let model = without(|term| term == Term::Connection);
    let is_connection =
        |prediction: &Prediction| prediction.missing.iter().any(|missing| missing.term == Term::Connection);
    let tls = "requests_per_second = 10\nrequests_per_connection = 2\nresumed = 0\nprotocols = '1.3'\n";
    assert!(!is_connection(&of(&model, &by_hand(tls, 100.0))));
    let plain = of(&model, &by_hand(&tls.replace("1.3", "none"), 100.0));
    assert!(is_connection(&plain));
    assert!(plain.missing.iter().all(|missing| missing.kin.is_some() && missing.ns.low == 0.0), "{plain:?}");
}

#[test]
fn sessions_are_made_where_somebody_resumes() {
    let model = model();
    let sessions = |resumed: u32| -> f64 {
        let text = format!("requests_per_second = 10\nprotocols = '1.3'\nresumed = {resumed}\n");
        let prediction = of(&model, &by_hand(&text, 100.0));
        let all = prediction.work.iter().filter(|(term, _)| matches!(term, Term::Session { .. }));
        all.map(|(_, times)| times).sum()
    };
    assert!(sessions(0) == 0.0 && sessions(50) > 0.0);
}

#[test]
fn what_the_workload_does_not_tell_is_in_the_interval() {
    let model = model();
    let open = of(&model, &by_hand("requests_per_second = 10", 1_000.0));
    let told = |more: &str| of(&model, &by_hand(&format!("requests_per_second = 10\n{more}"), 1_000.0));
    for prediction in [
        told("requests_per_connection = 50\nresumed = 90"),
        told("requests_per_connection = 50\nresumed = 0"),
        told("requests_per_connection = 1\nresumed = 90"),
        told("requests_per_connection = 1\nresumed = 0"),
    ] {
        let cores = prediction.cores.value;
        assert!(open.cores.low < cores && cores < open.cores.high, "{cores} {:?}", open.cores);
    }
}

#[test]
fn the_resumed_share_lies_between_none_and_all() {
    let model = model();
    let costs = Costs::of(&model);
    let prices = Prices::of(&costs);
    let prediction = of(&model, &by_hand(MIXED, 2_000.0));
    let cost = |work: &[(Term, f64)]| prices.likely(&work.iter().copied().collect());
    let (full, resumed) = (cost(&prediction.full), cost(&prediction.resumed));
    let share = prediction.resumed_share;
    assert!((share - 0.8).abs() < 0.01 && resumed < full);
    assert!(((full + (resumed - full) * share) / cost(&prediction.work) - 1.0).abs() < 0.01);
}

#[test]
fn a_small_plan_stays_as_it_is() {
    let text = include_str!("../../../../docs/traffic-by-hand-short.toml");
    let prediction = of(&model(), &by_hand(text, 2_000.0));
    let json = serde_json::to_string_pretty(&prediction).unwrap() + "\n";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/prediction.json");
    if std::env::var_os("TLSTAX_BLESS").is_some() {
        tlstax_doc::write(File::new(path), json.as_bytes()).unwrap();
    }
    assert_eq!(tlstax_doc::read(File::new(path)).unwrap(), json);
}
