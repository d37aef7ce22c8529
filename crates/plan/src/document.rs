//! The document of a plan.

use tlstax_doc::model::{Model, Origin};
use tlstax_doc::plan::{Basis, PLAN_VERSION, Plan, Prediction, Scenario};
use tlstax_doc::{Note, Severity, Tool};

use crate::capacity::{Capacity, resources, spending};
use crate::predict::predict;
use crate::what_if::Ground;
use crate::workload::Traffic;

/// The plan of a workload as it is, with scenarios.
pub fn document(
    ground: &Ground<'_>,
    scenarios: Vec<Scenario>,
    capacity: &Capacity,
    tool: Tool,
    made: String,
) -> Plan {
    let traffic = ground.traffic;
    let now = predict(traffic, ground.setup, ground.costs);
    let model = ground.costs.model();
    Plan {
        schema: PLAN_VERSION,
        document: "plan".to_owned(),
        tool,
        made,
        basis: basis(traffic, model),
        resources: resources(traffic, ground.setup, &now, capacity),
        notes: notes(model, &now, spending(traffic, &now, capacity)),
        now,
        scenarios,
        assumed: traffic.assumed.clone(),
        left_out: traffic.left_out.clone(),
        checked: model.checked.clone(),
    }
}

/// CPUs of a machine that a server may use: those that are allowed, less what a quota takes.
pub fn cpus(model: &Model) -> f64 {
    let host = &model.host;
    let threads = host.allowed.threads.or(host.topology.threads).map_or(1.0, f64::from);
    host.cpu_quota.map_or(threads, |quota| threads.min(quota))
}

fn basis(traffic: &Traffic, model: &Model) -> Basis {
    let version = model.server_version.clone().unwrap_or_else(|| model.server.to_string());
    let library = model.library.iter().map(|library| format!(" with {library}"));
    // A machine has few CPUs.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let cpus = cpus(model).ceil() as u32;
    Basis {
        server: std::iter::once(version).chain(library).collect(),
        machine: model.host.cpu.name.clone().unwrap_or_else(|| format!("an {} CPU", model.host.architecture)),
        cpus,
        measured: model.measured.clone(),
        rate: traffic.rate.clone(),
        requests: traffic.kinds.iter().map(|asked| asked.demand.requests).sum(),
        connections: traffic.connections(),
        bytes: traffic.kinds.iter().map(|asked| asked.demand.bytes()).sum(),
    }
}

fn notes(model: &Model, now: &Prediction, spending: Vec<String>) -> Vec<Note> {
    let mut notes = vec![info(regime(model))];
    if !now.missing.is_empty() {
        let names: Vec<String> = now.missing.iter().map(|missing| missing.term.to_string()).collect();
        notes.push(Note {
            severity: Severity::Warning,
            what: format!(
                "the model has no cost of what the traffic needs: {}; the nearest kin stand for them within bounds",
                names.join("; ")
            ),
            remedy: "calibrate with loads that have it".to_owned(),
        });
    }
    let in_memory = model.terms.iter().filter(|cost| matches!(cost.origin, Origin::InMemory { .. }));
    let used = in_memory.filter(|cost| now.work.iter().any(|(term, _)| *term == cost.term));
    let names: Vec<String> = used.map(|cost| cost.term.to_string()).collect();
    if !names.is_empty() {
        notes.push(info(format!("from measurements in memory, and so wider: {}", names.join("; "))));
    }
    notes.extend(model.notes.iter().filter(|note| note.severity != Severity::Info).cloned());
    notes.extend(spending.into_iter().map(info));
    notes
}

/// In which state of the server the costs hold.
fn regime(model: &Model) -> String {
    let regime = &model.regime;
    let load = match regime.rate {
        0 => "kept busy".to_owned(),
        rate => format!("at {rate} requests a second"),
    };
    format!(
        "the costs are those of a server {load} with {} connections at a time and {} worker(s): with many more of either they grow",
        regime.connections, regime.workers
    )
}

const fn info(what: String) -> Note {
    Note { severity: Severity::Info, what, remedy: String::new() }
}
