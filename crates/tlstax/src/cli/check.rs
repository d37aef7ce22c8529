//! `tlstax check`: what is wrong with this machine for measuring.

use std::process::ExitCode;

use serde_json::{Value, json};
use tlstax_doc::Severity;
use tlstax_report::Printable;
use tlstax_run::{Acceleration, Availability, Checkup, Leftover, Means, checkup, leftovers};
use tlstax_spec::Host;
use tlstax_stats::Machine;

use super::project::Project;
use crate::failure;
use crate::output::{message, print_document, warn};

/// Look at this machine and its libraries, and say what is in the way of good figures.
///
/// Listens to the noise of the measuring core for two seconds, reads back what each library uses of the CPU, looks for
/// what could take cryptography off its hands, looks for what killed runs have left, and names every finding with its
/// remedy. Changes nothing, unless --clean is given.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print everything that was found, as JSON.
    #[arg(long)]
    json: bool,

    /// Remove what killed runs have left behind, and do nothing else: processes, control groups and folders that are
    /// tlstax's by their marks and whose run is over.
    #[arg(long)]
    clean: bool,
}

pub fn run(args: Args, project: &Project) -> anyhow::Result<ExitCode> {
    if args.clean {
        return clean(args.json);
    }
    let found = checkup(&project.home, &project.registry)?;
    print_document(args.json, || serde_json::to_string_pretty(&json(&found)), || text(&found))?;
    Ok(ExitCode::SUCCESS)
}

/// Removes leftovers and tells of each. Processes come first: they hold the others.
fn clean(json: bool) -> anyhow::Result<ExitCode> {
    let found = leftovers();
    let mut removed = Vec::new();
    for leftover in &found {
        match leftover.remove() {
            Ok(()) => removed.push(leftover),
            Err(problem) => warn(&problem),
        }
    }
    let words = || match found.is_empty() {
        true => "there was nothing to remove\n".to_owned(),
        false => removed.iter().map(|leftover| format!("removed {}\n", leftover.what)).collect(),
    };
    print_document(json, || serde_json::to_string_pretty(&json!({ "removed": removed })), words)?;
    let is_clean = removed.len() == found.len();
    Ok(if is_clean { ExitCode::SUCCESS } else { ExitCode::from(failure::ENVIRONMENT) })
}

fn json(found: &Checkup) -> Value {
    let acceleration = |seen: &Acceleration| {
        json!({
            "library": seen.library, "features": seen.features,
            "aes_128_gcm_mb_s": seen.aes_gcm, "chacha20_poly1305_mb_s": seen.chacha20,
        })
    };
    let accelerations: Vec<_> = found.accelerations.iter().map(acceleration).collect();
    let core = found.machine.as_ref().map(|machine| {
        json!({
            "undisturbed": machine.undisturbed, "neighbour": machine.neighbour, "clock_wander": machine.wander,
        })
    });
    json!({
        "host": found.host, "measuring_core": core, "libraries": found.libraries, "accelerations": accelerations, "offload": found.offload,
        "leftovers": found.leftovers, "findings": found.notes,
    })
}

/// What the measuring core was while it was listened to.
fn core(machine: &Machine) -> String {
    let beside = match machine.neighbour > 1.0 {
        true => format!("; else work that fills it takes {:.2} times as long", machine.neighbour),
        false => String::new(),
    };
    let (undisturbed, wander) = (machine.undisturbed * 100.0, machine.wander * 100.0);
    format!(
        "core       undisturbed for {undisturbed:.0} % of the time{beside}; its clock went up and down by {wander:.1} %\n"
    )
}

fn text(found: &Checkup) -> String {
    let mut text = machine(&found.host);
    text.extend(found.machine.as_ref().map(core));
    text += &format!(
        "cores      measuring and serving on {}, clients on {}{}\n\nLibraries\n",
        found.cores.measure,
        found.cores.client,
        found.host.allowed.threads.map_or_else(String::new, |allowed| format!("; {allowed} allowed")),
    );
    for library in &found.libraries {
        let what = match (&library.unavailable, &library.hello) {
            (Some(why), _) => message(&format!("not available: {why}")),
            (None, hello) => Printable::line(hello.as_ref().map_or("", |hello| &hello.version)),
        };
        text += &format!("  {:16} {what}\n", library.id);
        if let Some(seen) = found.accelerations.iter().find(|seen| seen.library == library.id) {
            text += &acceleration(seen);
        }
    }
    text += "\nOffload\n";
    text.extend(found.offload.iter().map(means));
    text += "\nLeftovers\n";
    text.extend(found.leftovers.iter().map(leftover));
    text += match found.leftovers.is_empty() {
        true => "  nothing of an earlier run is left\n",
        false => "  all of it is removed by: tlstax check --clean\n",
    };
    text += "\nFindings\n";
    for note in &found.notes {
        let mark = match note.severity {
            Severity::Info => "-",
            Severity::Warning => "!",
            Severity::Problem => "X",
        };
        text += &format!("  {mark} {}\n{}", note.what, remedy(&note.remedy));
    }
    if found.notes.is_empty() {
        text += "  nothing is in the way\n";
    }
    text
}

fn leftover(found: &Leftover) -> String {
    format!("  {}\n      known by: {}\n{}", found.what, found.known_by, remedy(&found.remedy))
}

/// A line of its own, if there is one.
fn remedy(remedy: &str) -> String {
    if remedy.is_empty() { String::new() } else { format!("      remedy: {remedy}\n") }
}

fn acceleration(seen: &Acceleration) -> String {
    let mut text = String::new();
    match &seen.features {
        Some(features) => text += &format!("{:19}uses {}\n", "", features.join(" ")),
        None if seen.aes_gcm.is_some() => {
            text += &format!("{:19}does not tell which CPU features it uses\n", "")
        }
        None => {}
    }
    if let (Some(aes), Some(chacha)) = (seen.aes_gcm, seen.chacha20) {
        text +=
            &format!("{:19}quick look: AES-128-GCM {aes:.0} MB/s, ChaCha20-Poly1305 {chacha:.0} MB/s\n", "");
    }
    text
}

fn means(means: &Means) -> String {
    let state = match means.state {
        Availability::Present => "present",
        Availability::Ready => "not ready",
        Availability::Absent => "absent",
        Availability::Unknown => "not told",
    };
    format!("  {:30} {state}: {}\n{}", means.what, means.found, remedy(&means.remedy))
}

fn machine(host: &Host) -> String {
    let unknown = || "not told by this machine".to_owned();
    let or = |value: &Option<String>| value.clone().unwrap_or_else(unknown);
    let count = |value: Option<u32>| value.map_or_else(|| "?".to_owned(), |value| value.to_string());
    let topology = &host.topology;
    let smt = match topology.smt {
        Some(true) => "SMT on",
        Some(false) => "SMT off or hidden",
        None => "SMT unknown",
    };
    let virtualisation = match (&host.virtualisation.present, &host.virtualisation.hypervisor) {
        (Some(true), hypervisor) => format!("virtual machine under {}", or(hypervisor)),
        (Some(false), _) => "none".to_owned(),
        (None, _) => unknown(),
    };
    let mut text = format!(
        "cpu        {} ({} cores, {} threads, {smt})\nfeatures   {}\nkernel     {}, {}\nvirtual    {virtualisation}\n\
         governor   {}\ncounters   {}\n",
        or(&host.cpu.name),
        count(topology.cores),
        count(topology.threads),
        host.features.join(" "),
        or(&host.kernel),
        or(&host.os),
        or(&host.frequency.governor),
        match host.counters.cycles {
            Some(true) => "cycles and instructions can be counted".to_owned(),
            Some(false) => format!("none (errno {})", host.counters.errno.unwrap_or_default()),
            None => unknown(),
        },
    );
    if let Some(clocks) = &host.clocks {
        text += &format!(
            "clocks     monotonic {} ns a reading, thread CPU {} ns\n",
            clocks.monotonic.call_ns.0, clocks.thread_cpu.call_ns.0
        );
    }
    if let Some(noise) = &host.noise {
        text += &format!(
            "noise      latency kernel quiet {:.0} % of the time, throughput kernel {:.0} %; steal {}; longest gap {} us\n",
            noise.latency.quiet * 100.0,
            noise.throughput.quiet * 100.0,
            noise.steal.map_or_else(|| "not told".to_owned(), |share| format!("{:.2} %", share * 100.0)),
            noise.longest_gap_ns.0 / 1000,
        );
    }
    text
}
