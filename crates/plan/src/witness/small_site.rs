//! What a model says of the traffic of the small site that claims are about.

use tlstax_doc::model::{Bounds, Term};

use crate::costs::Costs;
use crate::demand::{Demand, Exact};
use crate::explain::explain;
use crate::work::{Setup, Work, work};

/// What encryption adds to bodies, as a multiple of what handshakes cost, resumptions among them.
pub fn bulk_to_handshakes(demands: &[Demand], costs: &Costs<'_>) -> Result<Bounds, String> {
    let of = |is_tls: bool| {
        let mut all = Work::default();
        for demand in demands.iter().filter(|demand| demand.tls.is_some()) {
            let exact = demand.likely();
            let exact = Exact { tls: exact.tls.filter(|_| is_tls), ..exact };
            all.extend(&work(&exact, Setup::of(costs.model()), &|path, http| costs.knots(path, http)));
        }
        all
    };
    let (tls, plain) = (of(true), of(false));
    let bulk = select(&tls, is_bulk).minus(&select(&plain, is_bulk));
    let handshakes = select(&tls, is_handshake);
    known(&[&bulk, &handshakes], costs)?;
    costs.ratio(&bulk, &handshakes).ok_or_else(|| "the model has no cost of its handshakes".to_owned())
}

/// What the change of suites adds to the CPU time before, in percent of it.
pub fn of_longer_key(before: &[Demand], after: &[Demand], costs: &Costs<'_>) -> Result<Bounds, String> {
    let found =
        explain(before, after, costs, Setup::of(costs.model()), None).map_err(|error| error.to_string())?;
    if let Some(missing) = found.missing.first() {
        return Err(missing.clone());
    }
    let suite = found.parts.iter().find(|part| part.what == "suite");
    let Bounds { value, low, high } = suite.ok_or("the traffic does not change its suites")?.of_before;
    Ok(Bounds { value: value * 100.0, low: low * 100.0, high: high * 100.0 })
}

const fn is_handshake(term: Term) -> bool {
    use Term::{Group, Handshake, KeyTransport, Resumption};
    matches!(term, Handshake { .. } | Resumption { .. } | Group { .. } | KeyTransport { .. })
}

const fn is_bulk(term: Term) -> bool {
    use Term::{Body, Record, SuiteByte, SuiteRecord};
    matches!(term, Body { .. } | Record | SuiteByte { .. } | SuiteRecord { .. })
}

fn select(work: &Work, wanted: fn(Term) -> bool) -> Work {
    work.iter().filter(|(term, _)| wanted(*term)).collect()
}

fn known(works: &[&Work], costs: &Costs<'_>) -> Result<(), String> {
    match works.iter().flat_map(|work| costs.missing(work)).next() {
        None => Ok(()),
        Some((term, _)) => Err(format!("the model has no cost of: {term}")),
    }
}
