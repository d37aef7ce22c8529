//! [`Orders`]: what the traffic costs with every choice of changes made, and what each change adds in every order.

use super::couple::Pair;
use super::dimension::{Changed, Dimension};
use crate::predict::prices::Prices;
use crate::work::{Setup, Work};

/// The work with every choice of changes made. Bit `i` of a place says whether change `i` is made.
pub struct Orders {
    changes: Vec<Dimension>,
    works: Vec<Work>,
}

/// What one change adds.
pub struct Step {
    pub dimension: Dimension,
    /// The mean over all orders.
    pub work: Work,
    /// Nanoseconds in a second, by the order that gives it least, and most.
    pub least: f64,
    pub most: f64,
}

impl Orders {
    pub fn of(pairs: &[Pair<'_>], prices: &Prices<'_>, setup: Setup) -> Self {
        let differs = |dimension: &Dimension| pairs.iter().any(|pair| pair.differs(*dimension));
        let changes: Vec<Dimension> = Dimension::ALL.into_iter().filter(differs).collect();
        let of = |place: usize| {
            let made = changes.iter().enumerate().filter(|(change, _)| place & 1 << change != 0);
            let changed = made.fold(Changed::NONE, |changed, (_, dimension)| changed.with(*dimension));
            let mut all = Work::default();
            pairs.iter().for_each(|pair| all.extend(&prices.work(&pair.demand(changed), setup)));
            all
        };
        let works = (0..1 << changes.len()).map(of).collect();
        Self { changes, works }
    }

    pub fn before(&self) -> &Work {
        &self.works[0]
    }

    pub fn after(&self) -> &Work {
        &self.works[self.works.len() - 1]
    }

    pub fn works(&self) -> &[Work] {
        &self.works
    }

    /// What each change adds.
    pub fn steps(&self, prices: &Prices<'_>) -> Vec<Step> {
        let ns: Vec<f64> = self.works.iter().map(|work| prices.likely(work)).collect();
        (0..self.changes.len()).map(|change| self.step(change, &ns)).collect()
    }

    fn step(&self, change: usize, ns: &[f64]) -> Step {
        let shares = shares(self.changes.len());
        let bit = 1 << change;
        let mut step = Step {
            dimension: self.changes[change],
            work: Work::default(),
            least: f64::INFINITY,
            most: f64::NEG_INFINITY,
        };
        for place in (0..self.works.len()).filter(|place| place & bit == 0) {
            let share = shares[place.count_ones() as usize];
            step.work.extend(&self.works[place | bit].minus(&self.works[place]).scaled(share));
            let added = ns[place | bit] - ns[place];
            (step.least, step.most) = (step.least.min(added), step.most.max(added));
        }
        step
    }
}

/// The share of all orders of so many changes in which a certain set of others comes first and all the rest later, by how many others
/// that are: `made! (all - made - 1)! / all!`.
fn shares(all: usize) -> Vec<f64> {
    let factorial = |number: usize| (1..=number).map(|factor| factor as f64).product::<f64>();
    (0..all).map(|made| factorial(made) * factorial(all - made - 1) / factorial(all)).collect()
}
