//! The promises of docs/method.md, section 2, on simulated machines, where the truth is known.
#![allow(clippy::unwrap_used)]

mod simulated;

use fastrand::Rng;
use simulated::{Law, Run, Truth, Weather, run};
use tlstax_stats::{Basis, Observation, Settings, Side, Verdict, compare, estimate, median, quantile, ratio};

/// The rounds that the default budget of the quick study leaves for a case.
const ROUNDS: u32 = 80;
const CASES: usize = 40;

fn truths(rng: &mut Rng) -> Vec<Truth> {
    (0..CASES).map(|_| Truth { cost: 100.0 + 10_000.0 * rng.f64(), lanes: rng.f64() }).collect()
}

/// Pairs of weathers that a comparison has to stand.
fn pairs_of_weathers() -> [[Weather; 2]; 5] {
    let (rough, calm, product) =
        (Weather::ROUGH, Weather::CALM, Weather { law: Law::Product, ..Weather::ROUGH });
    [
        [rough, rough],
        [calm, rough],
        [product, product],
        [rough, Weather { slower: 1.3, ..rough }],
        [product, Weather { slower: 1.1, neighbour: 1.2, ..product }],
    ]
}

/// The verdicts on so many pairs of runs of the same cases, the costs of the new run multiplied by each of `planted`.
fn verdicts<const N: usize>(
    pairs: usize,
    weathers: [Weather; 2],
    planted: [f64; N],
    seed: u64,
) -> [Vec<Verdict>; N] {
    let mut rng = Rng::with_seed(seed);
    let mut verdicts = [const { Vec::new() }; N];
    for _ in 0..pairs {
        let truths = truths(&mut rng);
        let [old, new] = weathers.map(|weather| run(&truths, ROUNDS, weather, &mut rng));
        let (old_baseline, new_baseline) = (old.baseline(), new.baseline());
        for (old, new) in old.cases.iter().zip(&new.cases) {
            let old = Side { observations: old, baseline: Some(&old_baseline) };
            for (planted, verdicts) in planted.iter().zip(&mut verdicts) {
                let new: Vec<_> =
                    new.iter().map(|o| Observation { cost: o.cost * planted, ..o.clone() }).collect();
                let new = Side { observations: &new, baseline: Some(&new_baseline) };
                verdicts.push(compare(old, new, &Settings::default()).verdict);
            }
        }
    }
    verdicts
}

fn count(verdicts: &[Verdict], wanted: Verdict) -> usize {
    verdicts.iter().filter(|verdict| **verdict == wanted).count()
}

#[test]
fn the_same_build_is_called_changed_at_most_once_in_a_hundred() {
    let verdicts: Vec<Verdict> = (0..)
        .zip(pairs_of_weathers())
        .flat_map(|(seed, weathers)| verdicts(10, weathers, [1.0], seed))
        .flatten()
        .collect();
    let changed = count(&verdicts, Verdict::Faster) + count(&verdicts, Verdict::Slower);
    assert!(verdicts.len() >= 2000);
    assert!(changed * 100 <= verdicts.len(), "{changed} of {} called changed", verdicts.len());
}

#[test]
fn three_percent_are_found() {
    // Without the last two: where the machine itself changed between the runs, "cannot tell" is a right answer too.
    for (seed, weathers) in (100..).zip(pairs_of_weathers()).take(3) {
        let [slower, faster] = verdicts(5, weathers, [1.03, 1.0 / 1.03], seed);
        for (verdicts, wanted) in [(slower, Verdict::Slower), (faster, Verdict::Faster)] {
            let found = count(&verdicts, wanted);
            assert!(
                found * 100 >= 95 * verdicts.len(),
                "{found} of {} {wanted:?}: {weathers:?}",
                verdicts.len()
            );
        }
    }
}

#[test]
fn intervals_cover_the_truth() {
    let terrible = Weather { bursts: 0.6, siblings: 0.7, drift: 0.05, ..Weather::ROUGH };
    for weather in [Weather::CALM, Weather::ROUGH, Weather { law: Law::Product, ..Weather::ROUGH }, terrible]
    {
        let mut rng = Rng::with_seed(3);
        let (mut costs, mut ratios, mut all) = (0, 0, 0);
        for _ in 0..5 {
            let run = run(&truths(&mut rng), ROUNDS, weather, &mut rng);
            let baseline = run.baseline();
            for case in 0..CASES {
                let other = (case + 1) % CASES;
                let cost = estimate(&run.cases[case], Some(&baseline)).unwrap();
                costs += usize::from((cost.low..=cost.high).contains(&run.truths[case]));
                let side = |case: usize| Side { observations: &run.cases[case], baseline: Some(&baseline) };
                let ratio = ratio(side(case), side(other)).unwrap();
                ratios +=
                    usize::from((ratio.low..=ratio.high).contains(&(run.truths[case] / run.truths[other])));
                all += 1;
            }
        }
        assert!(costs * 100 >= 90 * all, "{costs} of {all} costs covered: {weather:?}");
        assert!(ratios * 100 >= 90 * all, "{ratios} of {all} ratios covered: {weather:?}");
    }
}

/// How far the middle 80 % of the values reach, relative to their median.
fn spread(values: &[f64]) -> f64 {
    let at = |share| quantile(values, share).unwrap();
    (at(0.9) - at(0.1)) / at(0.5)
}

#[test]
fn quiet_medians_spread_less_than_raw_ones() {
    let mut rng = Rng::with_seed(4);
    let mut truths = truths(&mut rng);
    truths.truncate(10);
    let runs: Vec<Run> = (0..20).map(|_| run(&truths, ROUNDS, Weather::ROUGH, &mut rng)).collect();
    for case in 0..truths.len() {
        let estimates: Vec<_> =
            runs.iter().map(|r| estimate(&r.cases[case], Some(&r.baseline())).unwrap()).collect();
        assert!(estimates.iter().any(|e| matches!(e.basis, Basis::Quiet { .. })));
        let quiet: Vec<f64> = estimates.iter().map(|e| e.value).collect();
        let costs = |r: &Run| r.cases[case].iter().map(|o| o.cost).collect::<Vec<_>>();
        let raw: Vec<f64> = runs.iter().map(|r| median(&costs(r)).unwrap()).collect();
        let (quiet, raw) = (spread(&quiet), spread(&raw));
        assert!(quiet < raw / 2.0, "case {case}: {quiet} against {raw}");
    }
}
