//! What machine this is, what was run on it, and what is wrong with it for measuring.

mod disturbance;
mod libraries;

pub(crate) use self::disturbance::factors_as_it_went;
use tlstax_doc::Results;
use tlstax_spec::Host;
use tlstax_stats::Ratio;

use crate::ask::Facts;
use crate::grid::{Grid, Measure};
use crate::model::{Section, Table};
use crate::notes::sorted_notes;
use crate::number;

pub(crate) fn section(facts: &Facts<'_>) -> Section {
    let results = facts.results;
    Section::new("machine", "Machine", "")
        .with(facts_table([host(&results.host), run(facts)].concat()))
        .with(libraries::blocks(&results.libraries))
        .with(sorted_notes(results.notes.clone()))
}

/// Two columns: what, and the fact. Facts that are not known are left out.
fn facts_table(facts: Vec<(&str, Option<String>)>) -> Option<Table> {
    let rows =
        facts.into_iter().map(|(what, fact)| ([what.to_owned()], fact.filter(|fact| !fact.is_empty())));
    Grid::new([""], rows).measure(Measure::words("", Option::clone)).table("")
}

fn host(host: &Host) -> Vec<(&'static str, Option<String>)> {
    vec![
        ("CPU", Some(cpu(host))),
        ("cores", cores(host)),
        ("features", Some(host.features.join(" "))),
        (
            "system",
            joined([
                host.os.clone(),
                host.kernel.clone().map(|kernel| format!("kernel {kernel}")),
                virtualisation(host),
                host.clocksource.clone().map(|clock| format!("clock {clock}")),
            ]),
        ),
        ("frequency", frequency(host)),
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

pub(crate) fn cpu(host: &Host) -> String {
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
    let hidden = topology.threads.zip(host.allowed.threads).filter(|(all, allowed)| allowed < all);
    let mask = hidden.map(|(_, allowed)| format!("{allowed} of the threads allowed by the affinity mask"));
    let quota = host.cpu_quota.map(|quota| format!("limited to {quota} CPUs"));
    let memory = host.memory.map(|memory| format!("{:.1} GB of memory", memory.as_megabytes() / 1e3));
    let counts = [
        count(topology.sockets, "socket(s)"),
        count(topology.cores, "core(s)"),
        count(topology.threads, "thread(s)"),
        smt,
        mask,
        quota,
        memory,
    ];
    joined(counts)
}

fn virtualisation(host: &Host) -> Option<String> {
    let found = &host.virtualisation;
    let kind = match (found.present?, &found.hypervisor) {
        (false, _) => "no virtualisation".to_owned(),
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
    let steal = probe.steal.map(|share| format!("steal {}", number::percent(Ratio(share))));
    joined([
        Some(format!(
            "quiet for {} (latency) and {} (throughput) of {:.1} s",
            number::percent(Ratio(probe.latency.quiet)),
            number::percent(Ratio(probe.throughput.quiet)),
            probe.duration_ns.as_secs()
        )),
        steal,
        Some(format!("longest gap {} µs", number::three_digits(probe.longest_gap_ns.as_micros()))),
    ])
}

fn run(facts: &Facts<'_>) -> Vec<(&'static str, Option<String>)> {
    let Results { tool, started, ended, study, measurements, counted, .. } = facts.results;
    let holes = measurements.iter().filter(|measurement| measurement.outcome.hole().is_some()).count();
    let interrupted = if study.interrupted { ", stopped before its end" } else { "" };
    vec![
        (
            "study",
            joined([
                Some(study.name.to_string()),
                question(&study.question).map(|line| format!("\"{line}\"")),
            ]),
        ),
        (
            "cases",
            Some(format!(
                "{}, {holes} of them without a figure; {} rounds, seed {}",
                measurements.len(),
                study.rounds,
                study.seed
            )),
        ),
        (
            "from, to",
            Some(format!(
                "{started}, {ended}{interrupted}; budget {} s; {} {}",
                number::three_digits(study.budget_s),
                tool.name,
                tool.version
            )),
        ),
        ("counted", counted.as_ref().map(ToString::to_string)),
        ("undisturbed", (facts.has_figures() && counted.is_none()).then(|| disturbance::undisturbed(facts))),
        ("clock", disturbance::clock(facts)),
        ("as it went", disturbance::as_it_went(facts)),
    ]
}

/// The first line of a study's question; the others only unfold it.
pub(crate) fn question(question: &str) -> Option<&str> {
    question.lines().map(str::trim).find(|line| !line.is_empty())
}

fn joined<const N: usize>(parts: [Option<String>; N]) -> Option<String> {
    let parts: Vec<String> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}
