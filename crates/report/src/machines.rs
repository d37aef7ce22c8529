//! Several runs beside each other, a column for each machine: `tlstax report a.json b.json`.
//!
//! Machines differ in more than TLS, so no figure here is a multiple of another machine's; what is set in relation was
//! measured in one run.

mod costs;
mod joined;
mod ratios;

use tlstax_doc::{Results, Severity};

use self::joined::Machine;
use crate::ask::Facts;
use crate::compose::legend;
use crate::figure::figures;
use crate::grid::{Grid, Measure};
use crate::model::{Section, View};
use crate::notes::{note, sorted_notes};
use crate::sections::machine;

/// The view of several runs, each under a name of its own, such as that of its file.
pub fn side_by_side(runs: &[(String, &Results)]) -> View {
    let facts: Vec<Facts<'_>> = runs.iter().map(|(_, results)| Facts::of(results)).collect();
    let machines: Vec<Machine<'_>> =
        runs.iter().zip(&facts).map(|((name, _), facts)| Machine { name, facts }).collect();
    let sections: Vec<Section> = std::iter::once(named(&machines))
        .chain(costs::sections(&machines))
        .chain(ratios::section(&machines))
        .collect();
    View {
        title: "What TLS costs, machine by machine".to_owned(),
        about: runs.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", "),
        legend: legend(&sections),
        sections,
        figures: facts.iter().flat_map(figures).collect(),
        claims: Vec::new(),
        shares: Vec::new(),
        traffic: Vec::new(),
        costs: Vec::new(),
    }
}

/// What stands behind the name of each column.
fn named(machines: &[Machine<'_>]) -> Section {
    let rows = machines.iter().map(|machine| ([machine.name.to_owned()], machine.facts.results));
    let table = Grid::new(["column"], rows)
        .measure(Measure::words("CPU", |results: &&Results| machine::cpu(&results.host)))
        .measure(Measure::words("study", |results: &&Results| results.study.name.to_string()))
        .measure(Measure::words("run", |results: &&Results| results.started.clone()))
        .measure(Measure::words("by", |results: &&Results| {
            format!("{} {}", results.tool.name, results.tool.version)
        }))
        .table("The machines");
    let alone = joined::alone(machines);
    let notes = (alone > 0).then(|| {
        let are_left_out = if alone == 1 { "1 case is".to_owned() } else { format!("{alone} cases are") };
        let what = format!("{are_left_out} in one of the runs only, and left out");
        vec![note(Severity::Info, what, "tlstax report with one of the files shows all of it")]
    });
    Section::new("machines", "Machines", "").with(table).with(notes.and_then(sorted_notes))
}
