//! What is done once, before connections: contexts, trusted roots, certificates.

use tlstax_doc::Metric;
use tlstax_spec::{Algorithm, Class, Pattern, Primitive};
use tlstax_stats::Estimate;

use crate::ask::{Facts, Item, furthest, libraries};
use crate::grid::{Grid, Measure};
use crate::model::{Quantity, Section};
use crate::notes::notes;
use crate::phrase;
use crate::told::one_each;

type Found<'a> = Item<'a, Primitive>;

const ROOTS: u32 = 144;

/// What is set up: (algorithm, heading, what a library does).
const SET_UP: &[(Algorithm, &str, &str)] = &[
    (Algorithm::ServerContext, "server context", "makes a server's context"),
    (Algorithm::ClientContext, "client context", "makes a client's context"),
    (Algorithm::CaBundle, "CA bundle", "loads the CA bundle"),
    (Algorithm::Certificate, "parse one", "parses a certificate"),
];

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let mut items = facts.primitives();
    items.retain(|item| {
        item.work.algorithm.class() == Class::Setup && item.case.threads == 1 && !item.is_control()
    });
    let libraries = libraries(&items);
    let table = Grid::new(["library"], rows(&items, &libraries))
        .measures(SET_UP.iter().flat_map(|set_up| measures(&items, set_up)))
        .table("Making and dropping each of them")?;
    let intro = format!(
        "CPU microseconds of what is done before connections, and of each of them if it is not kept. The CA bundle has \
         {ROOTS} roots, from PEM; parse one: a certificate from DER."
    );
    let section = Section::new("setup", "Set-up costs", intro)
        .with([table])
        .with(notes(items.iter().map(|item| item.measurement)));
    Some(section.saying(sentences(&items, &libraries)).answering(answers(&items, &libraries)))
}

type Caller<'a> = (&'a str, Pattern);

fn rows<'a>(items: &[Found<'_>], libraries: &[&'a str]) -> Vec<([String; 1], Caller<'a>)> {
    let callers =
        libraries.iter().flat_map(|library| Pattern::ALL.iter().map(|pattern| (*library, *pattern)));
    let has = |caller: &Caller<'_>| {
        items.iter().any(|item| item.library() == caller.0 && item.work.pattern == caller.1)
    };
    let named = |caller: Caller<'a>| match caller {
        (library, Pattern::Tls) => ([library.to_owned()], caller),
        (library, pattern) => ([format!("{library} ({pattern})")], caller),
    };
    callers.filter(has).map(named).collect()
}

fn find<'a>(items: &[Found<'a>], caller: &Caller<'_>, algorithm: Algorithm) -> Option<Found<'a>> {
    let is_it = |item: &&Found<'_>| {
        item.library() == caller.0 && item.work.algorithm == algorithm && item.work.pattern == caller.1
    };
    items.iter().find(is_it).copied()
}

/// The cost of one, and for the bundle that of a root in it.
fn measures<'f, 'a>(
    items: &'f [Found<'a>],
    &(algorithm, title, _): &(Algorithm, &'static str, &str),
) -> Vec<Measure<'f, Caller<'f>>> {
    let cost = move |caller: &Caller<'_>| Some(find(items, caller, algorithm)?.cost(Metric::Cpu));
    let scaled = move |cost: &Estimate, count: f64| Quantity::scaled(cost, 1e-3 / count, "µs");
    let one = move |caller: &Caller<'_>| Some(cost(caller)?.map(|cost| scaled(&cost, 1.0)));
    let of_root = move |caller: &Caller<'_>| Some(scaled(&cost(caller)?.ok()?, f64::from(ROOTS)));
    let mut measures = vec![Measure::quantity(title, "µs", one).where_found()];
    if algorithm == Algorithm::CaBundle {
        measures.push(Measure::plain("per root", "µs", of_root).where_found());
    }
    measures
}

/// What each thing takes.
fn answers(items: &[Found<'_>], libraries: &[&str]) -> Vec<String> {
    let answer = |&(algorithm, title, _): &(Algorithm, &str, &str)| {
        let cost = |library: &&str| {
            let item = find(items, &(*library, Pattern::Tls), algorithm)?;
            Some(((*library).to_owned(), item.micros(Metric::Cpu).ok()?))
        };
        let costs = one_each(libraries.iter().filter_map(cost).collect())?;
        Some(format!("Set-up, {title}: {costs}."))
    };
    SET_UP.iter().filter_map(answer).collect()
}

/// For each thing, the two libraries that are furthest apart.
fn sentences(items: &[Found<'_>], libraries: &[&str]) -> Vec<String> {
    let sentence = |&(algorithm, _, does): &(Algorithm, &str, &str)| {
        let made = |library: &str| find(items, &(library, Pattern::Tls), algorithm);
        let (a, b, ratio) = furthest(libraries, Metric::Cpu, made)?;
        phrase::longer(&ratio, a, b, does)
    };
    SET_UP.iter().filter_map(sentence).collect()
}
