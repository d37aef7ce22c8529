//! Other resumed shares and other rates: in sentences, and as what a page computes them from.

use tlstax_doc::model::Term;
use tlstax_doc::plan::{Plan, Prediction};

use super::amount;
use crate::model::{Slider, SliderTerm};

/// What the terms add up to may differ by this from the cores of the plan, which were added up in another order.
const TOLERANCE: f64 = 1e-6;

/// None where the terms do not add up to what the plan says: a page must not say anything else than the program.
pub(super) fn slider(plan: &Plan) -> Option<Slider> {
    let now = &plan.now;
    let terms: Vec<SliderTerm> = now.costs.iter().map(|(term, ns)| of_term(now, *term, *ns)).collect();
    let sums = [
        (now.cores.value, sum(&terms, |term| term.now)),
        (now.if_full.value, sum(&terms, |term| term.full)),
        (now.if_resumed.value, sum(&terms, |term| term.resumed)),
    ];
    let agrees = |(said, summed): &(f64, f64)| (said - summed).abs() <= TOLERANCE * said.abs().max(1e-3);
    (!terms.is_empty() && sums.iter().all(agrees) && (0.0..=1.0).contains(&now.resumed_share)).then(|| {
        Slider {
            title: "Cores at another resumed share and another rate".to_owned(),
            cpus: plan.basis.cpus,
            share: now.resumed_share,
            now: amount::cores(now.cores),
            full: amount::cores(now.if_full),
            resumed: amount::cores(now.if_resumed),
            terms,
        }
    })
}

fn of_term(now: &Prediction, term: Term, ns: f64) -> SliderTerm {
    let times =
        |work: &[(Term, f64)]| work.iter().filter(|(of, _)| *of == term).map(|(_, times)| times).sum();
    SliderTerm {
        name: term.to_string(),
        ns,
        now: times(&now.work),
        full: times(&now.full),
        resumed: times(&now.resumed),
    }
}

/// Cores of some work, as the page adds them up.
fn sum(terms: &[SliderTerm], times: fn(&SliderTerm) -> f64) -> f64 {
    terms.iter().map(|term| term.ns * times(term)).sum::<f64>() / 1e9
}

/// What no and all resumption would make of it; none where that makes no difference.
pub(super) fn sentence(now: &Prediction) -> Option<String> {
    (now.if_full.value > now.if_resumed.value).then(|| {
        format!(
            "If no session were resumed it would need {}, if all were {}.",
            amount::said(now.if_full, "cores"),
            amount::said(now.if_resumed, "cores")
        )
    })
}
