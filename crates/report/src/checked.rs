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
    let mut errors: Vec<f64> = checked.iter().filter_map(error).map(f64::abs).collect();
    errors.sort_by(f64::total_cmp);
    let worst = errors.last()?;
    let median = (errors[(errors.len() - 1) / 2] + errors[errors.len() / 2]) / 2.0;
    let covered = checked.iter().filter(|one| is_covered(one)).count();
    let [median, worst] = [median, *worst].map(percent);
    Some(match checked.len() {
        1 => format!("Of the one prediction that was checked the error was {worst}."),
        many => format!(
            "Of {many} predictions that were checked the median error was {median}, the worst {worst}; {covered} of the intervals held \
             what was measured."
        ),
    })
}

pub(crate) fn table(checked: &[Checked], unit: fn(&Checked) -> (f64, &'static str)) -> Option<Table> {
    let rows = checked.iter().map(|one| ([one.what.clone()], one));
    let shown = move |one: &Checked, bounds: Bounds| {
        let (scale, unit) = unit(one);
        Quantity::between(bounds.value * scale, bounds.low * scale, bounds.high * scale, unit)
    };
    Grid::new(["what was offered"], rows)
        .measure(Measure::new(Column::quantity("predicted", ""), move |one: &&Checked| {
            shown(one, one.predicted)
        }))
        .measure(Measure::new(Column::quantity("measured", ""), move |one: &&Checked| {
            shown(one, one.measured)
        }))
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

/// Both figures of each as rows of a data frame; what they are in is for the document to say.
pub(crate) fn rows(
    checked: &[Checked],
    row: &dyn Fn(&'static str, &str, Bounds) -> CostFigure,
) -> Vec<CostFigure> {
    let both = |one: &Checked| {
        let figures = [("checked", one.predicted), ("measured", one.measured)];
        figures.map(|(table, bounds)| CostFigure { remark: one.at.clone(), ..row(table, &one.what, bounds) })
    };
    checked.iter().flat_map(both).collect()
}

/// Whether the intervals of both have something in common.
fn is_covered(Checked { predicted, measured, .. }: &Checked) -> bool {
    predicted.low <= measured.high && measured.low <= predicted.high
}

fn percent(share: f64) -> String {
    format!("{} %", number::significant(share * 100.0, 2))
}
