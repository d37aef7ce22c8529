//! Loads whose costs are made up from planted costs of terms: these are found, and their intervals hold them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use proptest::prelude::*;
use tlstax_doc::model::{Path, Term};
use tlstax_spec::{Case, Http, Id, Workload};

use super::seen::Observed;
use super::solve::Solution;
use crate::design::{Scope, candidates, choose, work_of};
use crate::work::Work;

/// The first loads of one design.
fn design(count: usize) -> Vec<Case> {
    static DESIGN: LazyLock<Vec<Case>> = LazyLock::new(|| {
        let scope = Scope::default();
        choose(&candidates(&Id::literal("nginx"), &Id::literal("lean"), &scope), &scope, 60)
    });
    DESIGN[..count].to_vec()
}

fn works(cases: &[Case]) -> Vec<Work> {
    let of = |case: &Case| match &case.workload {
        Workload::Load(load) => work_of(load, &Scope::knots),
        _ => unreachable!("a design has loads only"),
    };
    cases.iter().map(of).collect()
}

/// What a term costs, by numbers from 0.5 to 1.5 for each.
fn planted(works: &[Work], factors: &[f64]) -> BTreeMap<Term, f64> {
    let usual = |term: Term| match term {
        Term::Body { bytes, .. } => f64::from(bytes) * 0.4,
        Term::SuiteByte { .. } => 0.3,
        Term::SuiteRecord { .. } | Term::Record | Term::Buffer => 400.0,
        Term::Request { .. } | Term::Connection | Term::Http2Connection => 30_000.0,
        _ => 300_000.0,
    };
    let mut costs: BTreeMap<Term, f64> =
        works.iter().flat_map(Work::iter).map(|(term, _)| (term, usual(term))).collect();
    costs.values_mut().zip(factors.iter().cycle()).for_each(|(cost, factor)| *cost *= factor);
    costs
}

/// Each load with its cost, of which the interval's half is this share, times the numbers of chance.
fn observed<'c>(
    cases: &'c [Case],
    works: &[Work],
    costs: &BTreeMap<Term, f64>,
    half: f64,
    chance: &[f64],
) -> Vec<Observed<'c>> {
    let of = |((case, work), chance): ((&'c Case, &Work), &f64)| {
        let Workload::Load(load) = &case.workload else { unreachable!("a design has loads only") };
        let cost: f64 = work.iter().map(|(term, times)| times * costs[&term]).sum();
        let value = cost * (1.0 + half / 1.96 * chance);
        Observed { case, load, value, low: value * (1.0 - half), high: value * (1.0 + half) }
    };
    cases.iter().zip(works).zip(chance.iter().cycle()).map(of).collect()
}

/// A normal deviate out of uniform numbers from 0 to 1 (Box and Muller).
fn normal(one: f64, other: f64) -> f64 {
    (-2.0 * one.max(1e-12).ln()).sqrt() * (std::f64::consts::TAU * other).cos()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, ..ProptestConfig::default() })]

    #[test]
    fn planted_costs_are_found(factors in prop::collection::vec(0.5..1.5f64, 40)) {
        let cases = design(60);
        let works = works(&cases);
        let costs = planted(&works, &factors);
        let found = Solution::of(&observed(&cases, &works, &costs, 0.01, &[0.0])).expect("there are loads");
        prop_assert_eq!(&found.lost, &[]);
        prop_assert_eq!(found.unexplained, 0.04);
        for (term, ns) in found.terms.iter().zip(&found.fit.unknowns) {
            prop_assert!((ns - costs[term]).abs() < 1e-5 * costs[term].abs(), "{term}: {ns} {}", costs[term]);
        }
    }

    /// Twenty runs, of which 95 in 100 intervals should hold the cost that was planted.
    #[test]
    fn intervals_hold_what_was_planted(seed in prop::collection::vec((0.0..1.0f64, 0.0..1.0f64), 1200)) {
        let cases = design(60);
        let works = works(&cases);
        let costs = planted(&works, &[1.0]);
        let chance: Vec<f64> = seed.iter().map(|(one, other)| normal(*one, *other)).collect();
        let (mut inside, mut all) = (0, 0);
        for chance in chance.chunks(60) {
            let found = Solution::of(&observed(&cases, &works, &costs, 0.02, chance)).expect("there are loads");
            for (place, term) in found.terms.iter().enumerate() {
                let deviation = found.fit.covariance[place][place].sqrt();
                inside += usize::from((found.fit.unknowns[place] - costs[term]).abs() < 1.96 * deviation);
                all += 1;
            }
        }
        let share = f64::from(u32::try_from(inside).unwrap_or(0)) / f64::from(all);
        prop_assert!(share > 0.88, "{share}");
    }
}

#[test]
fn what_terms_do_not_explain_is_found() {
    let cases = design(60);
    let works = works(&cases);
    let costs = planted(&works, &[1.0]);
    // Far more than the intervals say: 3 % to either side.
    let chance: Vec<f64> = (0..60).map(|place| if place % 2 == 0 { 6.0 } else { -6.0 }).collect();
    let found = Solution::of(&observed(&cases, &works, &costs, 0.01, &chance)).expect("there are loads");
    assert!((0.02..0.06).contains(&found.unexplained), "{}", found.unexplained);
}

#[test]
fn a_part_of_the_design_is_fitted_with_what_it_tells() {
    let cases = design(60);
    let kept: Vec<Case> = cases
        .into_iter()
        .filter(|case| matches!(&case.workload, Workload::Load(load) if load.requests_per_connection == 0))
        .collect();
    let works = works(&kept);
    let costs = planted(&works, &[1.0]);
    let found = Solution::of(&observed(&kept, &works, &costs, 0.01, &[0.0])).expect("there are loads");
    let is_handshake = |term: &Term| matches!(term, Term::Handshake { .. } | Term::Connection);
    assert!(!found.terms.iter().any(is_handshake));
    let request = Term::Request { http: Http::Http1, tls: true };
    assert!(found.terms.contains(&request) && !found.lost.contains(&request));
}

/// Where no load tells a size from others, its bodies are on the line between those beside it, and not cheaper than smaller ones.
#[test]
fn sizes_that_are_not_told_apart_are_no_terms() {
    let cases: Vec<Case> = design(60)
        .into_iter()
        .filter(|case| matches!(&case.workload, Workload::Load(load) if !(20 << 10..200 << 10).contains(&load.body)))
        .collect();
    let works = works(&cases);
    let costs = planted(&works, &[1.0]);
    let found = Solution::of(&observed(&cases, &works, &costs, 0.01, &[0.0])).expect("there are loads");
    let sizes: Vec<u32> = found
        .terms
        .iter()
        .filter_map(|term| match *term {
            Term::Body { path: Path::Tls, http: Http::Http1, bytes } => Some(bytes),
            _ => None,
        })
        .collect();
    assert_eq!(sizes, [16 << 10, 256 << 10, 1 << 20]);
}
