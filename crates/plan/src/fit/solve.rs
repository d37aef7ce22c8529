//! The terms that loads are made of, and what each costs.

use std::collections::{BTreeMap, BTreeSet};

use tlstax_doc::model::{Path, Term};
use tlstax_spec::Http;
use tlstax_stats::{Equation, LeastSquares, least_squares};

use super::seen::Observed;
use crate::design::{Scope, work_of};
use crate::work::Work;

/// What the terms cost that some loads are made of.
#[derive(Debug)]
pub struct Solution {
    pub terms: Vec<Term>,
    pub fit: LeastSquares,
    /// See [`tlstax_doc::model::Model::unexplained`].
    pub unexplained: f64,
    /// Of each load, by the model, and by the model without it.
    pub fitted: Vec<(f64, Option<f64>)>,
    /// Terms that these loads do not tell from others.
    pub lost: Vec<Term>,
}

/// The sizes of bodies on each path.
type Knots = BTreeMap<(Path, Http), Vec<u32>>;

/// A load that others say less of than this is seen by a term of its own: without it there is no prediction of it.
const OWN_TERM: f64 = 0.99;

/// The most that terms may leave unexplained.
const MOST: f64 = 1.0;

/// What is taken to be unexplained in a fit where no load is left over to show it; where some are, this over their number and one at least.
const UNSEEN: f64 = 0.02;

/// The least that is said to be unexplained, however well the loads of a design agree: workloads are other mixtures, of other sizes. Of 24
/// that nginx had never been calibrated with, half were missed by more than 3.6 %, and a fifth by more than 8 % (bench/plan.py).
const LEAST: f64 = 0.04;

impl Solution {
    /// None without loads.
    pub fn of(loads: &[Observed<'_>]) -> Option<Self> {
        let mut knots = knots(loads);
        loop {
            let solution = Self::with(loads, &knots)?;
            // Without a size that is not told apart, bodies are on the line between those beside it.
            let sizes = solution.lost.iter().filter_map(|term| match *term {
                Term::Body { path, http, bytes } => Some(((path, http), bytes)),
                _ => None,
            });
            let mut is_done = true;
            for (way, size) in sizes {
                knots.entry(way).or_default().retain(|bytes| *bytes != size);
                is_done = false;
            }
            if is_done {
                return Some(solution);
            }
        }
    }

    fn with(loads: &[Observed<'_>], knots: &Knots) -> Option<Self> {
        let sizes = |path: Path, http: Http| knots.get(&(path, http)).cloned().unwrap_or_default();
        let works: Vec<Work> = loads.iter().map(|one| work_of(one.load, &sizes)).collect();
        let terms = terms(&works);
        let rows: Vec<Vec<f64>> =
            works.iter().map(|work| terms.iter().map(|term| work.times(*term)).collect()).collect();
        let unexplained = unexplained(loads, &rows)?;
        let equations = equations(loads, &rows, unexplained);
        let fit = least_squares(&equations)?;
        let fitted = equations.iter().map(|one| fitted(&fit, one)).collect();
        let lost = fit.lost.iter().map(|place| terms[*place]).collect();
        Some(Self { terms, fit, unexplained: unexplained.max(LEAST), fitted, lost })
    }
}

/// The terms of some work. Of terms that are not told apart the last is lost, and that is the TCP connection: its cost is then in those of
/// the handshakes that were measured.
fn terms(works: &[Work]) -> Vec<Term> {
    let all: BTreeSet<Term> = works.iter().flat_map(Work::iter).map(|(term, _)| term).collect();
    let mut terms: Vec<Term> = all.into_iter().collect();
    terms.sort_by_key(|term| *term == Term::Connection);
    terms
}

/// Those sizes of the design that are not beyond all that were measured, of which those go that loads do not tell apart; where none is
/// left, the largest that was measured.
fn knots(loads: &[Observed<'_>]) -> Knots {
    let way = |one: &Observed<'_>| {
        let path = match (one.load.params, one.load.tuning.sendfile) {
            (Some(_), _) => Path::Tls,
            (None, true) => Path::Sendfile,
            (None, false) => Path::Copy,
        };
        (path, one.load.http)
    };
    let mut measured: BTreeMap<(Path, Http), BTreeSet<u32>> = BTreeMap::new();
    for one in loads.iter().filter(|one| one.load.body > 0) {
        measured.entry(way(one)).or_default().insert(one.load.body);
    }
    let chosen = |((path, http), sizes): ((Path, Http), BTreeSet<u32>)| {
        let mut knots = Scope::knots(path, http);
        let largest = sizes.last().copied();
        knots.retain(|knot| Some(*knot) <= largest);
        if knots.is_empty() {
            knots.extend(largest);
        }
        ((path, http), knots)
    };
    measured.into_iter().map(chosen).collect()
}

fn equations(loads: &[Observed<'_>], rows: &[Vec<f64>], unexplained: f64) -> Vec<Equation> {
    let equation = |(one, times): (&Observed<'_>, &Vec<f64>)| Equation {
        times: times.clone(),
        value: one.value,
        deviation: one.deviation().hypot(unexplained * one.value),
    };
    loads.iter().zip(rows).map(equation).collect()
}

/// By the model, and by the model without this load: what is left of a load when it is left out is what the fit leaves of it, over
/// what the others say of it (Cook and Weisberg, "Residuals and influence in regression", 1982, 2.2).
fn fitted(fit: &LeastSquares, one: &Equation) -> (f64, Option<f64>) {
    let (model, leverage) = (fit.at(&one.times), fit.leverage(one));
    let without = one.value - (one.value - model) / (1.0 - leverage);
    (model, (leverage < OWN_TERM).then_some(without))
}

/// What makes the squares of what each load is missed by when it is left out, each over its variance and counted as far as the others
/// say it, as large as chance has them: their sum is then the number of loads more than terms (Paule and Mandel, J. Res. NBS 87,
/// 1982). None where there are no equations.
fn unexplained(loads: &[Observed<'_>], rows: &[Vec<f64>]) -> Option<f64> {
    let spare = |unexplained: f64| -> Option<(f64, f64)> {
        let equations = equations(loads, rows, unexplained);
        let fit = least_squares(&equations)?;
        let told = (rows.first()?.len() - fit.lost.len()) as f64;
        let missed = |one: &Equation| ((one.value - fit.at(&one.times)) / one.deviation).powi(2);
        Some((equations.iter().map(missed).sum::<f64>(), loads.len() as f64 - told))
    };
    let (_, free) = spare(0.0)?;
    let least = UNSEEN / (1.0 + free.max(0.0));
    let is_too_little =
        |unexplained: f64| spare(unexplained).is_some_and(|(missed, free)| free > 0.0 && missed > free);
    if !is_too_little(least) {
        return Some(least);
    }
    let (mut low, mut high) = (least, MOST);
    for _ in 0..30 {
        let middle = (low * high).sqrt();
        if is_too_little(middle) { low = middle } else { high = middle }
    }
    Some(high)
}
