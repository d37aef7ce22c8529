//! The study of a calibration: a designed set of loads.

use tlstax_peers::servers::{SERVERS, Server, Site};
use tlstax_plan::{Scope, candidates, choose, unknowns};
use tlstax_run::Study;
use tlstax_spec::{Case, Http, Id, Tuning, Workload};
use tlstax_stats::{HalfWidth, Ratio};

use super::args::Args;
use crate::failure::Usage;

/// How long it may take where nobody says.
const BUDGET_S: f64 = 600.0;

/// A load has so many seconds where there is time for all that is unknown, and this at least.
const CASE_S: f64 = 12.5;
const LEAST_CASE_S: f64 = 5.0;

/// Loads for each unknown, so that some are left to show what the unknowns do not explain.
const SPARE: f64 = 1.2;

/// A load is done when half its interval is so narrow. From run to run costs of loads differ by more.
const PRECISION: HalfWidth = HalfWidth(Ratio(0.003));

/// The study of a server.
///
/// # Errors
/// What is to be negotiated does not go together, or the server can be set up for none of it.
pub fn of(args: &Args, server: &Id) -> Result<Study, Usage> {
    let scope = scope(args, server);
    if scope.params().is_empty() {
        return Err(Usage("versions, suites, groups and keys do not go together in any way".to_owned()));
    }
    let all: Vec<Case> = candidates(server, &args.client, &scope).into_iter().filter(is_possible).collect();
    if all.is_empty() {
        let what = format!(
            "{server} can be set up for none of these loads: name other versions, suites, groups or keys"
        );
        return Err(Usage(what));
    }
    let budget_s = args.measuring.budget.unwrap_or(BUDGET_S);
    let cases = choose(&all, &scope, count(budget_s, unknowns(&all)));
    let name = Id::nearest(&format!("calibrate-{server}"));
    let question = format!("What does each thing that {server} does cost it?");
    Ok(Study { budget_s, precision: PRECISION, ..Study::of(name, &question, cases) })
}

/// What the model of a server is to know.
pub fn scope(args: &Args, server: &Id) -> Scope {
    match program(server) {
        None if args.http.is_empty() => Scope { http: vec![Http::Http1], ..args.scope() },
        _ => args.scope(),
    }
}

/// How many loads the time is for: at the usual length of each, but enough to tell all unknowns apart if each may be shorter.
fn count(budget_s: f64, unknowns: usize) -> usize {
    let usual = budget_s / CASE_S;
    let needed = unknowns as f64 * SPARE;
    usual.max(needed.min(budget_s / LEAST_CASE_S)).max(1.0) as usize
}

/// The server program that goes by an id; none of a worker. One with another TLS library has its name before the @.
fn program(id: &Id) -> Option<&'static Server> {
    let name = id.split_once('@').map_or(id.as_str(), |(name, _)| name);
    SERVERS.iter().copied().find(|server| server.id() == name)
}

/// Whether the server can be set up so.
pub fn is_possible(case: &Case) -> bool {
    match (&case.workload, program(&case.library)) {
        (Workload::Load(load), Some(program)) => (program.lacks)(&Site::of(load)).is_none(),
        // A worker's server has nothing to set up.
        (Workload::Load(load), None) => load.tuning == Tuning::default(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_makes_loads() {
        assert_eq!(count(600.0, 30), 48);
        // Shorter loads, so that everything is told apart.
        assert_eq!(count(300.0, 30), 36);
        // Too little time for that.
        assert_eq!(count(60.0, 30), 12);
        assert_eq!(count(1.0, 30), 1);
    }
}
