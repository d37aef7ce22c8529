//! [`Prices`]: what work costs, with kin in the place of what a model does not know.

use std::collections::BTreeMap;

use tlstax_doc::model::{Bounds, Path, Term};
use tlstax_doc::plan::Missing;
use tlstax_spec::{Http, Suite};

use super::kin::{self, Kin};
use crate::costs::{Cost, Costs};
use crate::demand::Exact;
use crate::work::{RECORD, Setup, Work, work};

/// What work costs by a model, with kin in the place of what it does not know.
#[derive(Debug)]
pub struct Prices<'m> {
    costs: &'m Costs<'m>,
}

impl<'m> Prices<'m> {
    pub const fn of(costs: &'m Costs<'m>) -> Self {
        Self { costs }
    }

    /// Whether both are of one model.
    pub fn is_same(&self, other: &Self) -> bool {
        std::ptr::eq(self.costs, other.costs)
    }

    /// The work of a demand. A TCP connection that calibration could not tell from its handshake is in that one's cost.
    pub fn work(&self, demand: &Exact<'_>, setup: Setup) -> Work {
        let all = work(demand, setup, &|path, http| self.knots(path, http));
        let is_within = demand.tls.is_some() && self.costs.of_term(Term::Connection).is_none();
        match is_within {
            true => all.iter().filter(|(term, _)| *term != Term::Connection).collect(),
            false => all,
        }
    }

    /// The sizes over which bodies are split: those of which the model knows the cost, those of their kin where it knows none of their
    /// own, and one where it knows none at all, so that there is a term that is missing.
    pub fn knots(&self, path: Path, http: Http) -> Vec<u32> {
        let known = |path, http| -> Vec<u32> {
            // A cost of no bytes tells nothing of others.
            self.costs.knots(path, http).into_iter().filter(|bytes| *bytes > 0).collect()
        };
        let near = kin::body(path, http, 0).into_iter().map(|term| match term {
            Term::Body { path, http, .. } => known(path, http),
            _ => Vec::new(),
        });
        std::iter::once(known(path, http))
            .chain(near)
            .find(|knots| !knots.is_empty())
            .unwrap_or_else(|| vec![RECORD])
    }

    /// Whether the model knows what any body costs without TLS.
    pub fn knows_plain_bodies(&self) -> bool {
        let of = |path| Http::ALL.iter().any(|http| !self.costs.knots(path, *http).is_empty());
        [Path::Sendfile, Path::Copy].into_iter().any(of)
    }

    /// What TLS adds to a request without a body, nanoseconds; by another version of HTTP where the model knows both there only.
    pub fn added_to_request(&self, http: Http) -> Option<f64> {
        let of = |http: Http| {
            let [with, without] = [true, false].map(|tls| self.costs.of_term(Term::Request { http, tls }));
            Some(with? - without?)
        };
        of(http).or_else(|| Http::ALL.iter().find_map(|other| of(*other)))
    }

    /// What a term costs once, nanoseconds: by itself, by its kin, or nothing.
    pub fn once(&self, term: Term) -> f64 {
        self.costs.of_term(term).or_else(|| Some(kin::kin(self.costs, term)?.ns.value)).unwrap_or_default()
    }

    /// What work costs as it is thought to be, nanoseconds.
    pub fn likely(&self, work: &Work) -> f64 {
        work.iter().map(|(term, times)| times * self.once(term)).sum()
    }

    /// The same with what the model and the kin leave open.
    pub fn cost(&self, work: &Work) -> Bounds {
        self.with_kin(work, self.costs.cost(work))
    }

    /// What one piece of work costs more than another, of which this is the difference.
    pub fn change(&self, work: &Work) -> Bounds {
        self.with_kin(work, self.costs.change(work))
    }

    /// The same without what the terms leave unexplained.
    pub fn difference(&self, work: &Work) -> Bounds {
        self.with_kin(work, self.costs.difference(work))
    }

    /// One piece of work as a multiple of another: 0.1 is a tenth of its cost. None where the other costs nothing.
    pub fn ratio(&self, work: &Work, of: &Work) -> Option<Bounds> {
        let whole = self.likely(of);
        if whole <= 0.0 {
            return None;
        }
        let value = self.likely(work) / whole;
        // The delta method: the ratio moves as far as the work and so many times the other move apart.
        let apart = self.difference(&work.minus(&of.scaled(value)));
        let end = |end: f64| value + (end - apart.value) / whole;
        Some(Bounds { value, low: end(apart.low), high: end(apart.high) })
    }

    fn with_kin(&self, work: &Work, known: Cost) -> Bounds {
        let mut sum = known.bounds();
        for (kin, times) in self.missing(work).into_iter().filter_map(|(_, times, kin)| Some((kin?, times))) {
            let more = kin.ns.scaled(times);
            sum =
                Bounds { value: sum.value + more.value, low: sum.low + more.low, high: sum.high + more.high };
        }
        sum
    }

    fn missing(&self, work: &Work) -> Vec<(Term, f64, Option<Kin>)> {
        let missing = self.costs.missing(work).into_iter();
        missing.map(|(term, times)| (term, times, kin::kin(self.costs, term))).collect()
    }

    /// The terms of some work without a cost of their own.
    pub fn missing_of(&self, work: &Work) -> Vec<Missing> {
        let missing = self.missing(work).into_iter().map(|(term, times, kin)| {
            let ns = kin.map(|kin| kin.ns).unwrap_or_default();
            Missing { term, kin: kin.map(|kin| kin.of), ns, cores: times * ns.value / 1e9 }
        });
        let mut missing: Vec<Missing> = missing.collect();
        missing.sort_by(|one, other| other.cores.abs().total_cmp(&one.cores.abs()));
        missing
    }

    /// What stands for a term without a cost of its own, a sentence.
    pub fn said(missing: &Missing) -> String {
        match missing.kin {
            Some(kin) => {
                format!("the model has no cost of {}: {kin} stands for it within bounds", missing.term)
            }
            None => format!("the model has no cost of {}: it is not counted", missing.term),
        }
    }

    /// The same work with the records of another suite: none is AES-128-GCM, which adds nothing.
    pub fn with_suite(work: &Work, suite: Option<Suite>) -> Work {
        let of = |term: Term| match term {
            Term::SuiteByte { .. } => suite.map(|suite| Term::SuiteByte { suite }),
            Term::SuiteRecord { .. } => suite.map(|suite| Term::SuiteRecord { suite }),
            term => Some(term),
        };
        work.iter().filter_map(|(term, times)| Some((of(term)?, times))).collect()
    }

    /// The suite whose bytes cost most of all that the model knows.
    pub fn dearest_suite(&self) -> Option<Suite> {
        let known: BTreeMap<Suite, f64> = Suite::ALL
            .iter()
            .filter_map(|suite| Some((*suite, self.costs.of_term(Term::SuiteByte { suite: *suite })?)))
            .collect();
        known.into_iter().max_by(|one, other| one.1.total_cmp(&other.1)).map(|(suite, _)| suite)
    }
}
