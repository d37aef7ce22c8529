//! What loads cost by a model beside what they were measured to cost, as a view.

use tlstax_doc::model::{Bounds, Checked, Model};

use crate::explained::about;
use crate::grid::{Grid, Measure};
use crate::model::{Column, Quantity, Section, Table, View};
use crate::number::three_digits;

/// What loads cost by a model beside what they were measured to cost; `holes` are the loads that say nothing of it, with the reasons.
pub fn checked_view(checked: &[Checked], holes: &[(String, String)], model: &Model) -> View {
    let section = Section::new("checked", "Predicted and measured", INTRO)
        .with(predictions(checked))
        .with(without(holes))
        .saying(said(checked));
    View {
        title: "Was the prediction right".to_owned(),
        about: about(model),
        sections: vec![section],
        legend: String::new(),
        figures: Vec::new(),
        claims: Vec::new(),
        shares: Vec::new(),
        traffic: Vec::new(),
        costs: Vec::new(),
    }
}

const INTRO: &str =
    "CPU time of the server for a request; of the workload as a whole, each load at its rate, cores.";

fn predictions(checked: &[Checked]) -> Option<Table> {
    let rows = checked.iter().map(|one| ([one.what.clone()], one));
    Grid::new(["load"], rows)
        .measure(Measure::new(Column::quantity("predicted", "µs"), |one: &&Checked| {
            shown(one, one.predicted)
        }))
        .measure(Measure::new(Column::quantity("measured", "µs"), |one: &&Checked| shown(one, one.measured)))
        .measure(Measure::plain("error", "%", |one: &&Checked| Quantity::exact(error(one) * 100.0, "%")))
        .measure(Measure::words(
            "within the interval",
            |one: &&Checked| {
                if is_covered(one) { "yes" } else { "no" }
            },
        ))
        .table("Predicted beside measured")
}

fn without(holes: &[(String, String)]) -> Option<Table> {
    let rows = holes.iter().map(|(case, why)| ([case.clone()], why));
    Grid::new(["load"], rows)
        .measure(Measure::words("why it is not checked", |why: &&String| why.as_str()))
        .table("Loads that are not checked")
}

fn shown(one: &Checked, Bounds { value, low, high }: Bounds) -> Quantity {
    let (factor, unit) = if one.what == "workload" { (1.0, "cores") } else { (1e-3, "µs") };
    Quantity::between(value * factor, low * factor, high * factor, unit)
}

/// How far a prediction is from what was measured, relative to that.
fn error(one: &Checked) -> f64 {
    one.predicted.value / one.measured.value - 1.0
}

/// Whether the interval of the prediction holds what was measured.
fn is_covered(one: &Checked) -> bool {
    (one.predicted.low..=one.predicted.high).contains(&one.measured.value)
}

fn said(checked: &[Checked]) -> Vec<String> {
    let loads: Vec<&Checked> = checked.iter().filter(|one| one.what != "workload").collect();
    let mut errors: Vec<f64> = loads.iter().map(|one| error(one).abs() * 100.0).collect();
    errors.sort_by(f64::total_cmp);
    let Some(worst) = errors.last() else { return vec!["No load could be checked.".to_owned()] };
    let median = f64::midpoint(errors[(errors.len() - 1) / 2], errors[errors.len() / 2]);
    let covered = loads.iter().filter(|one| is_covered(one)).count();
    vec![format!(
        "Over {} loads the median error is {} %, the worst {} %; {covered} of the 95 % intervals hold what was measured.",
        loads.len(),
        three_digits(median),
        three_digits(*worst)
    )]
}
