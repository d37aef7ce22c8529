//! What is shown of models and plans.

use std::path::Path;

use serde::Serialize;
use tlstax_doc::model::Model;
use tlstax_doc::plan::Plan;
use tlstax_doc::{Note, Severity};
use tlstax_report::{Answer, Brief, View, machine, model_view, plan_view};

use super::answer::Extent;
use super::common::Form;
use crate::output::{print, print_document, style, warn};

/// A view, with what a screen says before its answers.
pub struct Shown {
    pub view: View,
    machine: Vec<String>,
    quality: Vec<String>,
}

pub fn of_model(model: &Model) -> Shown {
    Shown { view: model_view(model), machine: machine(&model.host), quality: quality(&model.notes) }
}

pub fn of_plan(plan: &Plan) -> Shown {
    let (basis, left_out) = (&plan.basis, plan.left_out.iter().map(|what| format!("left out: {what}")));
    let machine = vec![basis.machine.clone(), format!("{} CPUs", basis.cpus), basis.server.clone()];
    Shown {
        view: plan_view(plan),
        machine,
        quality: quality(&plan.notes).into_iter().chain(left_out).collect(),
    }
}

/// Where the rest of what was found is.
pub fn places(json: Option<&Path>, page: Option<&Path>) -> Vec<String> {
    let Some(json) = json else {
        return vec!["Every table: the same with --full; to keep it, and with pictures: -o FILE".to_owned()];
    };
    let tables = format!("Every table: tlstax report {} --full", json.display());
    let page = page.map(|page| format!("Page: {}", page.display()));
    std::iter::once(tables).chain(page).collect()
}

impl Shown {
    /// Prints a document of which this is the view: as it is for programs, one screen of it on a terminal, and every table elsewhere.
    ///
    /// # Errors
    /// Nothing can be printed.
    pub fn print(
        &self,
        document: &impl Serialize,
        form: &Form,
        extent: Extent,
        places: &[String],
    ) -> anyhow::Result<()> {
        if form.is_json() {
            return print_document(true, || serde_json::to_string_pretty(document), String::new);
        }
        let is_brief = extent.is_brief(form.is_text());
        print(match is_brief {
            true => self.brief(places.to_vec()).draw(&style()),
            false => form.draw(&self.view)?,
        })?;
        if !is_brief {
            places.iter().for_each(|place| warn(place));
        }
        Ok(())
    }

    /// One screen; `rest` is where everything else is. The first sentence of each section has a place before the second of any but
    /// the first.
    pub fn brief(&self, rest: Vec<String>) -> Brief {
        let view = &self.view;
        let said = view.sections.iter().enumerate().flat_map(|(nth, section)| {
            let rank = move |place| if nth <= 1 { 0 } else { place };
            section.sentences.iter().enumerate().map(move |(place, said)| (rank(place), said))
        });
        Brief {
            machine: self.machine.clone(),
            quality: self.quality.clone(),
            question: format!("{} ({})", view.title, view.about),
            answers: said.map(|(rank, said)| Answer { said: said.clone(), rank }).collect(),
            rest,
            ..Brief::default()
        }
    }
}

/// What is wrong.
fn quality(notes: &[Note]) -> Vec<String> {
    notes.iter().filter(|note| note.severity > Severity::Info).map(|note| note.what.clone()).collect()
}
