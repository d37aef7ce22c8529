//! What is shown of models and plans.

use tlstax_doc::model::Model;
use tlstax_doc::plan::Plan;
use tlstax_doc::{Note, Severity};
use tlstax_report::{Answer, Brief, View, machine, model_view, plan_view};

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

impl Shown {
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
