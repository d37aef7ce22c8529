//! Cipher strings: the suites that each library makes of one, what each suite is, and what it costs.

mod list;
mod sentences;
mod tables;

use tlstax_doc::{Note, Results, Severity};
use tlstax_spec::{Id, SuiteFacts, Weakness};

pub use self::list::{ListedSuite, SuiteList, SuiteLists};
use self::tables::{Costs, cost_table, fact_table};
use crate::ask::Facts;
use crate::model::{Block, Section, View};
use crate::notes::note;

/// What `subject`, a cipher string or the name of a list, means in each library; with results, what its suites cost.
/// `source` is where a named list comes from.
pub fn suites_view(
    subject: &str,
    source: Option<String>,
    lists: &SuiteLists,
    results: Option<&Results>,
) -> View {
    let facts = results.map(Facts::of);
    let costs = facts.as_ref().map(Costs::of);
    let mut sections: Vec<Section> =
        lists.iter().map(|(library, list)| section(library, list, costs.as_ref())).collect();
    let Some(results) = results else {
        return View::of_sections(format!("What {subject} means"), source.unwrap_or_default(), sections);
    };
    let report = View::of(results);
    // The tables of the other sections have the same figures in another order.
    sections.extend(report.sections.into_iter().filter(|section| section.id == "machine"));
    let about = source.map_or_else(String::new, |source| source + "; ") + &report.about;
    View { title: format!("What {subject} means and costs"), about, sections, ..report }
}

fn section(library: &Id, list: &Result<SuiteList, Note>, costs: Option<&Costs<'_>>) -> Section {
    let (intro, notes) = match list {
        Ok(list) => (intro(list, costs.is_some()), notes(list)),
        Err(why) => (String::new(), Some(Block::Notes { notes: vec![why.clone()] })),
    };
    let list = list.as_ref().ok();
    let costs = list.zip(costs);
    Section::new(format!("suites-{library}"), library.to_string(), intro)
        .with(list.map(fact_table))
        .with(costs.map(|(list, costs)| cost_table(library, list, costs)))
        .with(notes)
        .saying(costs.map(|(list, costs)| sentences::sentences(costs, library, list)).unwrap_or_default())
}

fn intro(list: &SuiteList, is_measured: bool) -> String {
    let by = match list.is_expanded {
        true => "expanded by the library itself, in the order in which it prefers them",
        false => "of the list those that the library has, in the order of the list",
    };
    let cost = match is_measured {
        true => {
            ". CPU time in memory of a full handshake, and of a gigabyte that the server sends in records of 16 KiB"
        }
        false => "",
    };
    format!("{}: {by}{cost}.", list.version)
}

/// The notes on a list, and what each kind of weakness in it means.
fn notes(list: &SuiteList) -> Option<Block> {
    let mut weak: Vec<Weakness> =
        list.suites.iter().flat_map(|suite| SuiteFacts::of(&suite.name).weak).collect();
    weak.sort_unstable();
    weak.dedup();
    let meaning = |one: Weakness| note(Severity::Info, format!("{}: {}", one.word(), one.meaning()), "");
    let notes: Vec<Note> = list.notes.iter().cloned().chain(weak.into_iter().map(meaning)).collect();
    (!notes.is_empty()).then_some(Block::Notes { notes })
}
