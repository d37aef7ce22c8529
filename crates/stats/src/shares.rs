//! How the cost of a case follows the machine.

use crate::observation::Observation;
use crate::reference::Reading;

/// How the cost of a case follows the machine: which part of its time slows down with the kernel bound by latency,
/// which part with the kernel bound by throughput. The rest stays as it is. Times add up, so when the kernels take
/// l and t times what they take at best, the case takes 1 + latency x (l - 1) + throughput x (t - 1) times what it
/// takes.
///
/// Neither part is negative and their sum is at most 1: a triangle, with a cost that the machine does not touch, pure
/// latency and pure throughput at its corners. Real cases lie within it.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub struct Shares {
    /// The part of the time that follows the kernel bound by latency, 0 to 1.
    pub latency: f64,
    /// The part of the time that follows the kernel bound by throughput, 0 to 1.
    pub throughput: f64,
}

/// Steps along a side of the triangle in the first search.
const STEPS: i32 = 10;

/// Steps of the second search, around the best of the first, in one of its steps. A fortieth of a share is half a
/// percent of cost when the machine is 1.2 times slower: less than the smallest change that is to be found.
const FINE_STEPS: i32 = 4;

/// Shares stay possible while the costs they level spread no more than so many times those of the best shares:
/// `LIMIT` + `LIMIT_OF_FEW` / sqrt(batches). A spread of few batches is itself uncertain, by a quarter for 20.
const LIMIT: f64 = 1.3;
const LIMIT_OF_FEW: f64 = 4.0;

impl Shares {
    /// What the machine multiplies the cost by, with both kernels given as multiples of their best.
    pub fn factor(self, relative: Reading) -> f64 {
        1.0 + self.latency * (relative.latency - 1.0) + self.throughput * (relative.throughput - 1.0)
    }

    /// The shares that the batches do not refute, the best first; `runs` are the batches of a case in one run or
    /// more.
    ///
    /// The right shares take the machine out of the costs, so the less the levelled costs spread, the better. Where
    /// the machine stood still, nothing is refuted. Never empty.
    pub(crate) fn possible(runs: &[&[Batch]]) -> Vec<Self> {
        let spread = |shares: Self| runs.iter().map(|batches| spread(batches, shares)).fold(0.0, f64::hypot);
        let judged = |shares| (spread(shares), shares);
        let mut ranked: Vec<(f64, Self)> = Self::around(Self::default(), STEPS, 1.0).map(judged).collect();
        let best =
            ranked.iter().min_by(|(a, _), (b, _)| a.total_cmp(b)).map_or(Self::default(), |(_, best)| *best);
        let radius = f64::from(STEPS).recip();
        ranked.extend(Self::around(best, FINE_STEPS, radius).map(judged));
        ranked.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let batches = runs.iter().map(|batches| batches.len()).sum::<usize>().max(1) as f64;
        let limit = ranked[0].0 * (LIMIT + LIMIT_OF_FEW / batches.sqrt());
        ranked.into_iter().take_while(|(spread, _)| *spread <= limit).map(|(_, shares)| shares).collect()
    }

    /// A square grid of the triangle's points around a centre, so many steps to each side.
    fn around(centre: Self, steps: i32, radius: f64) -> impl Iterator<Item = Self> {
        let offset = move |step| f64::from(step) / f64::from(steps) * radius;
        let point = move |latency, throughput| Self {
            latency: centre.latency + offset(latency),
            throughput: centre.throughput + offset(throughput),
        };
        (-steps..=steps)
            .flat_map(move |latency| (-steps..=steps).map(move |throughput| point(latency, throughput)))
            .filter(|point| point.is_in_triangle())
    }

    fn is_in_triangle(&self) -> bool {
        const ROUNDING: f64 = 1e-9;
        self.latency >= -ROUNDING
            && self.throughput >= -ROUNDING
            && self.latency + self.throughput <= 1.0 + ROUNDING
    }
}

/// A batch beside the machine's state.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Batch {
    pub cost: f64,
    /// Both kernels as multiples of a fixed reading.
    pub state: Reading,
}

impl Batch {
    /// With the mean of the two readings around it, relative to `origin`. None where they were not taken.
    pub fn of(observation: &Observation, origin: Reading) -> Option<Self> {
        let &Observation { before, after, cost, .. } = observation;
        (before.is_valid() && after.is_valid())
            .then(|| Self { cost, state: before.mean(after).relative_to(origin) })
    }

    /// A batch of which nothing is known but its cost.
    pub fn without_state(observation: &Observation) -> Self {
        Self { cost: observation.cost, state: Reading::NEUTRAL }
    }

    /// The cost with the machine's part taken out.
    pub fn levelled(&self, shares: Shares) -> f64 {
        self.cost / shares.factor(self.state)
    }
}

/// How far the levelled costs reach from their first to their last decile, relative to their median. Deciles and not
/// quartiles, so that a disturbance of a fifth of the rounds is seen. By selection, not sorting: this is the
/// innermost loop.
fn spread(batches: &[Batch], shares: Shares) -> f64 {
    let mut levelled: Vec<f64> = batches.iter().map(|batch| batch.levelled(shares)).collect();
    let (count, tenth) = (levelled.len(), levelled.len() / 10);
    if count == 0 {
        return 0.0;
    }
    let (below, middle, above) = levelled.select_nth_unstable_by(count / 2, f64::total_cmp);
    let middle = *middle;
    let low =
        if tenth < below.len() { *below.select_nth_unstable_by(tenth, f64::total_cmp).1 } else { middle };
    let from_top = above.len().checked_sub(1 + tenth);
    let high = from_top.map_or(middle, |index| *above.select_nth_unstable_by(index, f64::total_cmp).1);
    (high - low) / middle
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Batches on a machine that goes through every combination of states, with a known response.
    fn batches(shares: Shares, states: [f64; 4]) -> Vec<Batch> {
        let states =
            states.into_iter().flat_map(|latency| states.map(|throughput| Reading { latency, throughput }));
        states.map(|state| Batch { cost: 70.0 * shares.factor(state), state }).collect()
    }

    #[test]
    fn a_machine_that_moves_shows_the_shares() {
        for truth in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (0.3, 0.7), (0.325, 0.45)] {
            let truth = Shares { latency: truth.0, throughput: truth.1 };
            let best = Shares::possible(&[&batches(truth, [1.0, 1.1, 1.3, 1.6])])[0];
            let miss = (best.latency - truth.latency).abs().max((best.throughput - truth.throughput).abs());
            assert!(miss < 1e-9, "{best:?} instead of {truth:?}");
        }
    }

    #[test]
    fn a_machine_that_stands_still_refutes_nothing() {
        let still = batches(Shares::default(), [1.0; 4]);
        let possible = Shares::possible(&[&still]);
        for corner in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)] {
            assert!(possible.contains(&Shares { latency: corner.0, throughput: corner.1 }), "{corner:?}");
        }
    }
}
