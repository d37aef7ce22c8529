//! How long a set of processes should be kept: the luck of a process against the noise of its rounds.

use std::collections::BTreeMap;

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
    /// Of costs, each with the number of its sitting: the analysis of variance of one random effect with groups of unequal
    /// size (Searle, Casella and McCulloch, "Variance components", 1992, section 3.6).
    ///
    /// None where there are fewer than two sittings, or none with two costs. Costs that are not above zero are neglected.
    pub fn of(costs: impl IntoIterator<Item = (u32, f64)>) -> Option<Self> {
        let mut sittings: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for (sitting, cost) in costs.into_iter().filter(|(_, cost)| cost.is_finite() && *cost > 0.0) {
            sittings.entry(sitting).or_default().push(cost.ln());
        }
        let counts: Vec<f64> = sittings.values().map(|costs| costs.len() as f64).collect();
        let (groups, all) = (counts.len() as f64, counts.iter().sum::<f64>());
        if groups < 2.0 || all <= groups {
            return None;
        }
        let mean = sittings.values().flatten().sum::<f64>() / all;
        let (mut inside, mut outside) = (0.0, 0.0);
        for costs in sittings.values() {
            let own = costs.iter().sum::<f64>() / costs.len() as f64;
            inside += costs.iter().map(|cost| (cost - own).powi(2)).sum::<f64>();
            outside += costs.len() as f64 * (own - mean).powi(2);
        }
        let within = inside / (all - groups);
        let usual_count =
            (all - counts.iter().map(|count| count * count).sum::<f64>() / all) / (groups - 1.0);
        Some(Self { within, between: (outside / (groups - 1.0) - within) / usual_count })
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Sittings of unequal length, of 2 to 9 rounds, with luck and noise of these standard deviations.
    fn costs(luck: f64, noise: f64, sittings: u32, seed: u64) -> Vec<(u32, f64)> {
        let mut rng = fastrand::Rng::with_seed(seed);
        // Twelve uniform numbers make a normal one.
        let mut normal = move || (0..12).map(|_| rng.f64()).sum::<f64>() - 6.0;
        let mut costs = Vec::new();
        for sitting in 0..sittings {
            let level = 500.0 * (luck * normal()).exp();
            costs.extend((0..2 + sitting % 8).map(|_| (sitting, level * (noise * normal()).exp())));
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
