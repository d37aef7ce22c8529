//! What machine it is, and how good it is for measuring, in few words each.

use tlstax_doc::{Library, LibraryKind, Results, Severity};
use tlstax_spec::Host;
use tlstax_stats::Ratio;

use crate::ask::Facts;
use crate::number;
use crate::sections::machine::factors_as_it_went;

/// The most important first: names may be long.
pub fn machine(host: &Host) -> Vec<String> {
    let name = host.cpu.name.clone().or_else(|| host.cpu.vendor.clone());
    let facts = [
        Some(name.unwrap_or_else(|| format!("an {} CPU", host.architecture))),
        cores(host),
        virtualisation(host),
        host.os.clone(),
        host.kernel.as_ref().map(|kernel| format!("kernel {kernel}")),
    ];
    facts.into_iter().flatten().filter(|fact| !fact.is_empty()).collect()
}

/// Cores, and what more of threads there are.
fn cores(host: &Host) -> Option<String> {
    let count = |number: u32, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
    match (host.topology.cores, host.topology.threads) {
        (Some(cores), Some(threads)) if threads != cores => {
            Some(format!("{} with {}", count(cores, "core"), count(threads, "thread")))
        }
        (Some(cores), _) => Some(count(cores, "core")),
        (None, threads) => threads.map(|threads| count(threads, "thread")),
    }
}

fn virtualisation(host: &Host) -> Option<String> {
    match (host.virtualisation.present?, &host.virtualisation.hypervisor) {
        (false, _) => Some("no virtualisation".to_owned()),
        (true, Some(hypervisor)) => Some(format!("a virtual machine under {hypervisor}")),
        (true, None) => Some("a virtual machine".to_owned()),
    }
}

/// What is wrong comes first.
pub(super) fn quality(facts: &Facts<'_>) -> Vec<String> {
    let results = facts.results;
    let interrupted = results.study.interrupted.then(|| "stopped before its end".to_owned());
    let of_kind = |kind: Severity| results.notes.iter().filter(move |note| note.severity == kind);
    let problem = of_kind(Severity::Problem).next().map(|note| format!("problem: {}", note.what));
    let warnings = match of_kind(Severity::Warning).count() {
        0 => None,
        1 => Some("1 warning".to_owned()),
        many => Some(format!("{many} warnings")),
    };
    let measured = match &results.counted {
        Some(counted) => vec![format!("counted: {counted}")],
        None => disturbance(facts),
    };
    [interrupted, problem].into_iter().flatten().chain(measured).chain(warnings).collect()
}

/// For how much of the run nobody disturbed the machine, its clock, and what that did to the work.
fn disturbance(facts: &Facts<'_>) -> Vec<String> {
    if !facts.has_figures() {
        return Vec::new();
    }
    let Some(baseline) = facts.summaries.baseline() else {
        return vec!["how quiet it was is unknown: the figures are raw".to_owned()];
    };
    let Some(machine) = &baseline.machine else {
        return vec!["never undisturbed for long: the figures are corrected".to_owned()];
    };
    let undisturbed = format!("undisturbed for {} of the run", number::percent(Ratio(machine.undisturbed)));
    let clock = format!("its clock ±{}", number::percent(Ratio(machine.wander)));
    let went = factors_as_it_went(facts).map(|([_, usual, _], _)| {
        format!("work took {}x as long as undisturbed", number::three_digits(usual))
    });
    [undisturbed, clock].into_iter().chain(went).collect()
}

/// So many participants of a run are named.
const NAMED: usize = 4;

/// The study with its cases and who took part in it, but for the control.
pub(super) fn study(results: &Results) -> String {
    let count =
        |number: usize, one: &str, many: &str| format!("{number} {}", if number == 1 { one } else { many });
    let took_part =
        |library: &&Library| library.unavailable.is_none() && library.kind != LibraryKind::Control;
    let who: Vec<&Library> = results.libraries.iter().filter(took_part).collect();
    let of_whom = match who.len() {
        0 => String::new(),
        1..=NAMED => {
            format!(" of {}", who.iter().map(|library| library.id.as_str()).collect::<Vec<_>>().join(", "))
        }
        many if who.iter().all(|library| library.kind == LibraryKind::Library) => {
            format!(" of {many} libraries")
        }
        many => format!(" of {many} libraries, servers and clients"),
    };
    format!("study {}, {}{of_whom}", results.study.name, count(results.measurements.len(), "case", "cases"))
}
