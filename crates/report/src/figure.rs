//! Every summary of a run as a flat row.

use tlstax_doc::{Measurement, Metric, Results, Use};
use tlstax_spec::Workload;
use tlstax_stats::{Basis, Estimate};

use crate::ask::{Facts, memory};
use crate::model::Figure;

pub(crate) fn figures(facts: &Facts<'_>) -> Vec<Figure> {
    let results = facts.results;
    let of_one = |(index, measurement): (usize, &Measurement)| {
        let mut rows: Vec<Figure> = Vec::new();
        if let Some(reason) = measurement.outcome.hole() {
            rows.push(Figure { hole: reason, ..empty(results, measurement, "") });
        } else if let Workload::Idle(_) = measurement.case.workload {
            rows.push(memory_figure(results, measurement));
        } else {
            for metric in Metric::of(&measurement.case, Use::Report) {
                rows.push(cost_figure(facts, index, metric));
            }
        }
        rows
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
            basis: basis_name(basis),
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

pub(crate) fn basis_name(basis: Basis) -> &'static str {
    match basis {
        Basis::Quiet { .. } => "quiet",
        Basis::Corrected => "corrected",
        Basis::Raw => "raw",
    }
}
