//! Composes the [`View`] of one run: which sections there are, in which order, and the legend of their signs.

use tlstax_claims::{Book, answer};
use tlstax_doc::Results;

use crate::ask::Facts;
use crate::figure::figures;
use crate::holes;
use crate::model::{Cell, Section, Sign, View};
use crate::network::Network;
use crate::sections::{self, Published};

impl View {
    pub fn of(results: &Results) -> Self {
        Self::with_published(results, &Published::default())
    }

    /// The report on one run, with this machine set beside machines whose figures were published.
    pub fn with_published(results: &Results, published: &Published) -> Self {
        Self::over(results, published, Network::default())
    }

    /// The same, with packets of another size.
    pub fn over(results: &Results, published: &Published, network: Network) -> Self {
        let facts = Facts::over(results, network);
        let sections = sections(&facts, published);
        let view = Self {
            title: "What TLS costs".to_owned(),
            about: about(results),
            legend: legend(&sections),
            sections,
            figures: figures(&facts),
            claims: Vec::new(),
            shares: Vec::new(),
            traffic: Vec::new(),
            costs: Vec::new(),
        };
        if results.study.name.as_str() != CLAIMS {
            return view;
        }
        // Without a word there is none that could be unknown.
        let book = Book::built_in();
        view.with_claims(&answer(&book, &[], &[results]).unwrap_or_default())
    }
}

/// The study that measures what the claims of the write-ups need: its report answers them.
const CLAIMS: &str = "claims";

/// The study, the machine and the time, in a line.
pub(crate) fn about(results: &Results) -> String {
    let cpu =
        results.host.cpu.name.clone().unwrap_or_else(|| format!("an {} CPU", results.host.architecture));
    format!("study {}, {cpu}, {}", results.study.name, results.started)
}

/// What the signs mean that the tables of some sections have.
pub(crate) fn legend(sections: &[Section]) -> String {
    let rows = sections.iter().flat_map(Section::tables).flat_map(|table| &table.rows);
    let quantities = rows.flat_map(|row| &row.cells).filter_map(Cell::quantity);
    let signs: Vec<Sign> = quantities.filter_map(|quantity| quantity.sign).collect();
    let meanings = Sign::ALL.iter().filter(|sign| signs.contains(sign));
    meanings.map(|sign| format!("{} {}", sign.shown(), sign.meaning())).collect::<Vec<_>>().join("; ")
}

/// Every section that has something to show, in the order of the report; of a run without figures, why there are none.
fn sections(facts: &Facts<'_>, published: &Published) -> Vec<Section> {
    let machine = sections::machine::section(facts);
    if let Some(nothing) = holes::nothing(facts) {
        return vec![nothing, machine];
    }
    if let Some(counted) = &facts.results.counted {
        return vec![machine, holes::folded(sections::counts::section(facts, counted))];
    }
    let measured = SECTIONS.iter().filter_map(|section| section(facts));
    let all = measured.chain(sections::published::section(facts, published));
    std::iter::once(machine).chain(all.map(holes::folded)).collect()
}

/// The sections between the machine and what was published, in the order of the report. A new one is a file in
/// `sections` and an entry here.
const SECTIONS: &[fn(&Facts<'_>) -> Option<Section>] = &[
    sections::primitives::section,
    sections::public_keys::section,
    sections::setup::section,
    sections::handshakes::section,
    sections::post_quantum::section,
    sections::scaling::section,
    sections::bulk::section,
    sections::wire::section,
    sections::load::section,
    sections::transfers::section,
    sections::small_server::section,
    sections::server_handshakes::section,
    sections::http2::section,
    sections::switches::section,
];
