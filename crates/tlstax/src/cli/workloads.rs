//! What is shown of workloads.

use tlstax_doc::Workload;
use tlstax_report::{Answer, Brief, View, workload_view, workloads_side_by_side};

/// One workload, or several side by side.
pub fn view(workloads: &[(String, Workload)]) -> View {
    match workloads {
        [(name, one)] => workload_view(name, one),
        several => {
            let several: Vec<(String, &Workload)> =
                several.iter().map(|(name, workload)| (name.clone(), workload)).collect();
            workloads_side_by_side(&several)
        }
    }
}

/// One screen of what workloads say; `rest` is where everything else is. What a run stands on, the machine, is no matter here: the
/// sources stand in the question.
pub fn brief(_: &[(String, Workload)], view: &View, rest: Vec<String>) -> Brief {
    let said = view.sections.iter().flat_map(|section| section.answers.iter().chain(&section.sentences));
    Brief {
        question: format!("{} ({})", view.title, view.about),
        answers: said.enumerate().map(|(rank, said)| Answer { said: said.clone(), rank }).collect(),
        rest,
        ..Brief::default()
    }
}
