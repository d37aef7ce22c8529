//! Predictions beside results that nobody measured: what each load costs is planted.

use tlstax_doc::model::{Model, parse_model};
use tlstax_doc::{Batch, RESULTS_VERSION, Slice, StudyFacts, Tool};
use tlstax_spec::{Cpu, Group, Http, Id, Key, Nanos, Params, Proof, Resumption, Sample, Suite, Version};
use tlstax_stats::{HalfWidth, Ratio};

use super::*;

const ROUNDS: u32 = 12;

fn model() -> Model {
    parse_model(include_str!("../../tests/model.json"), "model.json".as_ref()).unwrap()
}

fn load(rate: u32) -> Load {
    let (version, suite) = (Version::Tls13, Suite::Aes128Gcm);
    let params = Params { version, suite, group: Some(Group::X25519), key: Key::EcdsaP256 };
    Load { requests_per_connection: 4, body: 1024, rate, ..Load::new(Id::literal("lean"), Some(params)) }
}

fn case(load: Load) -> Case {
    Case { library: Id::literal("mock"), threads: 1, workload: Workload::Load(load) }
}

/// Of a server that takes so many nanoseconds for a request, at so many requests a second.
fn measured(case: Case, ns: f64, per_second: f64) -> Measurement {
    let batch = |slice: u32| {
        let side = Some(Cpu { total: Nanos((ns * 1e4) as u64), ..Cpu::default() });
        let wall = Nanos((1e4 / per_second * 1e9) as u64);
        let cpu = Cpu { total: Nanos(4 * (ns * 1e4) as u64), ..Cpu::default() };
        let sample =
            Sample { iterations: 10_000, wall, cpu, client: side, server: side, ..Sample::default() };
        Batch { slice, sample, observed: None, observed_server: None }
    };
    let outcome = Outcome::Measured { proof: Proof::default(), batches: (0..ROUNDS).map(batch).collect() };
    Measurement::new(case, outcome)
}

fn results(measurements: Vec<Measurement>) -> Results {
    let slice = |round: u32| Slice {
        round,
        sitting: round,
        at_ms: 1000 * u64::from(round),
        latency_ns: Nanos(50_000),
        throughput_ns: Nanos(100_000),
        steal_ns: Nanos(0),
        throttled_ns: Nanos(0),
    };
    Results {
        schema: RESULTS_VERSION,
        tool: Tool { name: "tlstax".to_owned(), version: "0".to_owned(), reference_kernels: 1 },
        started: "2026-01-02T10:00:00Z".to_owned(),
        ended: "2026-01-02T10:01:30Z".to_owned(),
        host: Default::default(),
        study: StudyFacts {
            name: Id::literal("planted"),
            question: "?".to_owned(),
            seed: 1,
            budget_s: 1.0,
            precision: HalfWidth(Ratio(0.01)),
            max_rounds: ROUNDS,
            rounds: ROUNDS,
            interrupted: false,
        },
        libraries: Vec::new(),
        slices: (0..=ROUNDS).map(slice).collect(),
        measurements,
        notes: Vec::new(),
        counted: None,
    }
}

fn checked(measurements: Vec<Measurement>) -> Check {
    let model = model();
    let costs = Costs::of(&model);
    check(&results(measurements), &costs)
}

/// A quarter of a connection with a full handshake, and a request for a body.
const COST: f64 = (20_000.0 + 220_000.0) / 4.0 + 19_000.0 + 800.0;

#[test]
fn each_load_is_beside_its_prediction_and_all_of_them_are_the_workload() {
    let resumed = Load { resumption: Resumption::Psk, ..load(200) };
    let of_resumed = COST - (220_000.0 - 140_000.0) / 4.0;
    let found = checked(vec![
        measured(case(load(100)), 1.02 * COST, 100.0),
        measured(case(resumed), of_resumed, 200.0),
    ]);
    assert_eq!(found.holes, Vec::new());
    let near = |one: f64, other: f64| (one / other - 1.0).abs() < 1e-4;
    let [one, other, whole] = &found.checked[..] else { panic!("{found:?}") };
    assert!(near(one.predicted.value, COST) && near(one.measured.value, 1.02 * COST), "{one:?}");
    assert!(one.predicted.low < COST && one.predicted.high > COST, "{one:?}");
    assert!(near(other.predicted.value, of_resumed), "{other:?}");
    assert_eq!((whole.what.as_str(), whole.at.as_str()), ("workload", "2026-01-02T10:01:30Z"));
    assert!(near(whole.predicted.value, (100.0 * COST + 200.0 * of_resumed) / 1e9), "{whole:?}");
    assert!(near(whole.measured.value, (102.0 * COST + 200.0 * of_resumed) / 1e9), "{whole:?}");
}

#[test]
fn a_load_without_a_rate_is_no_part_of_a_workload() {
    let found = checked(vec![measured(case(load(0)), COST, 1e4)]);
    assert_eq!((found.checked.len(), found.holes.len()), (1, 0));
}

#[test]
fn a_load_that_says_nothing_of_the_model_is_a_row_with_its_reason() {
    let upload = Load { direction: Direction::Upload, ..load(10) };
    let other = Case { library: Id::literal("other"), ..case(load(10)) };
    let other_regime = Load { connections: 99, ..load(10) };
    let unknown = Load { http: Http::Http2, body: 10, ..Load::new(Id::literal("lean"), None) };
    let absent = Outcome::Skipped { why: "mock is not installed".to_owned() };
    let found = checked(vec![
        measured(case(load(100)), COST, 50.0),
        measured(case(upload), COST, 10.0),
        measured(other, COST, 10.0),
        measured(case(unknown), COST, 10.0),
        measured(case(other_regime), COST, 10.0),
        Measurement::new(case(load(20)), absent),
    ]);
    assert_eq!(found.checked, Vec::new());
    let whys: Vec<&str> = found.holes.iter().map(|(_, why)| why.as_str()).collect();
    for (why, words) in whys.iter().zip([
        "it fell behind: 50 of 100 requests a second were reached",
        "it is an upload",
        "it is of other, and the model of mock",
        "the model has no cost of: request, h2 without TLS",
        "it has 99 connections, and the model 16",
        "skipped: mock is not installed",
    ]) {
        assert!(why.contains(words), "{words}: {why}");
    }
    assert_eq!(whys.len(), 6);
}

#[test]
fn a_body_of_a_kind_that_has_no_cost_is_named() {
    let mut model = model();
    model.terms.clear();
    let terms = parse_model(include_str!("../../tests/model.json"), "model.json".as_ref()).unwrap().terms;
    model.terms.extend(terms.into_iter().filter(|cost| !matches!(cost.term, Term::Body { .. })));
    let costs = Costs::of(&model);
    let found = check(&results(vec![measured(case(load(100)), COST, 100.0)]), &costs);
    let [(_, why)] = &found.holes[..] else { panic!("{found:?}") };
    assert!(why.contains("body of 16384 bytes"), "{why}");
}

#[test]
fn some_loads_are_not_the_workload() {
    let absent = Outcome::Skipped { why: "mock is not installed".to_owned() };
    let found =
        checked(vec![measured(case(load(100)), COST, 100.0), Measurement::new(case(load(20)), absent)]);
    assert_eq!((found.checked.len(), found.holes.len()), (1, 1));
}

/// What a smaller buffer costs is in the prediction of a load whose server had one.
#[test]
fn a_load_is_predicted_as_its_server_was_set_up() {
    let mut small = Load { body: 64 << 10, ..load(100) };
    let predicted = |load: Load| checked(vec![measured(case(load), COST, 100.0)]).checked[0].predicted.value;
    let usual = predicted(small.clone());
    small.tuning.tls_buffer = 4 << 10;
    assert!(predicted(small) > usual);
}
