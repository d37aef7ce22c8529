//! What machine this is, what was run on it, and what is wrong with it for measuring.

use tlstax_doc::{Library, Results};
use tlstax_spec::Host;
use tlstax_stats::Gate;

use crate::facts::Facts;
use crate::number;
use crate::sections::sorted_notes;
use crate::view::{Block, Cell, Column, Quantity, Row, Section, Table};

pub(crate) fn section(facts: &Facts<'_>) -> Section {
    let results = facts.results;
    let mut blocks = vec![
        Block::Table(facts_table("This machine", host(&results.host))),
        Block::Table(facts_table("This run", run(facts))),
        Block::Table(libraries(&results.libraries)),
    ];
    blocks.extend(receipts(&results.libraries).map(Block::Table));
    blocks.extend(sorted_notes(results.notes.clone()));
    Section {
        id: "machine".to_owned(),
        title: "Machine".to_owned(),
        intro: String::new(),
        blocks,
        sentences: Vec::new(),
    }
}

/// Two columns: what, and the fact. Facts that are not known are left out.
fn facts_table(caption: &str, facts: Vec<(&str, Option<String>)>) -> Table {
    let row = |(what, fact): (&str, Option<String>)| {
        let fact = fact.filter(|fact| !fact.is_empty())?;
        Some(Row::plain(vec![Cell::text(what), Cell::text(fact)]))
    };
    Table {
        caption: caption.to_owned(),
        columns: vec![Column::label("what"), Column::words("fact")],
        rows: facts.into_iter().filter_map(row).collect(),
    }
}

fn host(host: &Host) -> Vec<(&'static str, Option<String>)> {
    vec![
        ("CPU", Some(cpu(host))),
        ("cores", cores(host)),
        ("features", Some(host.features.join(" "))),
        ("memory", host.memory.map(|memory| format!("{:.1} GB", memory.as_megabytes() / 1e3))),
        ("system", joined([host.os.clone(), host.kernel.clone().map(|kernel| format!("kernel {kernel}"))])),
        ("virtualisation", virtualisation(host)),
        ("frequency", frequency(host)),
        ("clock", host.clocksource.clone()),
        (
            "measures on",
            joined([
                host.measure_cpu.map(|cpu| format!("CPU {cpu}")),
                host.client_cpu.map(|cpu| format!("client of loads on CPU {cpu}")),
            ]),
        ),
        ("noise probe", noise(host)),
    ]
}

fn cpu(host: &Host) -> String {
    let model = &host.cpu;
    let name = model.name.clone().or_else(|| model.vendor.clone()).unwrap_or_else(|| "unknown".to_owned());
    let numbers = [("family", model.family), ("model", model.model), ("stepping", model.stepping)];
    let numbers: Vec<String> =
        numbers.iter().filter_map(|(what, number)| Some(format!("{what} {}", (*number)?))).collect();
    match numbers.is_empty() {
        true => format!("{name}, {}", host.architecture),
        false => format!("{name}, {} ({})", host.architecture, numbers.join(" ")),
    }
}

fn cores(host: &Host) -> Option<String> {
    let topology = &host.topology;
    let count = |number: Option<u32>, what: &str| Some(format!("{} {what}", number?));
    let smt = match topology.smt {
        Some(true) => Some("SMT on".to_owned()),
        Some(false) => Some("SMT off, or hidden".to_owned()),
        None => None,
    };
    let quota = host.cpu_quota.map(|quota| format!("limited to {quota} CPUs"));
    let counts = [
        count(topology.sockets, "socket(s)"),
        count(topology.cores, "core(s)"),
        count(topology.threads, "thread(s)"),
        smt,
        quota,
    ];
    joined(counts)
}

fn virtualisation(host: &Host) -> Option<String> {
    let found = &host.virtualisation;
    let kind = match (found.present?, &found.hypervisor) {
        (false, _) => "none".to_owned(),
        (true, Some(hypervisor)) => hypervisor.clone(),
        (true, None) => "unknown hypervisor".to_owned(),
    };
    joined([Some(kind), found.machine.clone()])
}

fn frequency(host: &Host) -> Option<String> {
    let found = &host.frequency;
    joined([
        found.governor.clone().map(|governor| format!("governor {governor}")),
        found.boost.map(|boost| if boost { "boost on" } else { "boost off" }.to_owned()),
        found.current_khz.map(|khz| format!("{:.2} GHz at the start", khz as f64 / 1e6)),
    ])
}

fn noise(host: &Host) -> Option<String> {
    let probe = host.noise.as_ref()?;
    let steal = probe.steal.map(|share| format!("steal {}", number::share_of(share)));
    joined([
        Some(format!(
            "quiet for {} (latency) and {} (throughput) of {:.1} s",
            number::share_of(probe.latency.quiet),
            number::share_of(probe.throughput.quiet),
            probe.duration_ns.as_secs()
        )),
        steal,
        Some(format!("longest gap {} µs", number::plain(probe.longest_gap_ns.as_micros()))),
    ])
}

fn run(facts: &Facts<'_>) -> Vec<(&'static str, Option<String>)> {
    let Results { tool, started, ended, study, measurements, .. } = facts.results;
    let holes = measurements.iter().filter(|measurement| measurement.outcome.hole().is_some()).count();
    let interrupted = if study.interrupted { ", stopped before its end" } else { "" };
    vec![
        ("study", Some(study.name.clone())),
        ("question", Some(study.question.clone())),
        ("cases", Some(format!("{}, {holes} of them without a figure", measurements.len()))),
        ("from, to", Some(format!("{started}, {ended}{interrupted}"))),
        (
            "budget",
            Some(format!(
                "{} s, {} rounds, seed {}",
                number::plain(study.budget_s),
                study.rounds,
                study.seed
            )),
        ),
        ("quiet", Some(quiet(facts))),
        (
            "tool",
            Some(format!("{} {}, reference kernels {}", tool.name, tool.version, tool.reference_kernels)),
        ),
    ]
}

fn quiet(facts: &Facts<'_>) -> String {
    match facts.summaries.baseline().map(|baseline| baseline.gate) {
        Some(Some(Gate { width, share })) => format!(
            "{:.0} % of the run, at a gate of {} %: the figures are medians over quiet rounds, where there are enough",
            share * 100.0,
            width * 100.0
        ),
        Some(None) => {
            "too little of the run: the figures are medians over all rounds, corrected by the reference \
                       kernels; the machine is too noisy for better"
                .to_owned()
        }
        None => "unknown, the reference kernels were not read: the figures are raw".to_owned(),
    }
}

fn libraries(libraries: &[Library]) -> Table {
    let row = |library: &Library| {
        let hello = library.hello.as_ref();
        let version = hello.map(|hello| hello.version.clone()).unwrap_or_default();
        let build = hello.map(|hello| hello.build.clone()).unwrap_or_default();
        let version = match &library.unavailable {
            Some(reason) => Cell::Hole { reason: reason.clone() },
            None => Cell::text(version),
        };
        Row::plain(vec![Cell::text(&library.id), version, Cell::text(build)])
    };
    Table {
        caption: "Libraries, as they say at run time".to_owned(),
        columns: vec![Column::label("library"), Column::words("version"), Column::words("build")],
        rows: libraries.iter().map(row).collect(),
    }
}

/// The files that were really loaded.
fn receipts(libraries: &[Library]) -> Option<Table> {
    let of_one = |library: &Library| {
        let objects = library.receipt.as_ref().map(|receipt| receipt.objects.clone()).unwrap_or_default();
        let row = |object: &tlstax_doc::Object| {
            let size = Cell::Quantity(Quantity::exact(object.bytes as f64 / 1e3, "KB"));
            Row::plain(vec![
                Cell::text(&library.id),
                Cell::text(&object.file),
                size,
                Cell::text(&object.xxh3),
            ])
        };
        objects.iter().map(row).collect::<Vec<_>>()
    };
    let rows: Vec<Row> = libraries.iter().flat_map(of_one).collect();
    (!rows.is_empty()).then(|| Table {
        caption: "Files that were loaded".to_owned(),
        columns: vec![
            Column::label("library"),
            Column::label("file"),
            Column::plain("size", "KB"),
            Column::words("XXH3-128"),
        ],
        rows,
    })
}

fn joined<const N: usize>(parts: [Option<String>; N]) -> Option<String> {
    let parts: Vec<String> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}
