//! [`PerConnection`]: how many requests connections had.

use tlstax_doc::{Counts, Sketch, Workload};

use super::known;
use crate::grid::{Grid, Measure};
use crate::model::{Column, Quantity, Table};

/// How many requests the connections had of which the requests are known. Those that were open when the log began or ended make up
/// for each other.
pub(super) struct PerConnection {
    connections: f64,
    requests: f64,
    /// How many requests were the k-th of their connection, where all tell it.
    ordinals: Option<Ordinals>,
}

/// How many requests were the k-th of their connection: as many as there are connections with at least k.
struct Ordinals {
    /// The smallest ordinal of each class, how many it has, and how many connections reached each of them.
    classes: Vec<(u64, u64, f64)>,
    largest: u64,
}

impl PerConnection {
    /// None where no request is known to be of a connection that is known.
    pub fn of(workload: &Workload) -> Option<Self> {
        let counts = known::sum(&workload.shares);
        let Counts {
            connections, connections_without_requests, requests, requests_without_connection, ..
        } = counts;
        let connections = connections.saturating_sub(connections_without_requests);
        let requests = requests.saturating_sub(requests_without_connection);
        // Some sources tell no more than which requests were the first of their connections.
        let is_all = workload.request_ordinals.count == requests;
        (connections > 0 && requests > 0).then(|| Self {
            connections: connections as f64,
            requests: requests as f64,
            ordinals: is_all.then(|| Ordinals::of(&workload.request_ordinals)),
        })
    }

    pub fn mean(&self) -> f64 {
        self.requests / self.connections
    }

    /// So many requests this share of the connections do not exceed.
    pub fn quantile(&self, share: f64) -> Option<u64> {
        // With room for the last digit, where the share is one of whole connections.
        let more = (1.0 - share) * self.connections * (1.0 + 1e-9);
        Some(self.ordinals.as_ref()?.reached_by_more_than(more))
    }

    pub fn largest(&self) -> Option<u64> {
        Some(self.ordinals.as_ref()?.largest)
    }

    /// The share of connections with one request only, in percent.
    fn single(&self) -> Option<f64> {
        let ordinals = self.ordinals.as_ref()?;
        // More second requests than first ones are of connections that began before the log did.
        Some(((ordinals.reached(1) - ordinals.reached(2)) / self.connections).max(0.0) * 100.0)
    }
}

impl Ordinals {
    fn of(sketch: &Sketch) -> Self {
        let class = |(lowest, count): &(u64, u64)| {
            let width = width(*lowest);
            (*lowest, width, *count as f64 / width as f64)
        };
        Self { classes: sketch.classes.iter().map(class).collect(), largest: sketch.max }
    }

    /// How many connections had at least so many requests, fewer than 256.
    fn reached(&self, ordinal: u64) -> f64 {
        let class = self.classes.iter().find(|(lowest, ..)| *lowest == ordinal);
        class.map_or(0.0, |(.., reached)| *reached)
    }

    /// The largest ordinal that more connections than so many reached; 0 if there is none.
    fn reached_by_more_than(&self, connections: f64) -> u64 {
        let mut next = 1;
        for (lowest, width, reached) in &self.classes {
            if *lowest > next || *reached <= connections {
                break;
            }
            next = lowest.saturating_add(*width);
        }
        (next - 1).min(self.largest)
    }
}

/// How many values the class of a sketch has that begins with this one.
const fn width(lowest: u64) -> u64 {
    let exact = u64::BITS - 8;
    if lowest.leading_zeros() >= exact { 1 } else { 1 << (exact - lowest.leading_zeros()) }
}

pub(super) fn table(workload: &Workload) -> Option<Table> {
    let found = PerConnection::of(workload)?;
    let counted = |title: &'static str, cell: fn(&PerConnection) -> Option<u64>| {
        let shown = move |found: &PerConnection| cell(found).map(known::count);
        Measure::new(Column::count(title), shown).where_found()
    };
    let single = |found: &PerConnection| found.single().map(|share| Quantity::exact(share, "%"));
    Grid::new(["requests of a connection"], [(["all that tell it".to_owned()], found)])
        .measure(Measure::plain("mean", "", |found: &PerConnection| Quantity::exact(found.mean(), "")))
        .measure(counted("median", |found| found.quantile(0.5)))
        .measure(counted("90th percentile", |found| found.quantile(0.9)))
        .measure(counted("99th percentile", |found| found.quantile(0.99)))
        .measure(counted("most", PerConnection::largest))
        .measure(Measure::plain("one request only", "%", single).where_found())
        .table("Requests of a connection, of those of which they are known; quantiles above 255 within 1/128")
}

#[cfg(test)]
mod tests {
    use tlstax_doc::{Kind, Share, Tool};

    use super::*;

    /// Connections with so many requests each.
    fn workload(connections: &[u64]) -> Workload {
        let mut workload =
            Workload::empty(Tool { name: String::new(), version: String::new(), reference_kernels: 0 });
        for requests in connections {
            (1..=*requests).for_each(|ordinal| workload.request_ordinals.merge(&Sketch::one(ordinal, 1)));
        }
        let counts = Counts {
            connections: connections.len() as u64,
            requests: connections.iter().sum(),
            ..Counts::default()
        };
        workload.shares = vec![Share { kind: Kind::default(), counts }];
        workload
    }

    #[test]
    fn requests_of_connections_follow_from_their_ordinals() {
        let found = PerConnection::of(&workload(&[0, 1, 1, 2, 3, 3, 10, 20, 60, 900])).unwrap();
        assert!((found.mean() - 1000.0 / 10.0).abs() < 1e-9);
        let quantiles = [0.1, 0.3, 0.5, 0.6, 0.7, 0.9].map(|share| found.quantile(share).unwrap());
        assert_eq!(quantiles, [0, 1, 3, 3, 10, 60]);
        assert!(found.quantile(0.99).unwrap().abs_diff(900) <= 900 / 128);
        assert!((found.single().unwrap() - 20.0).abs() < 1e-9);
        assert_eq!(found.largest(), Some(900));
    }

    #[test]
    fn where_only_first_requests_are_told_only_the_mean_is_known() {
        let mut first_only = workload(&[4, 4]);
        first_only.request_ordinals = Sketch::one(1, 2);
        let found = PerConnection::of(&first_only).unwrap();
        assert!((found.mean() - 4.0).abs() < 1e-9);
        assert_eq!((found.quantile(0.5), found.largest()), (None, None));
    }

    #[test]
    fn without_a_known_connection_nothing_is_known() {
        let mut unplaced = workload(&[]);
        unplaced.shares[0].counts =
            Counts { requests: 9, requests_without_connection: 9, ..Counts::default() };
        assert!(PerConnection::of(&unplaced).is_none());
        assert!(PerConnection::of(&workload(&[])).is_none());
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
