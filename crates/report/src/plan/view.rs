//! The view of one plan.

use tlstax_doc::plan::Plan;

use super::{amount, basis, changes, kinds, missing, picture, pieces, resources, rows, said, slider};
use crate::checked;
use crate::model::{Section, View};

const CORES: &str = "\
    Cores are seconds of CPU time in a second. Parts add up to the whole; what TLS takes is what would not be there without it.";

/// The view of a plan.
pub fn plan_view(plan: &Plan) -> View {
    View {
        title: "What this traffic will cost".to_owned(),
        about: about(plan),
        sections: sections(plan),
        legend: String::new(),
        figures: Vec::new(),
        claims: Vec::new(),
        shares: Vec::new(),
        traffic: Vec::new(),
        costs: rows::rows(plan),
    }
}

fn sections(plan: &Plan) -> Vec<Section> {
    let now = &plan.now;
    let resumed: Vec<String> = slider::sentence(now).into_iter().collect();
    let sections = [
        Section::new("doubts", "Before you read on", "").with(basis::doubts(plan)),
        // The answer stands before the tables that it comes from.
        Section::new("answer", "What it needs", "").saying(said::sentences(plan)),
        Section::new("changes", "What changes would do", "")
            .with(changes::table(plan))
            .with(changes::configuration(plan))
            .saying(changes::sentences(plan)),
        Section::new("parts", "What cores are spent on", CORES)
            .with(pieces::parts(now))
            .with(picture::block(plan))
            .with(pieces::tables(now)),
        Section::new("resumed", "If more or fewer sessions were resumed", "")
            .with(slider::slider(plan))
            .saying(resumed),
        Section::new("kinds", "Kinds of connections", "").with(kinds::blocks(plan)),
        Section::new("resources", "What it takes of the machine", "").with(resources::table(plan)),
        Section::new("checked", "How right it was", "").with(checked::table(&plan.checked)),
        Section::new("basis", "What it rests on", "")
            .with(basis::table(plan))
            .with(missing::table(now))
            .with(basis::notes(plan)),
    ];
    let is_shown = |section: &Section| !section.blocks.is_empty() || !section.sentences.is_empty();
    sections.into_iter().filter(is_shown).collect()
}

fn about(plan: &Plan) -> String {
    let basis = &plan.basis;
    format!(
        "{} on {}, {}; costs measured {}",
        basis.server,
        basis.machine,
        amount::cpus(basis.cpus),
        basis.measured
    )
}
