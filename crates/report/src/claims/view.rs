//! Claims as a view of their own, and as a section of the report on a run.

use tlstax_claims::Answer;
use tlstax_doc::Results;

use super::{rows, section};
use crate::ask::Facts;
use crate::compose::about;
use crate::model::{Section, View};
use crate::sections::machine;

/// What results say to claims, and the machines that the results are from.
pub fn claims_view(answers: &[Answer<'_>], runs: &[&Results]) -> View {
    let machines = runs.iter().map(|results| machine::section(&Facts::of(results)));
    let mut sections = vec![section::section(answers)];
    for (place, machine) in machines.enumerate() {
        let number = place + 1;
        sections.push(match runs.len() {
            1 => machine,
            // Ids are links: each is there once.
            _ => Section {
                id: format!("machine-{number}"),
                title: format!("Machine of results {number}"),
                ..machine
            },
        });
    }
    View {
        title: "What was claimed, and what is so here".to_owned(),
        about: match runs {
            [] => "nothing was measured".to_owned(),
            [results] => about(results),
            several => format!("results of {} runs", several.len()),
        },
        sections,
        legend: String::new(),
        figures: Vec::new(),
        claims: rows::rows(answers),
        shares: Vec::new(),
        traffic: Vec::new(),
        costs: Vec::new(),
    }
}

impl View {
    /// The same with a section of claims after the machine.
    #[must_use]
    pub fn with_claims(mut self, answers: &[Answer<'_>]) -> Self {
        self.sections.retain(|section| section.id != section::ID);
        let place =
            self.sections.iter().position(|section| section.id == "machine").map_or(0, |place| place + 1);
        self.sections.insert(place, section::section(answers));
        self.claims = rows::rows(answers);
        self
    }
}
