//! What holds for any numbers.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use tlstax_stats::{
    Baseline, Basis, Comparison, HalfWidth, MIN_ROUNDS, Observation, Ratio, Reading, Reason, Settings, Side,
    Verdict, compare, compare_within, estimate, median, median_interval, quantile, ratio,
};

fn reading() -> impl Strategy<Value = Reading> {
    (100.0..170.0, 40.0..80.0).prop_map(|(latency, throughput)| Reading { latency, throughput })
}

/// Batches with one or two to a round.
fn observations() -> impl Strategy<Value = Vec<Observation>> {
    let batch = (0u32..20, 1.0..2.0, reading(), reading());
    let observation = |(round, cost, before, after)| Observation {
        round,
        sitting: round,
        cost,
        before,
        after,
        ..Observation::default()
    };
    prop::collection::vec(batch.prop_map(observation), 0..40)
}

fn baseline(observations: &[Observation]) -> Option<Baseline> {
    Baseline::of(&observations.iter().flat_map(|o| [o.before, o.after]).collect::<Vec<_>>())
}

fn scaled(observations: &[Observation], factor: f64) -> Vec<Observation> {
    observations.iter().map(|o| Observation { cost: o.cost * factor, ..o.clone() }).collect()
}

fn compared(old: &[Observation], new: &[Observation]) -> Comparison {
    let baselines = (baseline(old), baseline(new));
    let old = Side { observations: old, baseline: baselines.0.as_ref() };
    compare(old, Side { observations: new, baseline: baselines.1.as_ref() }, &Settings::default())
}

fn close(a: f64, b: f64) -> bool {
    (a / b - 1.0).abs() < 1e-9
}

proptest! {
    #[test]
    fn medians_lie_within(values in prop::collection::vec(-1e6..1e6, 1..50), share in 0.0..1.0) {
        let (least, greatest) = (quantile(&values, 0.0).unwrap(), quantile(&values, 1.0).unwrap());
        let middle = median(&values).unwrap();
        prop_assert!(least <= middle && middle <= greatest);
        let quantile = quantile(&values, share).unwrap();
        prop_assert!(least <= quantile && quantile <= greatest);
        let interval = median_interval(&values, 0.95).unwrap();
        prop_assert!(interval.low <= middle && middle <= interval.high);
    }

    #[test]
    fn estimates_lie_within_their_interval_and_scale(batches in observations(), factor in 0.001..1000.0) {
        let baseline = baseline(&batches);
        let rounds = batches.iter().map(|o| o.round).collect::<std::collections::BTreeSet<_>>().len();
        let found = estimate(&batches, baseline.as_ref());
        prop_assert_eq!(found.is_some(), rounds >= MIN_ROUNDS);
        if let Some(found) = found {
            prop_assert!(found.low <= found.value && found.value <= found.high);
            prop_assert!(found.kept <= found.total && found.total == rounds);
            prop_assert!(found.half_width() <= HalfWidth(Ratio(10.0)));
            let other = estimate(&scaled(&batches, factor), baseline.as_ref()).unwrap();
            prop_assert!(close(other.value, found.value * factor) && close(other.low, found.low * factor));
        }
    }

    #[test]
    fn a_case_is_itself(batches in observations(), factor in 0.1..10.0) {
        let baseline = baseline(&batches);
        let side = |observations| Side { observations, baseline: baseline.as_ref() };
        if let Some(one) = ratio(side(&batches), side(&batches)) {
            prop_assert!(close(one.value, 1.0));
            let other = ratio(side(&scaled(&batches, factor)), side(&batches)).unwrap();
            prop_assert!(close(other.value, factor));
            prop_assert!(other.low <= other.value && other.value <= other.high);
        }
    }

    #[test]
    fn a_run_equals_itself(batches in observations()) {
        let found = compared(&batches, &batches);
        prop_assert!(found.verdict != Verdict::Faster && found.verdict != Verdict::Slower);
        if let Some(interval) = found.ratio {
            prop_assert!(interval.low <= 1.0 && interval.high >= 1.0 && close(interval.value, 1.0));
        }
    }
}

/// So many rounds of a cost that nothing touches, on a machine that alternates between quiet and disturbed.
fn steady(rounds: u32, cost: f64) -> Vec<Observation> {
    let at = |factor| Reading { latency: 100.0 * factor, throughput: 40.0 * factor };
    let observation = |round: u32| {
        let state = at(if round.is_multiple_of(3) { 1.3 } else { 1.0 });
        let cost = cost * (1.0 + 0.001 * f64::from(round % 5));
        Observation { round, sitting: round, cost, before: state, after: state, ..Observation::default() }
    };
    (0..rounds).map(observation).collect()
}

#[test]
fn without_references_nothing_is_claimed() {
    let (old, new) = (steady(30, 100.0), steady(30, 200.0));
    let bare: Vec<Observation> = new
        .iter()
        .map(|o| Observation { before: Reading::default(), after: Reading::default(), ..o.clone() })
        .collect();
    assert_eq!(estimate(&bare, None).unwrap().basis, Basis::Raw);
    let found = compared(&old, &bare);
    assert_eq!((found.verdict, found.why), (Verdict::CannotTell, Reason::NoReferences));
    assert!(close(found.ratio.unwrap().value, 2.0));
}

#[test]
fn too_few_rounds_are_not_summarised() {
    let batches = steady(5, 100.0);
    let baseline = baseline(&batches);
    assert_eq!(estimate(&batches, baseline.as_ref()), None);
    let side = Side { observations: &batches, baseline: baseline.as_ref() };
    assert_eq!(ratio(side, side), None);
    let found = compared(&batches, &batches);
    assert_eq!((found.verdict, found.why, found.ratio), (Verdict::CannotTell, Reason::TooFewRounds, None));
}

#[test]
fn batches_of_one_round_count_once() {
    let many: Vec<Observation> = steady(5, 100.0).into_iter().flat_map(|o| vec![o; 10]).collect();
    assert_eq!(estimate(&many, None), None);
}

#[test]
fn a_cost_that_the_machine_does_not_touch_is_not_corrected() {
    let found = compared(&steady(30, 100.0), &steady(30, 103.0));
    assert_eq!(found.verdict, Verdict::Slower);
    assert!(close(found.ratio.unwrap().value, 1.03));
}

#[test]
fn a_change_of_the_machine_that_the_runs_never_showed_decides_nothing() {
    let quiet: Vec<Observation> = steady(90, 100.0).into_iter().filter(|o| o.round % 3 != 0).collect();
    let slower: Vec<Observation> = quiet
        .iter()
        .map(|o| {
            let reading = Reading { latency: o.before.latency, throughput: o.before.throughput * 1.2 };
            Observation { cost: o.cost * 1.1, before: reading, after: reading, ..o.clone() }
        })
        .collect();
    let found = compared(&quiet, &slower);
    assert_eq!((found.verdict, found.why), (Verdict::CannotTell, Reason::MachineChanged));
    assert!(close(found.machine.unwrap().throughput, 1.2));
}

/// Rounds of a case beside which the machine is half as fast in every third.
fn disturbed(cost: f64, rounds: u32) -> Vec<Observation> {
    let slowness = |round: u32| if round.is_multiple_of(3) { 2.0 } else { 1.0 };
    let jitter = |round: u32| 1.0 + f64::from(round % 5) * 0.001;
    let observation = |round| Observation {
        round,
        sitting: round,
        cost: cost * slowness(round) * jitter(round),
        ..Observation::default()
    };
    (0..rounds).map(observation).collect()
}

fn within(old: f64, new: f64, rounds: u32) -> Comparison {
    let [old, new] = [old, new].map(|cost| disturbed(cost, rounds));
    let side = |observations| Side { observations, baseline: None };
    let settings = Settings { floor: Ratio(0.03), same_within: Ratio(0.03), ..Settings::default() };
    compare_within(side(&old), side(&new), &settings)
}

#[test]
fn what_the_machine_does_to_both_cases_of_a_run_changes_no_verdict() {
    assert_eq!(within(100.0, 105.0, 20).verdict, Verdict::Slower);
    assert_eq!(within(105.0, 100.0, 20).verdict, Verdict::Faster);
    assert_eq!(within(100.0, 101.0, 20).verdict, Verdict::Same { within: Ratio(0.03) });
    let few = within(100.0, 105.0, MIN_ROUNDS as u32 - 1);
    assert_eq!((few.verdict, few.why, few.ratio), (Verdict::CannotTell, Reason::TooFewRounds, None));
}
