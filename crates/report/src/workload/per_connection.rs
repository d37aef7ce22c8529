//! [`PerConnection`]: how many requests connections had.

use tlstax_doc::{Sketch, Workload};

use super::known;
use crate::grid::{Grid, Measure};
use crate::model::{Column, Quantity, Table};

/// How many requests connections had, from how many requests were the k-th of theirs: as many as there are connections with at
/// least k. Connections that were open when the log began or ended make up for each other.
pub(super) struct PerConnection {
    /// The smallest ordinal of each class, how many it has, and how many connections had each of them.
    classes: Vec<(u64, u64, f64)>,
    first: f64,
    requests: f64,
    pub largest: u64,
}

impl PerConnection {
    /// None where no request is known to be the first of its connection.
    pub fn of(ordinals: &Sketch) -> Option<Self> {
        let class = |(lowest, count): &(u64, u64)| {
            let width = width(*lowest);
            (*lowest, width, *count as f64 / width as f64)
        };
        let classes: Vec<(u64, u64, f64)> = ordinals.classes.iter().map(class).collect();
        let first = classes.iter().find(|(lowest, ..)| *lowest == 1).map(|(.., count)| *count)?;
        Some(Self { classes, first, requests: ordinals.count as f64, largest: ordinals.max })
    }

    pub fn mean(&self) -> f64 {
        self.requests / self.first
    }

    /// So many requests this share of the connections do not exceed.
    pub fn quantile(&self, share: f64) -> u64 {
        // With room for the last digit, where the share is one of whole connections.
        let more = (1.0 - share) * self.first * (1.0 + 1e-9);
        // The first ordinal that so few connections reached is one too many.
        let mut next = 2;
        for (lowest, width, reached) in self.classes.iter().filter(|(lowest, ..)| *lowest > 1) {
            if *lowest > next || *reached <= more {
                break;
            }
            next = lowest.saturating_add(*width);
        }
        (next - 1).min(self.largest)
    }

    /// The share of connections with one request only, in percent.
    fn single(&self) -> f64 {
        let second = self.classes.iter().find(|(lowest, ..)| *lowest == 2).map_or(0.0, |(.., count)| *count);
        // More second requests than first ones are of connections that began before the log did.
        (1.0 - second / self.first).max(0.0) * 100.0
    }
}

/// How many values the class of a sketch has that begins with this one.
const fn width(lowest: u64) -> u64 {
    let exact = u64::BITS - 8;
    if lowest.leading_zeros() >= exact { 1 } else { 1 << (exact - lowest.leading_zeros()) }
}

pub(super) fn table(workload: &Workload) -> Option<Table> {
    let found = PerConnection::of(&workload.request_ordinals)?;
    let counted = |title: &'static str, cell: fn(&PerConnection) -> u64| {
        Measure::new(Column::count(title), move |found: &PerConnection| known::count(cell(found)))
    };
    Grid::new(["requests of a connection"], [(["all that tell it".to_owned()], found)])
        .measure(Measure::plain("mean", "", |found: &PerConnection| Quantity::exact(found.mean(), "")))
        .measure(counted("median", |found| found.quantile(0.5)))
        .measure(counted("90th percentile", |found| found.quantile(0.9)))
        .measure(counted("99th percentile", |found| found.quantile(0.99)))
        .measure(counted("most", |found| found.largest))
        .measure(Measure::plain("one request only", "%", |found: &PerConnection| {
            Quantity::exact(found.single(), "%")
        }))
        .table(
            "Requests of a connection, from the how many-th of its connection each request was; above 255 within 1/128",
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sketch of connections with so many requests each.
    fn ordinals(connections: &[u64]) -> Sketch {
        let mut sketch = Sketch::default();
        for requests in connections {
            (1..=*requests).for_each(|ordinal| sketch.merge(&Sketch::one(ordinal, 1)));
        }
        sketch
    }

    #[test]
    fn requests_of_connections_follow_from_their_ordinals() {
        let found = PerConnection::of(&ordinals(&[1, 1, 1, 2, 3, 3, 10, 20, 60, 900])).unwrap();
        assert!((found.mean() - 1001.0 / 10.0).abs() < 1e-9);
        assert_eq!([0.3, 0.5, 0.6, 0.7, 0.9].map(|share| found.quantile(share)), [1, 3, 3, 10, 60]);
        assert!(found.quantile(0.99).abs_diff(900) <= 900 / 128);
        assert!((found.single() - 30.0).abs() < 1e-9);
        assert_eq!(found.largest, 900);
    }

    #[test]
    fn without_a_first_request_nothing_is_known() {
        assert!(PerConnection::of(&Sketch::one(3, 5)).is_none());
        assert!(PerConnection::of(&Sketch::default()).is_none());
    }

    #[test]
    fn a_class_is_as_wide_as_the_next_one_begins() {
        for lowest in [1, 255, 256, 510, 512, 1024, 100_000, u64::MAX] {
            let lowest = Sketch::class(lowest);
            let width = width(lowest);
            assert_eq!(Sketch::class(lowest + (width - 1)), lowest);
            assert!(lowest.checked_add(width).is_none_or(|next| Sketch::class(next) == next));
        }
    }
}
