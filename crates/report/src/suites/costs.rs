//! [`Costs`]: the figures of suites among the measurements of a run.

use tlstax_doc::{Metric, Results, Summaries};
use tlstax_spec::{Key, Suite, Workload};
use tlstax_stats::Estimate;

use crate::model::{Cell, Quantity};

/// The measurements of a run by suite.
pub(super) struct Costs<'a> {
    results: &'a Results,
    summaries: Summaries<'a>,
}

/// A measurement, with the bytes of one iteration for bulk data; 1 for a handshake.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    index: usize,
    bytes: f64,
}

impl<'a> Costs<'a> {
    pub fn of(results: &'a Results) -> Self {
        Self { results, summaries: Summaries::of(results) }
    }

    /// The full handshake with this suite and key.
    pub fn handshake(&self, library: &str, suite: Suite, key: Key) -> Option<Place> {
        self.find(library, |workload| match workload {
            Workload::Handshake(one) => (one.params.suite == suite && one.params.key == key).then_some(1.0),
            _ => None,
        })
    }

    /// The transfer with this suite.
    pub fn bulk(&self, library: &str, suite: Suite) -> Option<Place> {
        self.find(library, |workload| match workload {
            Workload::Bulk(one) => (one.params.suite == suite).then_some(f64::from(one.buffer)),
            _ => None,
        })
    }

    fn find(&self, library: &str, is_it: impl Fn(&Workload) -> Option<f64>) -> Option<Place> {
        self.results.measurements.iter().enumerate().find_map(|(index, one)| {
            let bytes = is_it(&one.case.workload).filter(|_| one.case.library == library)?;
            Some(Place { index, bytes })
        })
    }

    /// Nanoseconds for a handshake or for a byte, which is the same as seconds per gigabyte.
    pub fn cost(&self, place: Place, metric: Metric) -> Option<Estimate> {
        let found = self.summaries.estimate(place.index, metric)?;
        let [value, low, high] = [found.value, found.low, found.high].map(|nanos| nanos / place.bytes);
        Some(Estimate { value, low, high, ..found })
    }

    /// The cost of one measurement as a multiple of that of another, within rounds.
    pub fn ratio(&self, one: Place, other: Place, metric: Metric) -> Option<Estimate> {
        self.summaries.ratio(one.index, other.index, metric)
    }

    /// The cost times a factor that brings it to the unit.
    pub fn cell(&self, place: Option<Place>, metric: Metric, factor: f64, unit: &'static str) -> Cell {
        let Some(place) = place else { return Cell::Empty };
        let hole = || {
            let outcome = &self.results.measurements[place.index].outcome;
            outcome.hole().unwrap_or_else(|| "too little was measured: raise --budget".to_owned())
        };
        let cost = self.cost(place, metric).map(|cost| Quantity::scaled(&cost, factor, unit));
        Cell::of(cost.ok_or_else(hole))
    }
}
