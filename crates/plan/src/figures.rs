//! [`Figures`]: what measurements of results cost, or why that is not known.

use tlstax_doc::model::Bounds;
use tlstax_doc::{LibraryKind, Measurement, Metric, Outcome, Results, Summaries};
use tlstax_spec::Case;
use tlstax_stats::Estimate;

/// Results with their summaries.
#[derive(Debug)]
pub struct Figures<'a> {
    pub results: &'a Results,
    summaries: Summaries<'a>,
}

/// A measurement whose workload is known to be of one kind.
#[derive(Debug)]
pub struct Found<'a, T> {
    index: usize,
    pub case: &'a Case,
    pub measurement: &'a Measurement,
    pub work: &'a T,
}

impl<T> Clone for Found<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Found<'_, T> {}

impl<'a, T> Found<'a, T> {
    pub fn library(&self) -> &'a str {
        &self.case.library
    }
}

impl<'a> Figures<'a> {
    pub fn of(results: &'a Results) -> Self {
        Self { results, summaries: Summaries::of(results) }
    }

    /// The measurements that have such work, without those of the control; none of results that count in place of taking times.
    pub fn all<T: 'a>(
        &self,
        pick: impl Fn(&'a tlstax_spec::Workload) -> Option<&'a T> + 'a,
    ) -> impl Iterator<Item = Found<'a, T>> {
        let results = self.results;
        let measurements = results.measurements.iter().enumerate();
        measurements.filter(|_| results.counted.is_none()).filter_map(move |(index, measurement)| {
            let work = pick(&measurement.case.workload)?;
            let is_control = results.kind(&measurement.case.library) == LibraryKind::Control;
            (!is_control).then_some(Found { index, case: &measurement.case, measurement, work })
        })
    }

    /// Nanoseconds of one iteration.
    ///
    /// # Errors
    /// Why there are none.
    pub fn cost<T>(&self, found: &Found<'_, T>, metric: Metric) -> Result<Bounds, String> {
        if let Some(hole) = found.measurement.outcome.hole() {
            return Err(hole);
        }
        let estimate = self.summaries.estimate(found.index, metric);
        estimate.map(|estimate| bounds(&estimate)).ok_or_else(|| {
            let batches = found.measurement.batches().len();
            format!(
                "too little was measured: {batches} batches make no interval; give the study a larger budget"
            )
        })
    }

    /// One cost as a part of another, within rounds.
    pub fn share<T>(&self, found: &Found<'_, T>, part: Metric, whole: Metric) -> Option<f64> {
        self.summaries.share(found.index, part, whole).map(|share| share.value)
    }

    /// One measurement's cost as a multiple of another's, within rounds.
    pub fn ratio<T>(&self, found: &Found<'_, T>, to: &Found<'_, T>, metric: Metric) -> Option<Bounds> {
        self.summaries.ratio(found.index, to.index, metric).map(|ratio| bounds(&ratio))
    }
}

impl<T> Found<'_, T> {
    /// Whether there are batches.
    pub const fn is_measured(&self) -> bool {
        matches!(self.measurement.outcome, Outcome::Measured { .. })
    }
}

const fn bounds(estimate: &Estimate) -> Bounds {
    Bounds { value: estimate.value, low: estimate.low, high: estimate.high }
}

/// A positive figure times a positive number.
pub fn times(bounds: Bounds, factor: f64) -> Bounds {
    let Bounds { value, low, high } = bounds;
    Bounds { value: value * factor, low: low * factor, high: high * factor }
}

/// A constant divided by a positive figure: a rate from a cost.
pub fn per(constant: f64, bounds: Bounds) -> Bounds {
    let Bounds { value, low, high } = bounds;
    Bounds { value: constant / value, low: constant / high, high: constant / low }
}
