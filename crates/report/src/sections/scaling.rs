//! How much more several threads do than one, and what it costs not to share contexts.

mod contexts;
mod kinds;
mod regime;
mod sentences;

use tlstax_doc::{Metric, UsableCpus};
use tlstax_spec::Contexts;

use self::kinds::{Curve, Kind, kinds};
use crate::ask::{Facts, Item, distinct};
use crate::grid::{Grid, Measure};
use crate::model::{Chart, Quantity, Section, Table};
use crate::notes::notes;

const INTRO: &str = "\
    Elapsed time from the start of the first thread to the end of the last. Speed-up: beside one thread; sys: the \
    kernel's part of the CPU time. Scales: within 5 % of the number of threads. Contended: so much of each thread \
    is lost, to locks, to caches and memory that threads share, or to a lower clock. Taking turns: more threads \
    than cores. Cannot tell: the interval does not decide. Control: the harness alone, whose clocks cost more with \
    several threads; that much is nobody's loss.";

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let (kinds, unsaid) = kinds(facts);
    if kinds.is_empty() {
        return None;
    }
    let cores = UsableCpus::of(&facts.results.host);
    let shared = |kind| Contexts::ALL.iter().filter_map(move |&contexts| table(kind, contexts, &cores));
    let scaled: Vec<Table> = kinds.iter().flat_map(shared).collect();
    let (title, intro) = match scaled.is_empty() {
        true => ("Sharing of contexts", unsaid),
        false => ("Scaling over threads", [INTRO, &unsaid].join(" ")),
    };
    let runs = kinds.iter().flat_map(|kind| &kind.curves).flat_map(|curve| curve.runs.values());
    let several = runs.map(|run| run.measurement).filter(|measurement| measurement.case.threads > 1);
    let section = Section::new("scaling", title, intro.trim())
        .with(scaled)
        .with(kinds.iter().filter_map(|kind| contexts::table(kind, &cores)))
        .with(kinds.first().and_then(chart))
        .with(notes(several));
    let answers = sentences::answers(&kinds, &cores).into_iter().collect();
    Some(section.saying(sentences::sentences(&kinds, &cores)).answering(answers))
}

/// So many threads of one curve.
type Run<'k, 'a> = (&'k Curve<'a>, u16, Item<'a, ()>);

/// One kind of work with one way to share contexts: a row for each library and number of threads.
fn table(kind: &Kind<'_>, contexts: Contexts, cores: &UsableCpus) -> Option<Table> {
    let own = kind.curves.iter().filter(|curve| curve.contexts == contexts && curve.is_of_several());
    let runs = own.flat_map(|curve| curve.runs.iter().map(move |(&threads, &run)| (curve, threads, run)));
    let (controls, runs): (Vec<Run<'_, '_>>, Vec<_>) = runs.partition(|(curve, ..)| curve.is_control());
    (!runs.is_empty()).then_some(())?;
    // Of a run without a figure, one cell gives the reason.
    let wall = |run: &Run<'_, '_>| run.2.cost(Metric::Wall);
    let each = |run: &Run<'_, '_>| {
        let each = wall(run).ok()?.value * f64::from(run.1);
        Some(Quantity::exact(kind.per_second / each, kind.unit))
    };
    let speed_up = |run: &Run<'_, '_>| wall(run).ok().and_then(|_| speed_up(run));
    let cpu = |run: &Run<'_, '_>| wall(run).ok().map(|_| run.2.micros(Metric::Cpu));
    let system = |run: &Run<'_, '_>| Some(Quantity::exact(system(&run.2)?, "%"));
    let regime = |run: &Run<'_, '_>| Some(kind.regime(run.0, run.1, cores)?.shown());
    let names = |run: &Run<'_, '_>| [run.0.library.to_owned(), run.1.to_string()];
    let mut grid = Grid::new(["library", "threads"], runs.into_iter().map(|run| (names(&run), run)));
    for run in controls {
        grid = grid.control(names(&run).each_ref().map(String::as_str), Some(run));
    }
    grid.measure(Measure::quantity("in all", kind.unit, |run| wall(run).map(|wall| kind.rate(&wall))))
        .measure(Measure::plain("each", kind.unit, each).ranked(2))
        .measure(Measure::quantity("speed-up", "x", speed_up))
        .measure(Measure::quantity("CPU", "µs", cpu).ranked(1))
        .measure(Measure::plain("sys", "%", system).where_found().ranked(2))
        .measure(Measure::words("regime", regime))
        .table(format!("{}{}", kind.title, sharing(contexts)))
}

/// How much more several threads do than one, or why that is not known; none for one thread, and for the control.
fn speed_up(&(curve, threads, _): &Run<'_, '_>) -> Option<Result<Quantity, String>> {
    let speed_up = || curve.speed_up(threads).map(|ratio| Quantity::scaled(&ratio, 1.0, "x"));
    (threads > 1 && !curve.is_control())
        .then(|| speed_up().ok_or_else(|| "one thread was not measured, or too little".to_owned()))
}

/// The kernel's part of the CPU time, in percent, where the kernel accounts for it.
fn system(run: &Item<'_, ()>) -> Option<f64> {
    let parts = run.measurement.batches().iter().filter_map(|batch| {
        let cpu = batch.sample.cpu;
        Some((cpu.system?.0 as f64, (cpu.system? + cpu.user?).0 as f64))
    });
    let (system, all) = parts.fold((0.0, 0.0), |(system, all), part| (system + part.0, all + part.1));
    (all > 0.0).then(|| system / all * 100.0)
}

/// How contexts are shared, at the end of a caption.
fn sharing(contexts: Contexts) -> &'static str {
    match contexts {
        Contexts::Shared => "",
        Contexts::PerThread => ", a context for each thread",
        Contexts::PerConnection => ", a context for each connection",
    }
}

/// The speed-ups of the first kind of work: a group per number of threads, a bar per library.
fn chart<'k>(kind: &'k Kind<'_>) -> Option<Chart> {
    let curves = || kind.of_libraries(Contexts::Shared).filter(|curve| curve.is_of_several());
    let mut threads = distinct(curves().flat_map(|curve| curve.runs.keys().copied()), |threads| *threads);
    threads.retain(|&threads| threads > 1);
    threads.sort_unstable();
    let speed_up = |curve: &'k Curve<'_>| {
        let cell = move |threads: &u16| Some(Quantity::scaled(&curve.speed_up(*threads)?, 1.0, "x"));
        Measure::quantity(curve.library, "x", cell)
    };
    Grid::new(["threads"], threads.into_iter().map(|threads| ([format!("{threads} threads")], threads)))
        .measures(curves().map(speed_up))
        .chart(format!("Speed-up beside one thread: {}", kind.title), false)
}
