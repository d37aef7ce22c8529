//! [`Item`]: a measurement of one kind of workload, and what is asked of several.

use tlstax_doc::Measurement;
use tlstax_spec::{Case, Handshake, Resumption};
use tlstax_stats::{Interval, median_interval};

/// The library id of the rows that show what the harness itself costs.
pub(crate) const CONTROL: &str = "control";

/// A measurement whose workload is known to be of one kind.
#[derive(Debug)]
pub(crate) struct Item<'a, T> {
    /// Its place among the measurements.
    pub index: usize,
    pub case: &'a Case,
    pub measurement: &'a Measurement,
    pub work: &'a T,
}

impl<T> Clone for Item<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Item<'_, T> {}

impl<'a, T> Item<'a, T> {
    pub fn library(&self) -> &'a str {
        &self.case.library
    }

    pub fn is_control(&self) -> bool {
        self.case.library == CONTROL
    }
}

/// Bytes of memory per idle connection; none for a hole.
pub(crate) fn memory(measurement: &Measurement) -> Option<Interval> {
    let per_connection = |batch: &tlstax_doc::Batch| {
        (batch.sample.iterations > 0).then(|| batch.sample.bytes.0 as f64 / batch.sample.iterations as f64)
    };
    let values: Vec<f64> = measurement.batches().iter().filter_map(per_connection).collect();
    median_interval(&values, 0.95)
}

/// The same handshake in full, for one that is resumed.
pub(crate) fn in_full(handshake: &Handshake) -> Handshake {
    Handshake { resumption: Resumption::Full, ..*handshake }
}
