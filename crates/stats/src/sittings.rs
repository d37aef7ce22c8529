//! How long a set of processes should be kept: the luck of a process against the noise of its rounds.

use crate::order::median;

/// How the costs of a case scatter, as variances of their logarithms, which are relative to the cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scatter {
    /// Of rounds of one sitting around their mean.
    pub within: f64,
    /// Of the means that sittings would have if they lasted for ever: the luck of a process. The estimate is unbiased, so it
    /// is below zero about as often as above where there is no such luck.
    pub between: f64,
}

impl Scatter {
    /// Of costs in the order of time, each with the number of its sitting: by the mean squares of successive differences (von
    /// Neumann, Kent, Bellinson and Hart, "The mean square successive difference", 1941), from one round to the next within
    /// sittings and over their ends. A machine that changes slowly adds the same to both; an analysis of variance would take
    /// it for the luck of processes, whose sittings are times of their own.
    ///
    /// None where there is no pair of the one or of the other kind. Costs that are not above zero are neglected.
    pub fn of(costs: impl IntoIterator<Item = (u32, f64)>) -> Option<Self> {
        let (mut inside, mut outside) = (Mean::default(), Mean::default());
        let mut last: Option<(u32, f64)> = None;
        for (sitting, cost) in costs.into_iter().filter(|(_, cost)| cost.is_finite() && *cost > 0.0) {
            let cost = cost.ln();
            if let Some((before, other)) = last {
                // A difference has the variance of both.
                let square = (cost - other).powi(2) / 2.0;
                if before == sitting { inside.add(square) } else { outside.add(square) }
            }
            last = Some((sitting, cost));
        }
        let (within, over) = (inside.value()?, outside.value()?);
        Some(Self { within, between: over - within })
    }

    /// That of the case in the middle, for each of the two: one case with a wild hour does not decide for all.
    pub fn middle(cases: &[Self]) -> Option<Self> {
        let middle = |part: fn(&Self) -> f64| median(&cases.iter().map(part).collect::<Vec<_>>());
        Some(Self { within: middle(|case| case.within)?, between: middle(|case| case.between)? })
    }

    /// How many rounds a sitting should have, where a round takes so long and a renewal of the processes so long, so that a
    /// mean over sittings varies least for the time that it takes:
    ///
    /// ```text
    /// sqrt(renewal / round x within / between)
    /// ```
    ///
    /// That is the best subsampling of units of equal size (Cochran, "Sampling techniques", 1977, section 10.6), as Kalibera
    /// and Jones use it for repetitions of benchmarks ("Rigorous benchmarking in reasonable time", ISMM 2013). Infinite
    /// where processes have no luck of their own. None where nothing varies at all, or no time is known: then nothing speaks
    /// for any number.
    pub fn rounds_per_sitting(self, round: f64, renewal: f64) -> Option<f64> {
        let Self { within, between } = self;
        let is_known = round > 0.0 && renewal > 0.0 && (within > 0.0 || between > 0.0);
        let best = || if between > 0.0 { (renewal / round * within / between).sqrt() } else { f64::INFINITY };
        is_known.then(best)
    }
}

#[derive(Default)]
struct Mean {
    sum: f64,
    count: u32,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    fn value(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / f64::from(self.count))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Sittings of unequal length, of 2 to 9 rounds, with luck and noise of these standard deviations, on a machine that
    /// wanders so far from one round to the next.
    fn costs(luck: f64, noise: f64, sittings: u32, seed: u64) -> Vec<(u32, f64)> {
        wandering(luck, noise, 0.0, sittings, seed)
    }

    fn wandering(luck: f64, noise: f64, drift: f64, sittings: u32, seed: u64) -> Vec<(u32, f64)> {
        let mut rng = fastrand::Rng::with_seed(seed);
        // Twelve uniform numbers make a normal one.
        let mut normal = move || (0..12).map(|_| rng.f64()).sum::<f64>() - 6.0;
        let mut costs = Vec::new();
        let mut machine = 0.0;
        for sitting in 0..sittings {
            let level = luck * normal();
            for _ in 0..2 + sitting % 8 {
                machine += drift * normal();
                costs.push((sitting, 500.0 * (level + machine + noise * normal()).exp()));
            }
        }
        costs
    }

    #[test]
    fn luck_and_noise_are_told_apart() {
        for (luck, noise) in [(0.01, 0.03), (0.03, 0.01), (0.02, 0.02)] {
            let found = Scatter::of(costs(luck, noise, 2000, 1)).unwrap();
            assert!((found.within.sqrt() / noise - 1.0).abs() < 0.1, "{luck} {noise}: {found:?}");
            assert!((found.between.sqrt() / luck - 1.0).abs() < 0.1, "{luck} {noise}: {found:?}");
        }
    }

    #[test]
    fn without_luck_the_estimate_is_around_zero_on_both_sides() {
        let below = |seed| Scatter::of(costs(0.0, 0.02, 20, seed)).unwrap().between < 0.0;
        let below = (0..200).filter(|&seed| below(seed)).count();
        assert!((60..=160).contains(&below), "{below}");
    }

    #[test]
    fn a_machine_that_wanders_is_not_taken_for_luck() {
        // Over a sitting it wanders by several times the noise.
        let found = Scatter::of(wandering(0.0, 0.01, 0.01, 2000, 1)).unwrap();
        assert!(found.between.abs() < 0.1 * found.within, "{found:?}");
    }

    #[test]
    fn the_best_length_has_the_least_variance_for_its_time() {
        let scatter = Scatter { within: 9e-4, between: 1e-4 };
        for (round, renewal) in [(1.0, 1.0), (0.4, 1.0), (1.0, 20.0)] {
            // Of a mean over as many sittings as a fixed time holds.
            let variance =
                |rounds: f64| (scatter.between + scatter.within / rounds) * (renewal + rounds * round);
            let best = scatter.rounds_per_sitting(round, renewal).unwrap();
            for other in (1..400).map(|tenth| f64::from(tenth) / 10.0) {
                assert!(variance(best) <= variance(other) * (1.0 + 1e-12), "{best} and {other}");
            }
        }
    }

    #[test]
    fn nothing_is_said_of_what_does_not_vary_and_of_too_little() {
        assert_eq!(Scatter::of([(1, 5.0), (1, 6.0)]), None, "one sitting");
        assert_eq!(Scatter::of([(1, 5.0), (2, 6.0), (3, 5.5)]), None, "one round each");
        assert_eq!(Scatter::of([(1, 5.0), (1, 0.0), (2, f64::NAN), (2, -1.0)]), None);
        let exact = Scatter::of([(1, 5.0), (1, 5.0), (2, 5.0)]).unwrap();
        assert_eq!(exact.rounds_per_sitting(1.0, 1.0), None);
        let noise = Scatter { within: 1e-4, between: -1e-6 };
        assert_eq!(noise.rounds_per_sitting(1.0, 1.0), Some(f64::INFINITY));
        assert_eq!(noise.rounds_per_sitting(0.0, 1.0), None);
        assert_eq!(Scatter::middle(&[]), None);
    }

    #[test]
    fn one_wild_case_does_not_decide_for_all() {
        let case = |within, between| Scatter { within, between };
        let middle = Scatter::middle(&[case(1.0, 2.0), case(2.0, 900.0), case(800.0, 1.0)]).unwrap();
        assert_eq!(middle, case(2.0, 2.0));
    }
}
