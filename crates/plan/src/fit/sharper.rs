//! What would make predictions sharper: loads that were not measured.

use tlstax_doc::model::Model;
use tlstax_spec::{Case, Workload};

use crate::costs::Costs;
use crate::design::{Scope, candidates, usual, work_of};
use crate::work::Work;

/// So many are told.
const MOST: usize = 5;

/// What makes less of a difference is not told.
const LEAST: f64 = 0.005;

/// What a load would be known by, as standard deviation relative to its cost, beside what terms leave unexplained.
const MEASURED: f64 = 0.005;

/// The possible loads that were not measured and would make the intervals of usual workloads narrower, with the share of their width that each
/// takes away, by itself.
pub fn sharper(model: &Model, scope: &Scope, is_possible: fn(&Case) -> bool) -> Vec<(String, f64)> {
    let costs = Costs::of(model);
    let knots = |path, http| costs.knots(path, http);
    let is_known = |work: &Work| costs.missing(work).is_empty();
    let wanted: Vec<(Work, f64)> = usual(scope)
        .iter()
        .map(|load| work_of(load, &knots))
        .filter(is_known)
        .map(|work| (costs.cost(&work).deviation, work))
        .map(|(deviation, work)| (work, deviation))
        .collect();
    let is_new = |case: &Case| !model.fitted.iter().any(|one| one.case == case.id());
    let mut found: Vec<(String, f64)> = candidates(&model.server, &model.regime.client, scope)
        .iter()
        .filter(|case| is_new(case) && is_possible(case))
        .filter_map(|case| Some((case.id(), narrower(&costs, model, &work(case, &knots)?, &wanted))))
        .filter(|(_, share)| *share >= LEAST)
        .collect();
    found.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    found.truncate(MOST);
    found
}

fn work(case: &Case, knots: &dyn Fn(tlstax_doc::model::Path, tlstax_spec::Http) -> Vec<u32>) -> Option<Work> {
    match &case.workload {
        Workload::Load(load) => Some(work_of(load, knots)),
        _ => None,
    }
}

/// By what share the widths of some intervals would shrink in the mean if a load were measured.
fn narrower(costs: &Costs<'_>, model: &Model, load: &Work, wanted: &[(Work, f64)]) -> f64 {
    if !costs.missing(load).is_empty() || wanted.is_empty() {
        return 0.0;
    }
    let own = costs.difference(load);
    let measured = own.ns * MEASURED.hypot(model.unexplained);
    let variance = own.deviation.powi(2) + measured.powi(2);
    let share = |(work, deviation): &(Work, f64)| {
        let less = costs.common(work, load).powi(2) / variance;
        1.0 - (1.0 - less / deviation.powi(2)).max(0.0).sqrt()
    };
    wanted.iter().map(share).sum::<f64>() / wanted.len() as f64
}
