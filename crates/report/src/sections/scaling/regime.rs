//! What several threads do to each other, as far as the interval of their speed-up tells.

use tlstax_doc::UsableCpus;
use tlstax_stats::Estimate;

use crate::number;

/// A speed-up that is less than this share of what is possible is a loss.
const WITHIN: f64 = 0.95;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Regime {
    /// Each thread does as much as one alone.
    Scales,
    /// Each thread has a core, and this share of it is lost.
    Contended(Lost),
    /// Some cores are shared by two hardware threads; the share of each thread that is lost to that and all else.
    Siblings(Lost),
    /// There are more threads than cores; the share of the cores that is lost, where something certainly is.
    Turns(Option<Lost>),
    /// More than so many threads can do: one thread alone was held up by something else.
    Above,
    /// The interval does not decide.
    CannotTell,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Lost {
    pub value: f64,
    low: f64,
    high: f64,
}

impl Regime {
    /// The regime that a speed-up beside one thread shows. The share of the CPU time that the harness takes more of
    /// with several threads is not held against them.
    pub fn of(speed_up: &Estimate, threads: u16, cores: &UsableCpus, harness: f64) -> Self {
        let wanted = f64::from(threads);
        let left = 1.0 - harness;
        let lost = Lost::of(speed_up, wanted);
        if speed_up.low > wanted * (2.0 - WITHIN) {
            return Self::Above;
        }
        if let Some(logical) = cores.logical.filter(|&logical| threads > logical) {
            let cores = f64::from(cores.cores.unwrap_or(logical));
            return Self::Turns(is_less(speed_up, cores * left).then(|| Lost::of(speed_up, cores)));
        }
        if speed_up.low >= wanted * WITHIN {
            return Self::Scales;
        }
        match is_less(speed_up, wanted * left) {
            true if cores.are_enough_for(threads) => Self::Contended(lost),
            true if cores.logical.is_some() => Self::Siblings(lost),
            _ => Self::CannotTell,
        }
    }

    pub fn shown(&self) -> String {
        match self {
            Self::Scales => "scales".to_owned(),
            Self::Contended(lost) => format!("contended: {} % lost", lost.percent()),
            Self::Siblings(lost) => format!("two on a core: {} % lost", lost.percent()),
            Self::Turns(None) => "taking turns".to_owned(),
            Self::Turns(Some(lost)) => format!("taking turns: {} % lost", lost.percent()),
            Self::Above => "cannot tell: above".to_owned(),
            Self::CannotTell => "cannot tell".to_owned(),
        }
    }
}

impl Lost {
    fn of(speed_up: &Estimate, possible: f64) -> Self {
        let lost = |speed_up: f64| 1.0 - speed_up / possible;
        Self { value: lost(speed_up.value), low: lost(speed_up.high), high: lost(speed_up.low) }
    }

    /// In percent, with no more digits than the interval supports.
    pub fn percent(&self) -> String {
        let [value, low, high] = [self.value, self.low, self.high].map(|share| share * 100.0);
        number::factor(value, low, high)
    }
}

/// Whether the interval leaves no doubt that a possible speed-up is not reached.
fn is_less(speed_up: &Estimate, possible: f64) -> bool {
    speed_up.high < possible * WITHIN
}

#[cfg(test)]
mod tests {
    use tlstax_stats::Basis;

    use super::*;

    const FOUR: UsableCpus = UsableCpus { cores: Some(4), logical: Some(4) };

    fn shown(value: f64, half: f64, threads: u16, cores: &UsableCpus, harness: f64) -> String {
        let speed_up = Estimate {
            value,
            low: value - half,
            high: value + half,
            basis: Basis::Raw,
            kept: 20,
            total: 20,
            as_it_went: value,
        };
        Regime::of(&speed_up, threads, cores, harness).shown()
    }

    #[test]
    fn the_interval_decides() {
        assert_eq!(shown(1.98, 0.02, 2, &FOUR, 0.0), "scales");
        assert_eq!(shown(2.02, 0.02, 2, &FOUR, 0.0), "scales");
        assert_eq!(shown(1.38, 0.02, 2, &FOUR, 0.0), "contended: 31 % lost");
        assert_eq!(shown(1.9, 0.05, 2, &FOUR, 0.0), "cannot tell");
        assert_eq!(shown(2.3, 0.05, 2, &FOUR, 0.0), "cannot tell: above");
    }

    #[test]
    fn what_the_harness_takes_is_nobody_s_fault() {
        assert_eq!(shown(1.88, 0.01, 2, &FOUR, 0.0), "contended: 6.0 % lost");
        assert_eq!(shown(1.88, 0.01, 2, &FOUR, 0.02), "cannot tell");
        assert_eq!(shown(1.7, 0.01, 2, &FOUR, 0.02), "contended: 15 % lost");
        assert_eq!(
            shown(1.88, 0.01, 3, &UsableCpus { cores: Some(2), ..FOUR }, 0.02),
            "two on a core: 37 % lost"
        );
    }

    #[test]
    fn threads_without_a_core_take_turns() {
        let two = UsableCpus { cores: Some(2), logical: Some(2) };
        assert_eq!(shown(1.98, 0.02, 4, &two, 0.0), "taking turns");
        assert_eq!(shown(1.2, 0.01, 4, &two, 0.0), "taking turns: 40 % lost");
        let hyper = UsableCpus { cores: Some(2), logical: Some(4) };
        assert_eq!(shown(2.6, 0.02, 4, &hyper, 0.0), "two on a core: 35 % lost");
        assert_eq!(shown(1.6, 0.02, 2, &hyper, 0.0), "contended: 20 % lost");
    }

    #[test]
    fn without_the_number_of_cores_nothing_is_blamed() {
        let unknown = UsableCpus { cores: None, logical: None };
        assert_eq!(shown(1.98, 0.02, 2, &unknown, 0.0), "scales");
        assert_eq!(shown(1.2, 0.02, 2, &unknown, 0.0), "cannot tell");
    }
}
