//! What loads cost by a model beside what they were measured to cost, as a view.

use tlstax_doc::Note;
use tlstax_doc::model::{Checked, Model};

use crate::checked;
use crate::explained::about;
use crate::grid::{Grid, Measure};
use crate::model::{Section, Table, View};
use crate::notes::doubts;

/// What loads cost by a model beside what they were measured to cost; `holes` are the loads that say nothing of it, with the reasons,
/// and `notes` what has to be known before.
pub fn checked_view(checked: &[Checked], holes: &[(String, String)], model: &Model, notes: &[Note]) -> View {
    let said = checked::said(checked).unwrap_or_else(|| "No load could be checked.".to_owned());
    let section = Section::new("checked", "Predicted and measured", INTRO)
        .with(checked::table(checked))
        .with(without(holes))
        .saying(vec![said]);
    let sections = doubts(notes).into_iter().chain([section]).collect();
    View::of_sections("Was the prediction right", about(model), sections)
}

const INTRO: &str =
    "CPU time of the server for a request; of the workload as a whole, each load at its rate, cores.";

fn without(holes: &[(String, String)]) -> Option<Table> {
    let rows = holes.iter().map(|(case, why)| ([case.clone()], why));
    Grid::new(["load"], rows)
        .measure(Measure::words("why it is not checked", |why: &&String| why.as_str()))
        .table("Loads that are not checked")
}
