//! What the estimator of the undisturbed cost promises, on simulated machines, where the truth is known.
#![allow(clippy::unwrap_used)]

#[path = "simulated/parts.rs"]
mod simulated;

use fastrand::Rng;
use simulated::{Neighbour, Plant, Run, run};
use tlstax_stats::{
    Basis, Comparison, Estimate, Observation, Settings, Side, Verdict, compare, estimate, quantile, ratio,
};

/// What each case costs undisturbed.
const TRUTH: f64 = 100.0;
const CASES: usize = 40;
const ROUNDS: u32 = 60;

fn runs(number: usize, plant: Plant, neighbour: Neighbour, seed: u64) -> Vec<Run> {
    let mut rng = Rng::with_seed(seed);
    (0..number).map(|_| run(CASES, ROUNDS, plant, neighbour, &mut rng)).collect()
}

fn estimates(runs: &[Run]) -> Vec<Estimate> {
    let of = |run: &Run| {
        run.cases.iter().map(|case| estimate(case, Some(&run.baseline)).unwrap()).collect::<Vec<_>>()
    };
    runs.iter().flat_map(of).collect()
}

/// How far the estimates are from the truth at the clock that the runs had, at this quantile.
fn error(found: &[Estimate], share: f64) -> f64 {
    quantile(&found.iter().map(|one| (one.value / TRUTH - 1.0).abs()).collect::<Vec<_>>(), share).unwrap()
}

fn covered(found: &[Estimate]) -> f64 {
    found.iter().filter(|one| (one.low..=one.high).contains(&TRUTH)).count() as f64 / found.len() as f64
}

/// A clock that stands still, so that the usual clock of a run is that of the truth.
const STILL: Plant = Plant { wander: 0.0, ..Plant::USUAL };

#[test]
fn the_undisturbed_cost_is_found_whatever_its_share() {
    for share in [1.0, 0.5, 0.2] {
        let found = estimates(&runs(5, STILL, Neighbour::of(share), 1));
        let claimed = found.iter().filter(|one| one.basis == Basis::Undisturbed).count();
        assert!(claimed * 100 >= 95 * found.len(), "{share}: {claimed}");
        assert!(error(&found, 0.9) < 0.005, "{share}: {}", error(&found, 0.9));
        assert!(covered(&found) >= 0.9, "{share}: {}", covered(&found));
    }
}

#[test]
fn a_neighbour_who_is_hardly_ever_away_is_no_undisturbed_machine() {
    let found = estimates(&runs(3, STILL, Neighbour::of(0.0), 2));
    let claimed = found.iter().filter(|one| one.basis == Basis::Undisturbed).count();
    assert_eq!(claimed, 0);
    let found = estimates(&runs(3, STILL, Neighbour::of(0.08), 3));
    let claimed: Vec<_> = found.into_iter().filter(|one| one.basis == Basis::Undisturbed).collect();
    assert!(error(&claimed, 0.9) < 0.01, "{}", error(&claimed, 0.9));
}

#[test]
fn a_wandering_clock_widens_nothing() {
    let wandering = Plant { wander: 0.02, ..Plant::USUAL };
    let widths = |plant| {
        let found = estimates(&runs(3, plant, Neighbour::of(0.7), 4));
        quantile(&found.iter().map(|one| one.half_width().0.0).collect::<Vec<_>>(), 0.5).unwrap()
    };
    assert!(widths(wandering) < 1.5 * widths(STILL));
}

#[test]
fn as_it_went_holds_what_the_neighbour_costs() {
    let run = &runs(1, STILL, Neighbour::of(0.2), 5)[0];
    let found = estimate(&run.cases[0], Some(&run.baseline)).unwrap();
    let mean = run.cases[0].iter().map(|o| o.cost).sum::<f64>() / run.cases[0].len() as f64;
    assert!((found.as_it_went - mean).abs() < 1e-9 && found.as_it_went / found.value > 1.2);
}

#[test]
fn ratios_are_of_undisturbed_costs() {
    for run in runs(3, Plant::USUAL, Neighbour::of(0.3), 6) {
        let dearer: Vec<Observation> = scaled(&run.cases[1], 1.5);
        let side = |observations| Side { observations, baseline: Some(&run.baseline) };
        let found = ratio(side(&dearer), side(&run.cases[0])).unwrap();
        assert_eq!(found.basis, Basis::Undisturbed);
        assert!((found.value / 1.5 - 1.0).abs() < 0.005, "{found:?}");
    }
}

#[test]
fn a_neighbour_who_comes_for_good_leaves_what_was_seen_before_him() {
    let found = estimates(&runs(3, STILL, Neighbour { stays_from: 0.6, ..Neighbour::of(0.6) }, 7));
    assert!(found.iter().all(|one| one.basis == Basis::Undisturbed));
    assert!(error(&found, 0.9) < 0.01, "{}", error(&found, 0.9));
}

#[test]
fn ten_times_the_usual_noise_is_wider_and_not_wrong() {
    let found = estimates(&runs(3, Plant { jitter: 0.03, ..STILL }, Neighbour::of(0.7), 8));
    assert!(covered(&found) >= 0.8, "{}", covered(&found));
    assert!(error(&found, 0.5) < 0.02, "{}", error(&found, 0.5));
}

fn scaled(observations: &[Observation], factor: f64) -> Vec<Observation> {
    let times = |o: &Observation| Observation {
        cost: o.cost * factor,
        parts: o.parts.iter().map(|part| part * factor).collect(),
        ..o.clone()
    };
    observations.iter().map(times).collect()
}

/// The comparisons of every case of pairs of runs, the later one slowed by a factor.
fn compared(pairs: &[[Run; 2]], factor: f64) -> Vec<Comparison> {
    let of_pair = |[old, new]: &[Run; 2]| {
        let one = |(before, now): (&Vec<Observation>, &Vec<Observation>)| {
            let now = scaled(now, factor);
            let old = Side { observations: before, baseline: Some(&old.baseline) };
            compare(old, Side { observations: &now, baseline: Some(&new.baseline) }, &Settings::default())
        };
        old.cases.iter().zip(&new.cases).map(one).collect::<Vec<_>>()
    };
    pairs.iter().flat_map(of_pair).collect()
}

#[test]
fn one_percent_is_found_and_nothing_where_there_is_nothing() {
    for (share, cycles) in [(0.9, [1.0, 1.0]), (0.5, [1.0, 1.02]), (0.25, [1.0, 1.0])] {
        let mut rng = Rng::with_seed(9);
        let mut one =
            |cycle| run(CASES, 150, Plant { cycle, ..Plant::USUAL }, Neighbour::of(share), &mut rng);
        let pairs: Vec<[Run; 2]> = (0..4).map(|_| cycles.map(&mut one)).collect();
        let verdicts = |factor, wanted: &[Verdict]| {
            let found = compared(&pairs, factor);
            let said = found.iter().filter(|comparison| wanted.contains(&comparison.verdict)).count();
            said as f64 / found.len() as f64
        };
        let wrong = verdicts(1.0, &[Verdict::Faster, Verdict::Slower]);
        assert!(wrong <= 0.01, "{share}: {wrong}");
        let found = verdicts(1.01, &[Verdict::Slower]);
        assert!(found >= 0.95, "{share}: {found}");
    }
}
