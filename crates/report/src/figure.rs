//! Every summary of a run as a flat row.

use tlstax_doc::{Measurement, Metric, Results, Use};
use tlstax_spec::Workload;
use tlstax_stats::{Basis, Estimate};

use crate::ask::{Facts, Item, memory};
use crate::model::Figure;

pub(crate) fn figures(facts: &Facts<'_>) -> Vec<Figure> {
    let of_one = |item: Item<'_, Workload>| match (item.measurement.outcome.hole(), item.work) {
        (Some(hole), _) => vec![Figure { hole, ..empty(facts.results, item.measurement, "") }],
        (None, Workload::Idle(_)) => vec![memory_figure(facts.results, item.measurement)],
        _ if facts.results.counted.is_some() => {
            Metric::counted(item.case).iter().map(|metric| cost_figure(&item, *metric)).collect()
        }
        _ => Metric::of(item.case, Use::Report).map(|metric| cost_figure(&item, metric)).collect(),
    };
    facts.items(Some).into_iter().flat_map(of_one).collect()
}

fn cost_figure(item: &Item<'_, Workload>, metric: Metric) -> Figure {
    let empty = empty(item.facts.results, item.measurement, metric.name());
    match item.cost(metric) {
        Ok(Estimate { value, low, high, basis, kept, total, as_it_went }) => Figure {
            value: Some(value),
            low: Some(low),
            high: Some(high),
            as_it_went: Some(as_it_went),
            basis: match basis {
                _ if metric.is_count() => "counted",
                Basis::Undisturbed => "undisturbed",
                Basis::Quiet { .. } => "quiet",
                Basis::Corrected => "corrected",
                Basis::Raw => "raw",
            },
            kept,
            total,
            unit: unit(metric),
            ..empty
        },
        Err(hole) => Figure { hole, ..empty },
    }
}

pub(crate) fn unit(metric: Metric) -> &'static str {
    if metric.is_count() { "instructions/iteration" } else { "ns/iteration" }
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
        as_it_went: None,
        kept: 0,
        total: 0,
        verdict: "",
        hole: String::new(),
    }
}
