//! The answer of a plan, in sentences.

use tlstax_doc::plan::{Part, Plan};

use super::{amount, missing, part, pieces, resources};
use crate::checked;
use crate::number;

/// Parts of less than this share are not named.
const NAMED: f64 = 0.01;

/// What it needs, how that fills the machine, what of it is TLS, by what traffic, and how sure that is.
pub(super) fn sentences(plan: &Plan) -> Vec<String> {
    let said = [
        Some(needs(plan)),
        tls(plan),
        resources::sentence(plan),
        Some(traffic(plan)),
        missing::sentence(&plan.now),
        checked::said(&plan.checked),
    ];
    said.into_iter().flatten().collect()
}

fn needs(plan: &Plan) -> String {
    let (now, basis) = (&plan.now, &plan.basis);
    let parts = parts(plan);
    let parts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
    format!(
        "This traffic needs {} of {} on {}{parts}.",
        amount::said(now.cores, "cores"),
        basis.server,
        basis.machine
    )
}

/// The parts with their shares, the largest first.
fn parts(plan: &Plan) -> Vec<String> {
    let whole = plan.now.cores.value;
    let share = |meant: &Part| (pieces::cores_of(&plan.now.parts, *meant) / whole, *meant);
    let mut shares: Vec<(f64, Part)> =
        part::ALL.iter().map(share).filter(|(share, _)| *share >= NAMED).collect();
    shares.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    shares
        .into_iter()
        .map(|(share, meant)| format!("{} {}", number::whole_percent(share, 1.0), part::title(meant)))
        .collect()
}

/// What of it would not be there without TLS, and how much of the machine all of it takes.
fn tls(plan: &Plan) -> Option<String> {
    let whole = plan.now.cores.value;
    let tls = pieces::of_tls(&plan.now.parts);
    let cpus = f64::from(plan.basis.cpus);
    let machine = (cpus > 0.0).then(|| {
        format!("It fills {} of {} CPUs", number::whole_percent(whole, cpus.max(whole)), plan.basis.cpus)
    });
    let machine = machine.filter(|_| whole <= cpus);
    let share = (tls > 0.0 && whole > 0.0).then(|| {
        format!("{} cores of it, {}, are TLS", number::three_digits(tls), number::whole_percent(tls, whole))
    });
    let said: Vec<String> = machine.into_iter().chain(share).collect();
    (!said.is_empty()).then(|| format!("{}.", said.join("; ")))
}

fn traffic(plan: &Plan) -> String {
    let (basis, now) = (&plan.basis, &plan.now);
    format!(
        "The traffic ({}): {} requests/s on {} new connections/s{}, of which {} resume, and {} of bodies.",
        basis.rate,
        amount::rate(basis.requests),
        amount::rate(basis.connections.value),
        amount::ends(basis.connections),
        number::whole_percent(now.resumed_share, 1.0),
        amount::bits(basis.bytes)
    )
}
