//! How much more several threads do than one, and what it costs not to share contexts.

mod contexts;
mod kinds;
mod regime;
mod sentences;

use tlstax_doc::Metric;
use tlstax_spec::Contexts;
use tlstax_stats::Estimate;

use self::kinds::{Climb, Kind, Kinds};
use self::regime::Cores;
use crate::ask::Facts;
use crate::model::{Block, Cell, Chart, Column, Quantity, Role, Row, Section, Series, Table};
use crate::notes::notes;

const INTRO: &str = "\
    Elapsed time from the start of the first thread to the end of the last. Speed-up: beside one thread; sys: the \
    kernel's part of the CPU time. Scales: within 5 % of the number of threads. Contended: so much of each thread \
    is lost, to locks, to caches and memory that threads share, or to a lower clock. Taking turns: more threads \
    than cores. Cannot tell: the interval does not decide. Control: the harness alone, whose clocks cost more with \
    several threads; that much is nobody's loss.";

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let Kinds { kinds, unsaid } = Kinds::of(facts);
    if kinds.is_empty() {
        return None;
    }
    let cores = Cores::of(&facts.results.host);
    let tables = kinds
        .iter()
        .flat_map(|kind| Contexts::ALL.iter().filter_map(|&contexts| table(facts, kind, contexts, &cores)));
    let mut blocks: Vec<Block> = tables.map(Block::Table).collect();
    let scaled = !blocks.is_empty();
    blocks.extend(kinds.iter().filter_map(|kind| contexts::table(facts, kind, &cores)).map(Block::Table));
    blocks.extend(kinds.first().and_then(|kind| chart(facts, kind)).map(Block::Chart));
    let shown = kinds.iter().flat_map(|kind| &kind.climbs).flat_map(|climb| climb.runs.values());
    let several = shown
        .map(|&index| &facts.results.measurements[index])
        .filter(|measurement| measurement.case.threads > 1);
    blocks.extend(notes(several));
    let intro = if scaled { INTRO } else { "" };
    Some(Section {
        id: "scaling".to_owned(),
        title: if scaled { "Scaling over threads" } else { "Sharing of contexts" }.to_owned(),
        intro: [intro, &unsaid].join(" ").trim().to_owned(),
        blocks,
        sentences: sentences::sentences(facts, &kinds, &cores),
    })
}

/// One kind of work with one way to share contexts: a row for each library and number of threads.
fn table(facts: &Facts<'_>, kind: &Kind<'_>, contexts: Contexts, cores: &Cores) -> Option<Table> {
    let own = |climb: &&Climb<'_>| climb.contexts == contexts && climb.is_of_several();
    let climbs: Vec<&Climb<'_>> = kind.climbs.iter().filter(own).collect();
    climbs.iter().any(|climb| !climb.is_control()).then_some(())?;
    let system = climbs.iter().flat_map(|climb| climb.runs.values()).any(|&run| system(facts, run).is_some());
    let mut columns = vec![
        Column::label("library"),
        Column::label("threads"),
        Column::quantity("in all", kind.unit),
        Column::plain("each", kind.unit),
        Column::quantity("speed-up", "x"),
        Column::quantity("CPU", "µs"),
    ];
    if system {
        columns.push(Column::plain("sys", "%"));
    }
    columns.push(Column::words("regime"));
    let row = |climb: &Climb<'_>, threads: u16, run: usize| {
        let mut cells = vec![Cell::text(climb.library), Cell::text(threads.to_string())];
        cells.extend(figures(facts, kind, climb, threads, run));
        if system {
            cells.push(Cell::maybe(self::system(facts, run).map(|share| Quantity::exact(share, "%"))));
        }
        let regime = kind.regime(facts, climb, threads, cores);
        cells.push(regime.map_or(Cell::Empty, |regime| Cell::text(regime.shown())));
        Row { role: if climb.is_control() { Role::Control } else { Role::Plain }, cells }
    };
    let of_climb = |climb: &&Climb<'_>| {
        climb.runs.iter().map(|(&threads, &run)| row(climb, threads, run)).collect::<Vec<_>>()
    };
    Some(Table {
        caption: format!("{}{}", kind.title, sharing(contexts)),
        columns,
        rows: climbs.iter().flat_map(of_climb).collect(),
    })
}

/// The rates, the speed-up and the CPU time of one number of threads.
fn figures(facts: &Facts<'_>, kind: &Kind<'_>, climb: &Climb<'_>, threads: u16, run: usize) -> [Cell; 4] {
    let wall = match facts.cost(run, Metric::Wall) {
        Ok(wall) => wall,
        Err(reason) => return [Cell::Hole { reason }, Cell::Empty, Cell::Empty, Cell::Empty],
    };
    let each = Estimate { value: wall.value * f64::from(threads), ..wall };
    let speed_up = match threads {
        1 => Cell::Empty,
        _ if climb.is_control() => Cell::Empty,
        _ => Cell::of(
            climb
                .speed_up(facts, threads)
                .map(|ratio| Quantity::scaled(&ratio, 1.0, "x"))
                .ok_or_else(|| "one thread was not measured, or too little".to_owned()),
        ),
    };
    let cpu = facts.cost(run, Metric::Cpu).map(|cost| Quantity::scaled(&cost, 1e-3, "µs"));
    let each = Quantity::exact(kind.per_second / each.value, kind.unit);
    [Cell::Quantity(kind.rate(&wall)), Cell::Quantity(each), speed_up, Cell::of(cpu)]
}

/// The kernel's part of the CPU time, in percent, where the kernel's accounting told it.
fn system(facts: &Facts<'_>, run: usize) -> Option<f64> {
    let parts = facts.results.measurements[run].batches().iter().filter_map(|batch| {
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
fn chart(facts: &Facts<'_>, kind: &Kind<'_>) -> Option<Chart> {
    let climbs = || kind.of_libraries(Contexts::Shared).filter(|climb| climb.is_of_several());
    let mut threads: Vec<u16> = climbs().flat_map(|climb| climb.runs.keys().copied()).collect();
    threads.retain(|&threads| threads > 1);
    threads.sort_unstable();
    threads.dedup();
    let point = |climb: &Climb<'_>, threads: u16| {
        Cell::maybe(climb.speed_up(facts, threads).map(|ratio| Quantity::scaled(&ratio, 1.0, "x")))
    };
    let series: Vec<Series> = climbs()
        .map(|climb| Series {
            name: climb.library.to_owned(),
            points: threads.iter().map(|&threads| point(climb, threads)).collect(),
        })
        .collect();
    (!threads.is_empty()).then(|| Chart {
        title: format!("Speed-up beside one thread: {}", kind.title),
        unit: "x",
        log: false,
        labels: threads.iter().map(|threads| format!("{threads} threads")).collect(),
        series,
    })
}
