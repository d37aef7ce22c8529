//! What in-memory results say of terms that no load has.

use std::collections::BTreeMap;

use tlstax_doc::model::{Model, Origin, Term, TermCost};
use tlstax_doc::{Metric, Note, Results, Severity, Summaries};
use tlstax_spec::{
    Authentication, Bulk, Compression, Contexts, Direction, Group, Handshake, Id, Params, Resumption, Suite,
    Workload,
};
use tlstax_stats::median;

use crate::costs::Costs;
use crate::work::base_of;

/// Terms that were brought from memory to the server.
#[derive(Debug, Default)]
pub struct Brought {
    /// With the deviation of each by the ratio that all of them share, which has the sign of the cost.
    pub terms: Vec<(TermCost, f64)>,
    pub note: Option<Note>,
}

/// What a library does in memory costs a server something else than it costs there; no ratio of the two is known better than this.
const LEAST_SPREAD: f64 = 0.1;

/// Of fewer terms that are known in both there is no spread to see, and twice the least is taken.
const FEW: usize = 3;

/// The costs of terms in memory with the cases that they come from.
type Known = BTreeMap<Term, (f64, String)>;

/// The terms that a model lacks and in-memory results have.
pub fn brought(model: &Model, runs: &[&Results]) -> Brought {
    let Some((library, known, ratio)) = library(model, runs) else {
        return missed(runs);
    };
    let costs = Costs::of(model);
    let is_new = |term: &Term| costs.of_term(*term).is_none();
    let bring = |(term, (ns, case)): (&Term, &(f64, String))| {
        let origin = Origin::InMemory { library: library.clone(), case: case.clone() };
        let cost = TermCost { term: *term, ns: ns * ratio.median, origin };
        let deviation = cost.ns * ratio.spread;
        (cost, deviation)
    };
    let terms: Vec<(TermCost, f64)> = known.iter().filter(|(term, _)| is_new(term)).map(bring).collect();
    let what = format!(
        "{} costs come from {library} in memory, times {:.2}: the median of {} terms that are known in both; ±{:.0} %",
        terms.len(),
        ratio.median,
        ratio.of,
        196.0 * ratio.spread
    );
    Brought { terms, note: Some(Note { severity: Severity::Info, what, remedy: String::new() }) }
}

fn missed(runs: &[&Results]) -> Brought {
    let what =
        "the in-memory results have no handshake that was calibrated, too, so nothing was taken from them";
    let remedy =
        "measure the library of the server: tlstax handshake -l openssl --key rsa-2048,ecdsa-p256,rsa-4096";
    let note = || Note { severity: Severity::Warning, what: what.to_owned(), remedy: remedy.to_owned() };
    Brought { terms: Vec::new(), note: (!runs.is_empty()).then(note) }
}

/// The cost on the server as a multiple of that in memory.
struct Ratio {
    median: f64,
    /// Relative to it, as a standard deviation.
    spread: f64,
    /// Of so many terms.
    of: usize,
}

/// The library of the server, if its results are there; or else that whose costs are most like the server's.
fn library(model: &Model, runs: &[&Results]) -> Option<(Id, Known, Ratio)> {
    let mut libraries: Vec<Id> = Vec::new();
    for measurement in runs.iter().flat_map(|run| &run.measurements) {
        if !libraries.contains(&measurement.case.library) {
            libraries.push(measurement.case.library.clone());
        }
    }
    let of = |id: &Id| {
        let known = known(runs, id);
        let ratio = ratio(model, &known)?;
        Some((id.clone(), known, ratio))
    };
    let own = libraries.iter().find(|id| model.library.as_deref() == Some(id.as_str()));
    match own {
        Some(id) => of(id),
        None => libraries
            .iter()
            .filter_map(of)
            .min_by(|(_, _, one), (_, _, other)| one.spread.total_cmp(&other.spread)),
    }
}

/// How the costs of handshakes on the server and in memory compare.
fn ratio(model: &Model, known: &Known) -> Option<Ratio> {
    let costs = Costs::of(model);
    let is_whole = |term: &Term| matches!(term, Term::Handshake { .. } | Term::Resumption { .. });
    let ratios: Vec<f64> = known
        .iter()
        .filter(|(term, _)| is_whole(term))
        .filter_map(|(term, (ns, _))| Some(costs.of_term(*term)? / ns))
        .filter(|ratio| *ratio > 0.0)
        .collect();
    let middle = median(&ratios)?;
    let furthest = ratios.iter().map(|ratio| (ratio / middle).ln().abs()).fold(0.0, f64::max);
    let least = if ratios.len() < FEW { 2.0 * LEAST_SPREAD } else { LEAST_SPREAD };
    Some(Ratio { median: middle, spread: furthest.max(least), of: ratios.len() })
}

/// What terms cost a library in memory.
fn known(runs: &[&Results], library: &Id) -> Known {
    let (mut handshakes, mut bulks) = (Vec::new(), Vec::new());
    for run in runs {
        let summaries = Summaries::of(run);
        for (place, measurement) in run.measurements.iter().enumerate() {
            let case = &measurement.case;
            if case.library != *library || case.threads != 1 {
                continue;
            }
            let Some(cost) = summaries.estimate(place, Metric::Server) else { continue };
            match &case.workload {
                Workload::Handshake(handshake) if is_usual(handshake) => {
                    handshakes.push((*handshake, cost.value, &measurement.id));
                }
                Workload::Bulk(bulk) if is_download(bulk) => bulks.push((*bulk, cost.value, &measurement.id)),
                _ => {}
            }
        }
    }
    let mut known = Known::new();
    handshakes.iter().for_each(|one| add_handshake(&mut known, one, &handshakes));
    bulks.iter().for_each(|one| add_suite(&mut known, one, &bulks));
    known
}

fn is_usual(handshake: &Handshake) -> bool {
    !handshake.mutual && handshake.chain == 2 && handshake.contexts == Contexts::Shared
}

fn is_download(bulk: &Bulk) -> bool {
    bulk.direction == Direction::Download && bulk.compression == Compression::None && bulk.record == 16 << 10
}

type Measured<'r, W> = (W, f64, &'r String);

/// A handshake as a term of its own, or as what it adds to the same with X25519.
fn add_handshake(known: &mut Known, one: &Measured<'_, Handshake>, all: &[Measured<'_, Handshake>]) {
    let (handshake, ns, id) = one;
    let Params { version, suite, group, key } = handshake.params;
    let is_full = handshake.resumption == Resumption::Full;
    let is_base = group == Some(Group::X25519) && base_of(suite) == Suite::Aes128Gcm;
    let mut put = |term, ns: f64| {
        known.entry(term).or_insert_with(|| (ns, (*id).clone()));
    };
    if is_base && is_full {
        put(Term::Handshake { version, key }, *ns);
    } else if is_base {
        put(Term::Resumption { version, way: handshake.resumption }, *ns);
    } else if is_full {
        let beside = |other: &&Measured<'_, Handshake>| {
            let params = other.0.params;
            let is_same =
                (params.version, params.key, other.0.resumption) == (version, key, Resumption::Full);
            is_same && params.group == Some(Group::X25519) && base_of(params.suite) == base_of(suite)
        };
        let term = match group {
            Some(group) if group != Group::X25519 => Term::Group { group },
            None if suite.authentication() == Authentication::Rsa => Term::KeyTransport { key },
            _ => return,
        };
        if let Some((_, base, _)) = all.iter().find(beside) {
            put(term, ns - base);
        }
    }
}

/// What a byte costs more than by AES-128-GCM, with its share of a record of the usual size; what a record costs by itself is not seen in
/// memory.
fn add_suite(known: &mut Known, one: &Measured<'_, Bulk>, all: &[Measured<'_, Bulk>]) {
    let (bulk, ns, id) = one;
    let suite = base_of(bulk.params.suite);
    let beside = |other: &&Measured<'_, Bulk>| {
        let (size, other_size) = ((bulk.write, bulk.buffer), (other.0.write, other.0.buffer));
        size == other_size && base_of(other.0.params.suite) == Suite::Aes128Gcm
    };
    if suite != Suite::Aes128Gcm
        && let Some((_, base, _)) = all.iter().find(beside)
    {
        let per_byte = (ns - base) / f64::from(bulk.buffer);
        known.entry(Term::SuiteByte { suite }).or_insert_with(|| (per_byte, (*id).clone()));
    }
}
