//! [`Rates`]: how many requests a second each case has.

use tlstax_doc::{Series, Workload};

use super::assumed::{Assumed, What};

/// Which rate is offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rate {
    /// That of the busiest time.
    Busiest,
    /// The mean of all time.
    Mean,
}

impl Rate {
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Busiest => "of the busiest time",
            Self::Mean => "on average",
        }
    }
}

/// The most requests a second that a study can have.
const MOST: f64 = 1_000_000.0;

/// Requests a second of a whole workload, and of how many; none where nothing is dated.
pub struct Rates(Option<(f64, f64)>);

impl Rates {
    pub fn of(workload: &Workload, rate: Rate, assumed: &mut Assumed) -> Self {
        let per_second = per_second(&workload.series, rate);
        if per_second.is_none() {
            assumed.add(What::Rate, "as many as can be (a closed loop)");
        }
        let all: u64 = workload
            .shares
            .iter()
            .map(|share| share.counts.requests.max(share.counts.connections_without_requests))
            .fold(0, u64::saturating_add);
        Self(per_second.map(|rate| (rate, float(all.max(1)))))
    }

    /// The rate of so many of all requests, at least one a second; 0 where none is known, which is a closed loop.
    pub fn of_part(&self, requests: u64) -> u64 {
        let Some((rate, all)) = self.0 else { return 0 };
        let rate = (rate * float(requests) / all).round().clamp(1.0, MOST);
        // It was just put between 1 and a million.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let whole = rate as u64;
        whole
    }
}

/// Requests a second at the busiest time or on average; none where nothing is dated.
pub fn per_second(series: &Series, rate: Rate) -> Option<f64> {
    let times = || series.buckets.iter().map(|bucket| bucket.at);
    // Documents that others write may have them in any order.
    let (first, last) = (times().min()?, times().max()?);
    // A source that sees no requests has a request for each connection.
    let has_requests = series.buckets.iter().any(|bucket| bucket.requests > 0);
    let counts = series.buckets.iter().map(|bucket| match has_requests {
        true => bucket.requests,
        false => bucket.connections,
    });
    let width = f64::from(series.width_s.max(1));
    match rate {
        Rate::Busiest => counts.max().map(|most| float(most) / width),
        Rate::Mean => Some(counts.map(float).sum::<f64>() / (float(last - first) + width)),
    }
}

// Counts are far below 2^52, or the last digits do not matter.
#[allow(clippy::cast_precision_loss)]
pub const fn float(number: u64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use tlstax_doc::Bucket;

    use super::*;

    #[test]
    fn series_of_others_are_taken_as_they_are() {
        let bucket = |at, requests| Bucket { at, requests, ..Bucket::default() };
        let buckets = vec![bucket(30, 10), bucket(10, 20), bucket(20, 30)];
        let series = Series { width_s: 10, buckets, undated: 0 };
        assert_eq!(per_second(&series, Rate::Mean), Some(2.0));
        assert_eq!(per_second(&Series { width_s: 0, ..series }, Rate::Busiest), Some(30.0));
    }
}
