//! The study that measures what claims need, and nothing else.

use tlstax_claims::{Book, Need, needed};
use tlstax_run::Study;
use tlstax_spec::Id;
use tlstax_stats::{HalfWidth, Ratio};

use super::super::common::Measuring;
use super::super::project::Project;
use crate::failure::Usage;

/// All claims of the write-ups may take so many seconds, and their quick form.
const WHOLE_S: f64 = 840.0;
const QUICK_S: f64 = 165.0;

/// A few cases have at least this long, so that processes are replaced often enough for an interval.
const LEAST_S: f64 = 30.0;

/// Each case may take so many seconds, and so many in the quick form.
const CASE_S: f64 = 8.0;
const QUICK_CASE_S: f64 = 3.0;

/// A case is done when half its interval is so narrow: few claims are about less than a percent.
const PRECISION: HalfWidth = HalfWidth(Ratio(0.005));

/// What was asked for.
pub(super) struct Asked<'a> {
    pub book: &'a Book,
    pub wanted: &'a [String],
    pub quick: bool,
    /// Whether the claims are the user's own.
    pub is_own: bool,
}

pub(super) fn of(asked: &Asked<'_>, flags: &Measuring, project: &Project) -> anyhow::Result<Study> {
    let usable = |id: &Id| is_chosen(id, &flags.library) && is_there(id, project);
    let needs = needed(asked.book, asked.wanted, &[], asked.quick, &usable)
        .map_err(|error| Usage(error.to_string()))?;
    let budget_s = budget(&needs, asked.quick);
    let cases = needs.into_iter().map(|need| need.case).collect();
    Ok(Study { budget_s, precision: PRECISION, ..Study::of(name(asked), &question(asked), cases) })
}

/// The libraries and servers that the cases are of, each once. Clients take part by themselves.
pub(super) fn libraries(study: &Study) -> Vec<Id> {
    let mut ids: Vec<Id> = Vec::new();
    for case in &study.exactly {
        if !ids.contains(&case.library) {
            ids.push(case.library.clone());
        }
    }
    ids
}

/// The report knows the study of all claims of the write-ups by its name, and answers them.
fn name(asked: &Asked<'_>) -> Id {
    match (asked.is_own, asked.wanted) {
        (true, _) => Id::literal("own-claims"),
        (false, []) => Id::literal("claims"),
        (false, _) => Id::literal("some-claims"),
    }
}

fn question(asked: &Asked<'_>) -> String {
    match asked.wanted {
        [] => format!("Which claims of {} hold on this machine?", asked.book.name),
        wanted => format!("Do the claims {} of {} hold on this machine?", wanted.join(", "), asked.book.name),
    }
}

fn budget(needs: &[Need<'_>], quick: bool) -> f64 {
    let (each, whole) = if quick { (QUICK_CASE_S, QUICK_S) } else { (CASE_S, WHOLE_S) };
    (needs.len() as f64 * each).clamp(LEAST_S, whole)
}

/// Whether a library is one of those that the user names; a variant goes by the library that it is of.
fn is_chosen(id: &Id, named: &[Id]) -> bool {
    named.is_empty() || named.iter().any(|name| name == id || *name.as_str() == *base(id))
}

/// Whether a library can be asked without being built first. A server that is not installed says so in its row.
fn is_there(id: &Id, Project { home, registry }: &Project) -> bool {
    let entry = registry.entry(id).or_else(|_| registry.entry(base(id)));
    entry.is_ok_and(|entry| entry.program_path(home).is_none_or(|program| program.exists()))
}

fn base(id: &Id) -> &str {
    id.split_once("-without-").map_or(id.as_str(), |(base, _)| base)
}
