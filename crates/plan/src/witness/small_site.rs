//! What a model says of the traffic of the small site that claims are about.

use tlstax_doc::model::{Bounds, Term};
use tlstax_spec::Http;

use crate::costs::Costs;
use crate::demand::{Demand, Exact};
use crate::explain::explain;
use crate::predict::prices::Prices;
use crate::work::{Setup, Work, is_bulk, is_handshake};

/// What encryption adds to bodies, as a multiple of what handshakes cost, resumptions among them.
pub fn bulk_to_handshakes(demands: &[Demand], costs: &Costs<'_>) -> Result<Bounds, String> {
    let prices = Prices::of(costs);
    let of = |is_tls: bool| {
        let mut all = Work::default();
        for demand in demands.iter().filter(|demand| demand.tls.is_some()) {
            let exact = demand.likely();
            // Without TLS no browser speaks HTTP/2.
            let exact = if is_tls { exact } else { Exact { tls: None, http: Http::Http1, ..exact } };
            all.extend(&prices.work(&exact, Setup::of(costs.model())));
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

fn select(work: &Work, wanted: fn(Term) -> bool) -> Work {
    work.iter().filter(|(term, _)| wanted(*term)).collect()
}

fn known(works: &[&Work], costs: &Costs<'_>) -> Result<(), String> {
    match works.iter().flat_map(|work| costs.missing(work)).next() {
        None => Ok(()),
        Some((term, _)) => Err(format!("the model has no cost of: {term}")),
    }
}
