//! The loads that a model was fitted to, those that have no figure, and those that would make it sharper.

use tlstax_doc::model::{Fitted, Model};

use crate::grid::{Grid, Measure};
use crate::model::{Quantity, Table};

/// What was measured beside what the model says of it.
pub(super) fn table(model: &Model) -> Option<Table> {
    let rows = model.fitted.iter().map(|load| ([load.case.clone()], load));
    Grid::new(["load"], rows)
        .measure(Measure::quantity("measured", "µs", |load: &&Fitted| {
            Quantity::between(load.measured / 1e3, load.low / 1e3, load.high / 1e3, "µs")
        }))
        .measure(Measure::plain("model", "µs", |load: &&Fitted| micros(load.model)))
        .measure(Measure::plain("without this load", "µs", |load: &&Fitted| {
            load.without.map(micros).ok_or_else(|| "a term was seen by this load alone".to_owned())
        }))
        .measure(Measure::plain("miss", "%", |load: &&Fitted| miss(load)))
        .table("CPU time of the server for a request")
}

/// How far the model is from what was measured: where it can be, the model that has not seen the load.
fn miss(load: &Fitted) -> Option<Quantity> {
    let model = load.without.unwrap_or(load.model);
    // To a thousandth of a percent: what a term fits that no other load has is missed by rounding alone.
    let percent = ((model / load.measured - 1.0) * 1e5).round() / 1e3;
    (load.measured > 0.0).then(|| Quantity::exact(percent, "%"))
}

pub(super) fn holes(model: &Model) -> Option<Table> {
    let rows = model.holes.iter().map(|(case, why)| ([case.clone()], why));
    Grid::new(["load"], rows)
        .measure(Measure::words("why it has no figure", |why: &&String| why.as_str()))
        .table("Loads that were to be fitted and were not")
}

pub(super) fn sharper(model: &Model) -> Option<Table> {
    let rows = model.sharper.iter().map(|(case, by)| ([case.clone()], *by));
    Grid::new(["load"], rows)
        .measure(Measure::plain("narrower", "%", |by: &f64| Quantity::exact(by * 100.0, "%")))
        .table("By how much the interval of a usual workload would shrink if this load were fitted, too")
}

fn micros(ns: f64) -> Quantity {
    Quantity::exact(ns / 1e3, "µs")
}
