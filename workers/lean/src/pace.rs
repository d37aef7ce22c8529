//! When requests begin.

use tlstax_spec::Nanos;

/// How the requests of a window follow each other.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Pace {
    /// So many per second at fixed times, whether or not earlier ones are answered; 0 is as soon as a connection is free.
    pub(crate) rate: u32,
    /// When the first begins.
    pub(crate) start: Nanos,
}

impl Pace {
    /// When the request of this number begins: the first has number 0. A request that begins late is timed from here, or
    /// the wait of those behind a slow response would not be seen (coordinated omission). None is at once.
    pub(crate) fn due(self, number: u64) -> Option<Nanos> {
        let after = |rate: u32| u128::from(number) * 1_000_000_000 / u128::from(rate);
        // 584 years fit.
        (self.rate > 0).then(|| Nanos(self.start.0 + after(self.rate) as u64))
    }
}

/// Spreads the connections that resume evenly among all.
#[derive(Debug, Default)]
pub(crate) struct Mix {
    percent: u8,
    sum: u8,
}

impl Mix {
    /// Of a hundred so many.
    pub(crate) const fn new(percent: u8) -> Self {
        Self { percent, sum: 0 }
    }

    /// Whether the next connection resumes.
    pub(crate) fn next(&mut self) -> bool {
        let sum = self.sum + self.percent.min(100);
        let resumes = sum >= 100;
        self.sum = if resumes { sum - 100 } else { sum };
        resumes
    }
}

/// The most new connections per second. A load client is a weapon; whoever needs more of it says so.
#[derive(Debug)]
pub(crate) struct Ceiling {
    pub(crate) per_second: u64,
    second: Nanos,
    begun: u64,
}

const SECOND: Nanos = Nanos(1_000_000_000);

impl Ceiling {
    pub(crate) const fn new(per_second: u64) -> Self {
        Self { per_second, second: Nanos(0), begun: 0 }
    }

    /// Takes one connection on; if it is too many, the time until which to wait.
    pub(crate) fn take(&mut self, now: Nanos) -> Result<(), Nanos> {
        if now.since(self.second) >= SECOND {
            (self.second, self.begun) = (now, 0);
        }
        if self.begun == self.per_second {
            return Err(Nanos(self.second.0 + SECOND.0));
        }
        self.begun += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_due_at_even_distances_without_drift() {
        let pace = Pace { rate: 3, start: Nanos(10) };
        let due: Vec<_> = (0..4).map(|number| pace.due(number)).collect();
        let expected = [10, 333_333_343, 666_666_676, 1_000_000_010].map(|time| Some(Nanos(time)));
        assert_eq!(due, expected);
        assert_eq!(pace.due(3_000_000_000), Some(Nanos(1_000_000_000_000_000_010)));
        assert_eq!(Pace { rate: 0, ..pace }.due(5), None);
    }

    #[test]
    fn a_share_of_connections_is_spread_evenly() {
        for percent in [0_u8, 1, 30, 50, 99, 100] {
            let mut mix = Mix::new(percent);
            let all: Vec<_> = (0..1000).map(|_| mix.next()).collect();
            let most = usize::from(percent) / 10 + 1;
            for ten in all.windows(10) {
                assert!(ten.iter().filter(|one| **one).count() <= most);
            }
            assert_eq!(all.iter().filter(|one| **one).count(), usize::from(percent) * 10);
        }
    }

    #[test]
    fn the_ceiling_holds_in_every_second() {
        let mut ceiling = Ceiling::new(2);
        let at = |seconds: f64| Nanos((seconds * 1e9) as u64);
        assert_eq!(ceiling.take(at(5.0)), Ok(()));
        assert_eq!(ceiling.take(at(5.5)), Ok(()));
        assert_eq!(ceiling.take(at(5.9)), Err(at(6.0)));
        assert_eq!(ceiling.take(at(6.0)), Ok(()));
    }
}
