//! The choice: one load after the other, each time the one that makes predictions sharper most.

use std::collections::BTreeMap;

use tlstax_doc::model::Term;
use tlstax_spec::{Case, Load, Workload};

use super::prior::prior;
use super::scope::{Scope, work_of};
use super::usual::usual;
use crate::work::Work;

/// What a load is known by after its share of the time: the standard deviation of its cost, relative to it.
const MEASURED: f64 = 0.01;

/// How much the cost of a single term, relative to what it is thought to be, counts beside the cost of a usual workload: little, so that
/// a term that is rare is told apart, too, and time is spent on what matters.
const OWN: f64 = 0.01;

/// The loads of a design, so many of the candidates, in the order in which they were chosen: what has least to say comes last. A-optimal
/// by single steps: each time the candidate that lowers the mean relative variance of predictions for usual workloads most (Fedorov,
/// "Theory of optimal experiments", 1972; Chaloner and Verdinelli, "Bayesian experimental design", Statistical Science 10, 1995).
pub fn choose(candidates: &[Case], scope: &Scope, count: usize) -> Vec<Case> {
    let known: Vec<(usize, Work)> = candidates
        .iter()
        .enumerate()
        .filter_map(|(place, case)| Some((place, work_of_case(case)?)))
        .collect();
    let terms: BTreeMap<Term, usize> = terms(known.iter().map(|(_, work)| work));
    let mut rows: Vec<(usize, Vec<f64>)> =
        known.iter().map(|(place, work)| (*place, relative(work, &terms))).collect();
    let mut state = State::of(&terms, scope);
    let mut chosen = Vec::new();
    while chosen.len() < count {
        let gains = rows.iter().map(|(_, row)| state.gain(row));
        let Some((best, _)) = gains.enumerate().max_by(|(_, one), (_, other)| one.total_cmp(other)) else {
            break;
        };
        let (place, row) = rows.swap_remove(best);
        state.add(&row);
        chosen.push(candidates[place].clone());
    }
    chosen
}

/// How many costs some loads are made of: fewer loads do not tell them apart.
pub fn unknowns(cases: &[Case]) -> usize {
    let works: Vec<Work> = cases.iter().filter_map(work_of_case).collect();
    terms(works.iter()).len()
}

fn work_of_case(case: &Case) -> Option<Work> {
    match &case.workload {
        Workload::Load(load) => Some(work_of(load, &Scope::knots)),
        _ => None,
    }
}

fn terms<'w>(works: impl Iterator<Item = &'w Work>) -> BTreeMap<Term, usize> {
    let mut terms: BTreeMap<Term, usize> = works.flat_map(Work::iter).map(|(term, _)| (term, 0)).collect();
    terms.values_mut().enumerate().for_each(|(place, value)| *value = place);
    terms
}

/// What share of the cost of work is spent on each term.
fn relative(work: &Work, terms: &BTreeMap<Term, usize>) -> Vec<f64> {
    let mut row = vec![0.0; terms.len()];
    let mut cost = 0.0;
    for (term, times) in work.iter() {
        let spent = times * prior(term);
        cost += spent;
        if let Some(place) = terms.get(&term) {
            row[*place] += spent;
        }
    }
    row.iter_mut().for_each(|share| *share /= cost);
    row
}

/// What is known after the loads chosen so far, each term in multiples of what it is thought to cost.
struct State {
    /// Before anything is measured each term is uncertain by all of what it is thought to cost.
    covariance: Vec<Vec<f64>>,
    /// The mean over usual workloads of the products of their shares.
    importance: Vec<Vec<f64>>,
}

impl State {
    fn of(terms: &BTreeMap<Term, usize>, scope: &Scope) -> Self {
        let diagonal = |value: f64| -> Vec<Vec<f64>> {
            let entry = |row: usize, column: usize| if row == column { value } else { 0.0 };
            (0..terms.len()).map(|row| (0..terms.len()).map(|column| entry(row, column)).collect()).collect()
        };
        let mut importance = diagonal(OWN / terms.len() as f64);
        let loads: Vec<Load> = usual(scope);
        for load in &loads {
            let row = relative(&work_of(load, &Scope::knots), terms);
            for (one, line) in importance.iter_mut().enumerate() {
                for (other, entry) in line.iter_mut().enumerate() {
                    *entry += row[one] * row[other] / loads.len() as f64;
                }
            }
        }
        Self { covariance: diagonal(1.0), importance }
    }

    /// By how much the mean variance of predictions becomes less.
    fn gain(&self, row: &[f64]) -> f64 {
        let towards = times(&self.covariance, row);
        dot(&towards, &times(&self.importance, &towards)) / (MEASURED * MEASURED + dot(row, &towards))
    }

    fn add(&mut self, row: &[f64]) {
        let towards = times(&self.covariance, row);
        let variance = MEASURED * MEASURED + dot(row, &towards);
        for (one, line) in self.covariance.iter_mut().enumerate() {
            for (other, entry) in line.iter_mut().enumerate() {
                *entry -= towards[one] * towards[other] / variance;
            }
        }
    }
}

fn times(matrix: &[Vec<f64>], row: &[f64]) -> Vec<f64> {
    matrix.iter().map(|line| dot(line, row)).collect()
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

#[cfg(test)]
mod tests {
    use tlstax_spec::Id;
    use tlstax_stats::{Equation, least_squares};

    use super::super::candidates::candidates;
    use super::*;

    fn chosen(scope: &Scope, count: usize) -> (Vec<Case>, BTreeMap<Term, usize>) {
        let all = candidates(&Id::literal("nginx"), &Id::literal("lean"), scope);
        let works: Vec<Work> = all.iter().filter_map(work_of_case).collect();
        (choose(&all, scope, count), terms(works.iter()))
    }

    fn lost(cases: &[Case], terms: &BTreeMap<Term, usize>) -> Vec<Term> {
        let equation = |work: Work| {
            let mut times = vec![0.0; terms.len()];
            work.iter().for_each(|(term, count)| times[terms[&term]] = count * prior(term));
            let value: f64 = times.iter().sum();
            Equation { deviation: value * MEASURED, value, times }
        };
        let equations: Vec<Equation> = cases.iter().filter_map(work_of_case).map(equation).collect();
        let fit = least_squares(&equations).expect("there are equations");
        let places: Vec<Term> = terms.keys().copied().collect();
        fit.lost.iter().map(|place| places[*place]).collect()
    }

    #[test]
    fn ten_minutes_tell_every_term_apart() {
        let (cases, terms) = chosen(&Scope::default(), 40);
        assert_eq!(cases.len(), 40);
        assert!(terms.len() <= 36, "{} terms", terms.len());
        assert_eq!(lost(&cases, &terms), []);
    }

    #[test]
    fn a_small_scope_needs_few_loads() {
        let scope = Scope {
            versions: vec![tlstax_spec::Version::Tls13],
            suites: Vec::new(),
            groups: Vec::new(),
            keys: vec![tlstax_spec::Key::EcdsaP256],
            resumptions: vec![tlstax_spec::Resumption::Psk],
            http: vec![tlstax_spec::Http::Http1],
        };
        let (cases, terms) = chosen(&scope, 20);
        assert_eq!(lost(&cases, &terms), []);
        let (all, _) = chosen(&scope, usize::MAX);
        assert!(all.len() > 20, "with all the time there is, all candidates are measured");
    }

    #[test]
    fn the_design_is_the_same_each_time_and_no_case_comes_twice() {
        let (cases, _) = chosen(&Scope::default(), 40);
        assert_eq!(cases, chosen(&Scope::default(), 40).0);
        let ids: std::collections::HashSet<String> = cases.iter().map(Case::id).collect();
        assert_eq!(ids.len(), cases.len());
    }
}
