//! Curves of results: cases that differ in their threads alone, and loads that differ in the workers of their server.

use tlstax_doc::model::Bounds;
use tlstax_doc::{LibraryKind, Metric, UsableCpus};
use tlstax_spec::{Case, Load, Tuning, Workload};

use super::curve::Curve;
use super::point::Point;
use crate::figures::{Figures, Found, per, times};

/// A curve of results.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    pub library: String,
    /// The work, in words.
    pub work: String,
    /// What grows: `threads` or `workers`.
    pub of: &'static str,
    /// Of rates: `1/s` or `MB/s`.
    pub unit: &'static str,
    /// None where there are too few points.
    pub curve: Option<Curve>,
    /// Points that are left out, with the reason.
    pub left_out: Vec<(u16, String)>,
}

/// Every curve of which at least two numbers were asked for.
pub fn curves(figures: &Figures<'_>) -> Vec<Measured> {
    let mut groups: Vec<(Case, Vec<Found<'_, Workload>>)> = Vec::new();
    for found in figures.all(Some).filter(|found| can_grow(figures, found)) {
        let key = alone(found.case);
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, group)) => group.push(found),
            None => groups.push((key, vec![found])),
        }
    }
    let cpus = UsableCpus::of(&figures.results.host);
    let several = groups.iter().filter(|(_, group)| group.iter().any(|found| count(found.case) > 1));
    several.map(|(case, group)| measured(figures, case, group, &cpus)).collect()
}

/// Work that goes as fast as it can.
fn can_grow(figures: &Figures<'_>, found: &Found<'_, Workload>) -> bool {
    match found.work {
        Workload::Load(load) => {
            load.rate == 0 && figures.results.kind(found.library()) == LibraryKind::Server
        }
        Workload::Primitive(_) | Workload::Handshake(_) | Workload::Bulk(_) => true,
        Workload::Idle(_) => false,
    }
}

/// The case on one thread, or with one worker: the same for all points of a curve.
fn alone(case: &Case) -> Case {
    let workload = match &case.workload {
        Workload::Load(load) => Workload::Load(Load { tuning: alone_of(load.tuning), ..load.clone() }),
        other => return Case { threads: 1, workload: other.clone(), ..case.clone() },
    };
    // The client's threads and connections may grow with the workers that they are to load.
    Case { threads: 1, workload, ..case.clone() }
}

/// A single worker is kept on its core, and several are not.
fn alone_of(tuning: Tuning) -> Tuning {
    Tuning { workers: 1, pinned: true, ..tuning }
}

fn count(case: &Case) -> u16 {
    match &case.workload {
        Workload::Load(load) => load.tuning.workers,
        _ => case.threads,
    }
}

fn measured(
    figures: &Figures<'_>,
    case: &Case,
    group: &[Found<'_, Workload>],
    cpus: &UsableCpus,
) -> Measured {
    let (mut points, mut left_out) = (Vec::new(), Vec::new());
    let (unit, factor) = unit(&case.workload);
    for found in group {
        let threads = count(found.case);
        match rate(figures, found, cpus) {
            Ok(rate) => points.push(Point { threads, rate: times(rate, factor) }),
            Err(why) => left_out.push((threads, why)),
        }
    }
    let of = if matches!(case.workload, Workload::Load(_)) { "workers" } else { "threads" };
    let library = case.library.to_string();
    Measured { library, work: words(case), of, unit, curve: Curve::of(points), left_out }
}

/// A client that is busy for more of the time than this was the limit.
const BUSY: f64 = 0.9;

/// Iterations in a second.
fn rate(figures: &Figures<'_>, found: &Found<'_, Workload>, cpus: &UsableCpus) -> Result<Bounds, String> {
    let cost = figures.cost(found, Metric::Wall)?;
    let threads = count(found.case);
    if cpus.logical.is_some_and(|logical| threads > logical) {
        return Err(format!("{threads} are more than the CPUs of that machine: they take turns"));
    }
    let busy = figures.share(found, Metric::Client, Metric::Wall).unwrap_or_default();
    if matches!(found.work, Workload::Load(_)) && busy > BUSY * f64::from(found.case.threads) {
        return Err("the client was the limit: the server can do more".to_owned());
    }
    Ok(per(1e9, cost))
}

/// The unit of rates, and how many of it an iteration is.
fn unit(workload: &Workload) -> (&'static str, f64) {
    match workload {
        Workload::Primitive(primitive) if primitive.algorithm.class().is_sized() => {
            ("MB/s", f64::from(primitive.size) / 1e6)
        }
        Workload::Bulk(bulk) => ("MB/s", f64::from(bulk.buffer) / 1e6),
        _ => ("1/s", 1.0),
    }
}

/// The case without its library.
fn words(case: &Case) -> String {
    let id = case.id();
    id.strip_prefix(case.library.as_str()).unwrap_or(&id).trim_start_matches('/').to_owned()
}
