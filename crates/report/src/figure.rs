//! Every summary of a run as a flat row.

use tlstax_doc::{Measurement, Metric, Results, Use};
use tlstax_spec::Workload;
use tlstax_stats::{Basis, Estimate};

use crate::ask::{Facts, memory};
use crate::model::Figure;

pub(crate) fn figures(facts: &Facts<'_>) -> Vec<Figure> {
    let results = facts.results;
    let of_one = |(index, measurement): (usize, &Measurement)| match measurement.outcome.hole() {
        Some(hole) => vec![Figure { hole, ..empty(results, measurement, "") }],
        None if matches!(measurement.case.workload, Workload::Idle(_)) => {
            vec![memory_figure(results, measurement)]
        }
        None => Metric::of(&measurement.case, Use::Report)
            .map(|metric| cost_figure(facts, index, metric))
            .collect(),
    };
    results.measurements.iter().enumerate().flat_map(of_one).collect()
}

fn cost_figure(facts: &Facts<'_>, index: usize, metric: Metric) -> Figure {
    let empty = empty(facts.results, &facts.results.measurements[index], metric.name());
    match facts.cost(index, metric) {
        Ok(Estimate { value, low, high, basis, kept, total }) => Figure {
            value: Some(value),
            low: Some(low),
            high: Some(high),
            basis: match basis {
                Basis::Quiet { .. } => "quiet",
                Basis::Corrected => "corrected",
                Basis::Raw => "raw",
            },
            kept,
            total,
            ..empty
        },
        Err(hole) => Figure { hole, ..empty },
    }
}

fn memory_figure(results: &Results, measurement: &Measurement) -> Figure {
    let grown = memory(measurement);
    let batches = measurement.batches().len();
    Figure {
        value: grown.map(|grown| grown.value),
        low: grown.map(|grown| grown.low),
        high: grown.map(|grown| grown.high),
        unit: "bytes/connection",
        basis: "raw",
        kept: batches,
        total: batches,
        ..empty(results, measurement, "memory")
    }
}

pub(crate) fn empty(results: &Results, measurement: &Measurement, metric: &'static str) -> Figure {
    Figure {
        run: results.started.clone(),
        id: measurement.id.clone(),
        case: measurement.case.clone().into(),
        metric,
        value: None,
        low: None,
        high: None,
        unit: "ns/iteration",
        basis: "",
        kept: 0,
        total: 0,
        verdict: "",
        hole: String::new(),
    }
}
