//! [`Seen`]: what results have of loads on one server in one regime.

use tlstax_doc::model::Regime;
use tlstax_doc::{Metric, Results, Summaries};
use tlstax_spec::{Case, Direction, Id, Load, Page, Workload};
use tlstax_stats::{Estimate, estimate};

/// Why there is no model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoFit {
    #[error(
        "there is no load with a figure in these results, and a model is fitted to loads on one server; `tlstax calibrate -l \
         nginx` measures them{}", because(.0)
    )]
    Nothing(Vec<String>),
    #[error("these results are of loads on several servers ({}), and a model is of one: name it with --library", .0.join(", "))]
    SeveralServers(Vec<Id>),
    #[error("there is no load on {server} in these results; they have {}", .has.join(", "))]
    AnotherServer { server: Id, has: Vec<Id> },
    #[error(
        "these results are of several machines ({0} and {1}), and costs of one do not hold on another: fit each by itself"
    )]
    SeveralMachines(String, String),
    #[error("these results count instructions; a model is of time: measure without --count")]
    Counted,
}

fn because(holes: &[String]) -> String {
    holes.first().map(|hole| format!(" (the first says: {hole})")).unwrap_or_default()
}

/// What results have of loads on one server in one regime.
#[derive(Debug)]
pub struct Seen<'r> {
    pub server: Id,
    pub regime: Regime,
    pub loads: Vec<Observed<'r>>,
    /// Ids of cases without a figure, with the reasons.
    pub holes: Vec<(String, String)>,
    /// How far the clock of the machine may be from where it was, relative to it: half a 95 % interval, of the run where it was most.
    pub wander: f64,
    /// How far the cores of server and client were apart in the last run that says so: see [`tlstax_doc::Apart`].
    pub core_round_trip_ns: Option<f64>,
    /// Loads with a figure that no term of a model is about, or of another regime.
    pub others: usize,
}

/// The cost of a load.
#[derive(Debug, Clone, Copy)]
pub struct Observed<'r> {
    pub case: &'r Case,
    pub load: &'r Load,
    /// Nanoseconds of the server's CPU time for a request, with the ends of the interval.
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// Standard deviations on each side of a 95 % interval.
pub const SIDE: f64 = 1.96;

/// No cost is known better than this, relative to it, whatever its interval says: from run to run loads differ by more.
const FLOOR: f64 = 0.005;

impl Observed<'_> {
    /// Its standard deviation.
    pub fn deviation(&self) -> f64 {
        let side = (self.high - self.value).max(self.value - self.low) / SIDE;
        side.max(FLOOR * self.value)
    }
}

impl<'r> Seen<'r> {
    /// Looks through results, for the loads of a server if it is named.
    ///
    /// # Errors
    /// They are of several machines or servers, or have no load with a figure.
    pub fn of(runs: &[&'r Results], server: Option<&Id>) -> Result<Self, NoFit> {
        one_machine(runs)?;
        let server = one_server(runs, server)?;
        let mut holes = Vec::new();
        let mut found: Vec<Observed<'r>> = Vec::new();
        let (mut wander, mut core_round_trip_ns) = (0.0_f64, None);
        for run in runs {
            let summaries = Summaries::of(run);
            let machine = summaries.baseline().and_then(|baseline| baseline.machine.as_ref());
            wander = machine.map_or(wander, |machine| wander.max(machine.wander));
            core_round_trip_ns = summaries.apart().map(|apart| apart.usual).or(core_round_trip_ns);
            for (place, measurement) in run.measurements.iter().enumerate() {
                let Some(load) = load_on(&measurement.case, &server) else { continue };
                match (measurement.outcome.hole(), cost(&summaries, place)) {
                    (Some(hole), _) => holes.push((measurement.id.clone(), hole)),
                    (None, None) => holes.push((measurement.id.clone(), TOO_FEW.to_owned())),
                    (None, Some(cost)) => found.push(Observed {
                        case: &measurement.case,
                        load,
                        value: cost.value,
                        low: cost.low,
                        high: cost.high,
                    }),
                }
            }
        }
        holes.retain(|(id, _)| !found.iter().any(|one| one.case.id() == *id));
        let of_model: Vec<Observed<'r>> =
            found.iter().copied().filter(|one| is_of_model(one.case, one.load)).collect();
        let Some(regime) = commonest(&of_model) else {
            return Err(NoFit::Nothing(holes.into_iter().map(|(_, why)| why).collect()));
        };
        let loads: Vec<Observed<'r>> =
            of_model.into_iter().filter(|one| is_same(&regime_of(one.load), &regime)).collect();
        let others = found.len() - loads.len();
        Ok(Self { server, regime, loads, holes, wander, core_round_trip_ns, others })
    }
}

/// What a request costs the server, at the usual clock of its run: loads of one run have it in common.
fn cost(summaries: &Summaries<'_>, measurement: usize) -> Option<Estimate> {
    let seen = summaries.observed(measurement, Metric::Server)?;
    estimate(&seen.observations, seen.baseline)
}

const TOO_FEW: &str = "too few rounds, or too much disturbed, for a figure";

fn one_machine(runs: &[&Results]) -> Result<(), NoFit> {
    if runs.iter().any(|run| run.counted.is_some()) {
        return Err(NoFit::Counted);
    }
    let machine = |run: &Results| {
        let facts = [&run.host.cpu.name, &run.host.kernel].map(|fact| fact.clone().unwrap_or_default());
        facts.join(", Linux ")
    };
    let mut machines = runs.iter().map(|run| machine(run));
    let Some(first) = machines.next() else { return Ok(()) };
    machines.find(|other| *other != first).map_or(Ok(()), |other| Err(NoFit::SeveralMachines(first, other)))
}

fn one_server(runs: &[&Results], wanted: Option<&Id>) -> Result<Id, NoFit> {
    let mut servers: Vec<Id> = Vec::new();
    for measurement in runs.iter().flat_map(|run| &run.measurements) {
        let is_load = matches!(measurement.case.workload, Workload::Load(_));
        if is_load && !servers.contains(&measurement.case.library) {
            servers.push(measurement.case.library.clone());
        }
    }
    match (wanted, servers.as_slice()) {
        (_, []) => Err(NoFit::Nothing(Vec::new())),
        (Some(server), has) if has.contains(server) => Ok(server.clone()),
        (Some(server), has) => Err(NoFit::AnotherServer { server: server.clone(), has: has.to_vec() }),
        (None, [server]) => Ok(server.clone()),
        (None, several) => Err(NoFit::SeveralServers(several.to_vec())),
    }
}

fn load_on<'c>(case: &'c Case, server: &Id) -> Option<&'c Load> {
    match &case.workload {
        Workload::Load(load) if case.library == *server => Some(load),
        _ => None,
    }
}

/// Whether terms stand for all that the load asks of its server.
fn is_of_model(case: &Case, load: &Load) -> bool {
    let is_plain_download = load.direction == Direction::Download && load.page == Page::Static;
    case.threads == 1 && is_plain_download && load.work_us == 0 && load.response_headers == 0
}

fn regime_of(load: &Load) -> Regime {
    Regime {
        client: load.client.clone(),
        connections: load.connections,
        workers: load.tuning.workers,
        sendfile: load.tuning.sendfile,
        tls_buffer: load.tuning.tls_buffer,
        rate: load.rate,
    }
}

/// Whether terms do not tell two regimes apart.
fn is_same(one: &Regime, other: &Regime) -> bool {
    let facts = |regime: &Regime| (regime.connections, regime.workers, regime.rate);
    one.client == other.client && facts(one) == facts(other)
}

/// The regime that most loads have, with the usual sending of files and records.
fn commonest(loads: &[Observed<'_>]) -> Option<Regime> {
    let regimes: Vec<Regime> = loads.iter().map(|one| regime_of(one.load)).collect();
    let count = |regime: &&Regime| regimes.iter().filter(|other| is_same(regime, other)).count();
    // Of equally common ones the first.
    let most = regimes.iter().rev().max_by_key(count)?;
    Some(Regime { sendfile: true, tls_buffer: 0, ..most.clone() })
}
