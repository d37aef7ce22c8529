//! How much the machine was disturbed, and what that did to the work.

use tlstax_doc::{Metric, Use};
use tlstax_stats::{Basis, Ratio, median};

use crate::ask::Facts;
use crate::number;

/// For how much of the run nobody disturbed the machine, and what the figures are.
pub(super) fn undisturbed(facts: &Facts<'_>) -> String {
    match facts.summaries.baseline().map(|baseline| &baseline.machine) {
        Some(Some(machine)) => format!(
            "{} of the readings of the reference kernels; figures are what the work costs then, where it was seen",
            number::percent(Ratio(machine.undisturbed))
        ),
        Some(None) => {
            "no two readings of the reference kernels are alike: figures are corrected by them".to_owned()
        }
        None => "unknown, the reference kernels were not read: the figures are raw".to_owned(),
    }
}

/// Cycles of a core in one reading of the latency kernel on x86-64: 25,000 steps of a multiplication (3 cycles on all cores of the
/// last ten years), an exclusive or, and a rotation (`crates/measure/src/reference.rs`, version 1).
const KERNEL_CYCLES: f64 = 125_000.0;

/// The usual clock of the core, and how far it went up and down; none where nothing was read.
pub(super) fn clock(facts: &Facts<'_>) -> Option<String> {
    let machine = facts.summaries.baseline()?.machine.as_ref()?;
    let is_known = facts.results.host.architecture == "x86_64" && facts.results.tool.reference_kernels == 1;
    let frequency =
        is_known.then(|| format!("{:.2} GHz by the latency kernel, ", KERNEL_CYCLES / machine.clock));
    Some(format!(
        "{}±{} from one part of the run to another: times are at its usual clock and that uncertain, ratios and comparisons are at \
         equal clock",
        frequency.unwrap_or_default(),
        number::percent(Ratio(machine.wander))
    ))
}

/// What the machine gave, disturbances and all, beside what it gives undisturbed; none where no figure is of the undisturbed
/// machine.
pub(super) fn as_it_went(facts: &Facts<'_>) -> Option<String> {
    let (factors, count) = factors_as_it_went(facts)?;
    let [least, usual, greatest] = factors.map(number::three_digits);
    Some(format!(
        "work took {usual}x what it costs undisturbed (median of {count} figures; {least} to {greatest}): neighbours, the clock, and what a \
         first call finds cold"
    ))
}

/// What work took as it went, as a multiple of what it costs undisturbed: the least, the usual and the greatest, and of how many
/// figures.
pub(crate) fn factors_as_it_went(facts: &Facts<'_>) -> Option<([f64; 3], usize)> {
    let mut factors: Vec<f64> = facts
        .items(Some)
        .iter()
        .flat_map(|item| Metric::of(item.case, Use::Comparison).filter_map(|metric| item.cost(metric).ok()))
        .filter(|cost| cost.basis == Basis::Undisturbed)
        .map(|cost| cost.as_it_went / cost.value)
        .collect();
    factors.sort_unstable_by(f64::total_cmp);
    let (least, greatest) = (factors.first()?, factors.last()?);
    Some(([*least, median(&factors)?, *greatest], factors.len()))
}
