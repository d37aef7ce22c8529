//! Predictions beside what was measured of them: how right they were.

use tlstax_doc::model::{Bounds, Checked};

use crate::grid::{Grid, Measure};
use crate::model::{Column, CostFigure, Quantity, Table};
use crate::number;

/// How far a prediction was from what was measured, relative to that; positive where too much was predicted. None where nothing
/// was measured to be relative to.
pub(crate) fn error(checked: &Checked) -> Option<f64> {
    let (predicted, measured) = (checked.predicted.value, checked.measured.value);
    (measured > 0.0).then(|| predicted / measured - 1.0)
}

/// How right the predictions were, in a sentence; none where none was checked.
pub(crate) fn said(checked: &[Checked]) -> Option<String> {
    // A workload is the sum of its loads, and no prediction more.
    let loads: Vec<(&Checked, f64)> = checked
        .iter()
        .filter(|one| !one.is_workload())
        .filter_map(|one| Some((one, error(one)?.abs())))
        .collect();
    let mut errors: Vec<f64> = loads.iter().map(|(_, error)| *error).collect();
    errors.sort_by(f64::total_cmp);
    let worst = errors.last()?;
    let median = f64::midpoint(errors[(errors.len() - 1) / 2], errors[errors.len() / 2]);
    let covered = loads.iter().filter(|(one, _)| is_covered(one)).count();
    let [median, worst] = [median, *worst].map(percent);
    Some(match loads.len() {
        1 => format!("Of the one prediction that was checked the error was {worst}."),
        many => format!(
            "Of {many} predictions that were checked the median error was {median}, the worst {worst}; {covered} of the intervals held \
             what was measured."
        ),
    })
}

pub(crate) fn table(checked: &[Checked]) -> Option<Table> {
    let rows = checked.iter().map(|one| ([one.what.clone()], one));
    Grid::new(["what was offered"], rows)
        .measure(Measure::new(Column::quantity("predicted", ""), |one: &&Checked| shown(one, one.predicted)))
        .measure(Measure::new(Column::quantity("measured", ""), |one: &&Checked| shown(one, one.measured)))
        .measure(Measure::plain("error", "%", |one: &&Checked| {
            error(one).map(|error| Quantity::exact(error * 100.0, "%"))
        }))
        .measure(Measure::words(
            "within the interval",
            |one: &&Checked| {
                if is_covered(one) { "yes" } else { "no" }
            },
        ))
        .measure(Measure::words("when", |one: &&Checked| one.at.clone()).ranked(1))
        .table("Predicted beside measured")
}

/// A load has a cost for each request, a workload takes cores.
fn shown(one: &Checked, Bounds { value, low, high }: Bounds) -> Quantity {
    let (scale, unit) = if one.is_workload() { (1.0, "cores") } else { (1e-3, "µs") };
    Quantity::between(value * scale, low * scale, high * scale, unit)
}

/// Both figures of each as rows of a data frame.
pub(crate) fn rows(
    checked: &[Checked],
    row: &dyn Fn(&'static str, &str, Bounds) -> CostFigure,
) -> Vec<CostFigure> {
    let both = |one: &Checked| {
        let figures = [("checked", one.predicted), ("measured", one.measured)];
        let unit = if one.is_workload() { "cores" } else { "ns" };
        figures.map(|(table, bounds)| CostFigure {
            unit: unit.to_owned(),
            remark: one.at.clone(),
            ..row(table, &one.what, bounds)
        })
    };
    checked.iter().flat_map(both).collect()
}

/// Whether the interval of the prediction holds what was measured.
fn is_covered(Checked { predicted, measured, .. }: &Checked) -> bool {
    (predicted.low..=predicted.high).contains(&measured.value)
}

fn percent(share: f64) -> String {
    format!("{} %", number::significant(share * 100.0, 2))
}
