//! [`Costs`]: what work costs by a model, with what is not known of it.

use std::collections::BTreeMap;

use tlstax_doc::model::{Bounds, Model, Path, Term};
use tlstax_spec::Http;

use crate::work::Work;

/// What the terms of a model cost.
#[derive(Debug)]
pub struct Costs<'m> {
    model: &'m Model,
    places: BTreeMap<Term, usize>,
}

/// A cost that chance leaves this much open.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub struct Cost {
    /// Nanoseconds.
    pub ns: f64,
    /// Their standard deviation.
    pub deviation: f64,
}

/// Standard deviations on each side of a 95 % interval.
const SIDE: f64 = 1.96;

impl Cost {
    /// With its 95 % interval; a cost of work is not below nothing, a difference may be.
    pub fn bounds(self) -> Bounds {
        let Self { ns, deviation } = self;
        Bounds { value: ns, low: ns - SIDE * deviation, high: ns + SIDE * deviation }
    }
}

impl<'m> Costs<'m> {
    pub fn of(model: &'m Model) -> Self {
        let places = model.terms.iter().enumerate().map(|(place, cost)| (cost.term, place)).collect();
        Self { model, places }
    }

    pub const fn model(&self) -> &'m Model {
        self.model
    }

    /// What a term costs once; none where the model does not know it.
    pub fn of_term(&self, term: Term) -> Option<f64> {
        self.places.get(&term).map(|place| self.model.terms[*place].ns)
    }

    /// The terms of some work that the model has no cost of, with how many times they are done. Buffers that its loads did not tell from
    /// bodies are in the cost of these.
    pub fn missing(&self, work: &Work) -> Vec<(Term, f64)> {
        let is_missing = |term: &Term| *term != Term::Buffer && !self.places.contains_key(term);
        work.iter().filter(|(term, _)| is_missing(term)).collect()
    }

    /// The sizes of bodies that the model knows, in order.
    pub fn knots(&self, path: Path, http: Http) -> Vec<u32> {
        let size = |term: &Term| match *term {
            Term::Body { path: by, http: over, bytes } if by == path && over == http => Some(bytes),
            _ => None,
        };
        self.places.keys().filter_map(size).collect()
    }

    /// What work costs. Terms that the model does not know cost nothing here; see [`missing`](Self::missing).
    pub fn cost(&self, work: &Work) -> Cost {
        let Cost { ns, deviation } = self.difference(work);
        Cost { ns, deviation: deviation.hypot(self.model.unexplained * ns) }
    }

    /// What one piece of work costs more than another, of which this is the difference: what both have in common cancels, and what the
    /// terms leave unexplained is as large for what comes as for what goes.
    pub fn change(&self, work: &Work) -> Cost {
        let Cost { ns, deviation } = self.difference(work);
        let each = self.known(work).map(|(place, times)| self.model.terms[place].ns * times);
        let (comes, goes): (Vec<f64>, Vec<f64>) = each.partition(|ns| *ns > 0.0);
        let changed = comes.iter().sum::<f64>().hypot(goes.iter().sum());
        Cost { ns, deviation: deviation.hypot(self.model.unexplained * changed) }
    }

    /// The same by the fit alone, without what the terms leave unexplained.
    pub fn difference(&self, work: &Work) -> Cost {
        let ns = self.known(work).map(|(place, times)| self.model.terms[place].ns * times).sum();
        Cost { ns, deviation: self.common(work, work).max(0.0).sqrt() }
    }

    /// The covariance of what two pieces of work cost, nanoseconds squared.
    pub fn common(&self, one: &Work, other: &Work) -> f64 {
        let other: Vec<(usize, f64)> = self.known(other).collect();
        self.known(one)
            .flat_map(|one| other.iter().map(move |other| (one, other)))
            .map(|((one, times), (other, more))| times * more * self.covariance(one, *other))
            .sum()
    }

    fn known(&self, work: &Work) -> impl Iterator<Item = (usize, f64)> {
        work.iter().filter_map(|(term, times)| Some((*self.places.get(&term)?, times)))
    }

    /// One piece of work as a multiple of another: 0.1 is a tenth of its cost. None where the other costs nothing.
    pub fn ratio(&self, work: &Work, of: &Work) -> Option<Bounds> {
        let whole = self.difference(of).ns;
        if whole <= 0.0 {
            return None;
        }
        let ns = self.difference(work).ns / whole;
        // The delta method: the ratio moves as far as the work and so many times the other move apart.
        let deviation = self.difference(&work.minus(&of.scaled(ns))).deviation / whole;
        Some(Cost { ns, deviation }.bounds())
    }

    fn covariance(&self, one: usize, other: usize) -> f64 {
        let (row, column) = (one.max(other), one.min(other));
        self.model.covariance.get(row).and_then(|row| row.get(column)).copied().unwrap_or_default()
    }
}
