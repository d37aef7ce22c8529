//! The model of what was seen.

use tlstax_doc::model::{Fitted, MODEL_VERSION, Model, Origin, Term, TermCost};
use tlstax_doc::{Library, LibraryKind, Note, Results, Severity, Tool};
use tlstax_spec::{Case, Id};

use super::in_memory::{Brought, brought};
use super::seen::{NoFit, Observed, SIDE, Seen};
use super::sharper::sharper;
use super::solve::Solution;
use crate::design::Scope;

/// What a model is made of.
#[derive(Debug)]
pub struct Given<'r> {
    /// Loads on the server; of one machine.
    pub runs: &'r [&'r Results],
    /// Whose loads; needed only where there are those of several.
    pub server: Option<&'r Id>,
    /// In-memory results, for what no load says.
    pub in_memory: &'r [&'r Results],
    /// What would make it sharper is looked for among loads of this,
    pub scope: &'r Scope,
    /// that the server can be set up for.
    pub is_possible: fn(&Case) -> bool,
    pub tool: Tool,
}

/// Fits a model.
///
/// # Errors
/// The results are of several machines or servers, or have no load with a figure.
pub fn fit(given: Given<'_>) -> Result<Model, NoFit> {
    let seen = Seen::of(given.runs, given.server)?;
    let nothing = || NoFit::Nothing(Vec::new());
    let solution = Solution::of(&seen.loads).ok_or_else(nothing)?;
    let last = given.runs.iter().max_by_key(|run| &run.ended).ok_or_else(nothing)?;
    let library = last.library(&seen.server);
    let mut model = Model {
        schema: MODEL_VERSION,
        document: "model".to_owned(),
        tool: given.tool,
        measured: last.ended.clone(),
        host: last.host.clone(),
        server_version: library.and_then(version),
        library: library.and_then(tls_library),
        terms: Vec::new(),
        covariance: Vec::new(),
        unexplained: solution.unexplained.hypot(seen.wander / SIDE),
        fitted: fitted(&seen.loads, &solution),
        sharper: Vec::new(),
        checked: Vec::new(),
        notes: notes(given.runs, &seen, &solution),
        server: seen.server,
        regime: seen.regime,
        core_round_trip_ns: seen.core_round_trip_ns,
        holes: seen.holes,
    };
    put(&mut model, &solution, &[]);
    let Brought { terms, note } = brought(&model, given.in_memory);
    put(&mut model, &solution, &terms);
    model.notes.extend(note);
    model.sharper = sharper(&model, given.scope, given.is_possible);
    Ok(model)
}

fn version(library: &Library) -> Option<String> {
    library.hello.as_ref().map(|hello| hello.version.clone())
}

fn tls_library(library: &Library) -> Option<String> {
    let own = || (library.kind == LibraryKind::Library).then_some(&library.id);
    library.uses.as_ref().or_else(own).map(ToString::to_string)
}

/// Puts in what terms cost: those of the fit, and some that are independent of them, with their deviations. The latter come from one
/// library by one ratio, and are too dear or too cheap together.
fn put(model: &mut Model, solution: &Solution, more: &[(TermCost, f64)]) {
    let Solution { terms, fit, .. } = solution;
    let is_told = |(place, _): &(usize, &Term)| !fit.lost.contains(place);
    let told = terms.iter().enumerate().filter(is_told).map(|(place, term)| {
        (TermCost { term: *term, ns: fit.unknowns[place], origin: Origin::Loads }, Source::Fit(place))
    });
    let more = more.iter().map(|(cost, deviation)| (cost.clone(), Source::Memory(*deviation)));
    let mut all: Vec<(TermCost, Source)> = told.chain(more).collect();
    all.sort_by_key(|(cost, _)| cost.term);
    let covariance = |one: usize, other: usize| match (all[one].1, all[other].1) {
        (Source::Fit(one), Source::Fit(other)) => fit.covariance[one][other],
        (Source::Memory(one), Source::Memory(other)) => one * other,
        _ => 0.0,
    };
    model.covariance =
        (0..all.len()).map(|row| (0..=row).map(|column| covariance(row, column)).collect()).collect();
    model.terms = all.into_iter().map(|(cost, _)| cost).collect();
}

/// Where the variance of a term comes from.
#[derive(Clone, Copy)]
enum Source {
    /// The place among the unknowns of the fit.
    Fit(usize),
    /// The deviation by the ratio that all of them share, with the sign of the cost.
    Memory(f64),
}

fn fitted(loads: &[Observed<'_>], solution: &Solution) -> Vec<Fitted> {
    let of = |(one, (model, without)): (&Observed<'_>, &(f64, Option<f64>))| {
        let &Observed { value, low, high, .. } = one;
        Fitted { case: one.case.id(), measured: value, low, high, model: *model, without: *without }
    };
    loads.iter().zip(&solution.fitted).map(of).collect()
}

fn notes(runs: &[&Results], seen: &Seen<'_>, solution: &Solution) -> Vec<Note> {
    let mut notes = Vec::new();
    let mut say = |severity, what: String, remedy: &str| {
        notes.push(Note { severity, what, remedy: remedy.to_owned() });
    };
    if runs.iter().any(|run| run.study.interrupted) {
        let remedy = "go on with tlstax measure --resume JOURNAL, and fit again with tlstax calibrate --from";
        say(Severity::Warning, "it was fitted to a run that was stopped before its end".to_owned(), remedy);
    }
    for term in &solution.lost {
        let what = format!("no load tells this from other costs, in which it is: {term}");
        say(Severity::Warning, what, "give calibrate more time, or measure such loads and fit with --from");
    }
    if seen.others > 0 {
        let what = format!(
            "{} loads of another regime, or of work that no term is about, were left out",
            seen.others
        );
        say(Severity::Info, what, "");
    }
    notes
}
