//! What a workload takes of the machine.

use tlstax_doc::plan::{Plan, Resource};

use super::amount;
use crate::grid::{Grid, Measure};
use crate::model::{Column, Table};
use crate::number;

/// What a machine with a baseline is limited by.
const CREDITS: &str = "credits";

/// What saturates first, and when; none where nothing is limited.
pub(super) fn sentence(plan: &Plan) -> Option<String> {
    // Above the baseline a machine still works, as long as it has credits.
    let is_over = |of: &&Resource| of.times < 1.0 && of.what != CREDITS;
    let first = plan.resources.iter().find(is_over).or_else(|| plan.resources.first())?;
    let (what, times) = (&first.what, number::three_digits(first.times));
    let said = if first.said.is_empty() { String::new() } else { format!(" ({})", first.said) };
    Some(match (first.times < 1.0, what == CREDITS) {
        (true, true) => {
            format!("It takes more than the baseline, which holds {times} times this traffic{said}.")
        }
        (true, false) => format!("It does not fit: {what} holds {times} times this traffic{said}."),
        (false, _) => format!("{} saturates first, at {times} times this traffic{said}.", capitalised(what)),
    })
}

pub(super) fn table(plan: &Plan) -> Option<Table> {
    Grid::new(["resource"], plan.resources.iter().map(|of| ([of.what.clone()], of)))
        .measure(Measure::new(Column::count("used"), |of: &&Resource| used(of)))
        .measure(Measure::new(Column::count("available"), |of: &&Resource| {
            amount::of_resource(of.available, &of.unit)
        }))
        .measure(Measure::new(Column::count("holds this traffic"), |of: &&Resource| {
            format!("{} times", number::three_digits(of.times))
        }))
        .measure(
            Measure::words("to know", |of: &&Resource| (!of.said.is_empty()).then(|| of.said.clone()))
                .where_found(),
        )
        .table("What it takes of the machine, the first to saturate first")
}

/// With the interval; the unit stands once where all have the same.
fn used(of: &Resource) -> String {
    let shown = |value| amount::of_resource(value, &of.unit);
    let value = shown(of.used.value);
    let unit = value.rsplit_once(' ').map_or("", |(_, unit)| unit);
    let bare = |value| {
        shown(value).strip_suffix(unit).map_or_else(|| shown(value), |bare| bare.trim_end().to_owned())
    };
    match of.used.low < of.used.high {
        true => format!("{value} [{}, {}]", bare(of.used.low), bare(of.used.high)),
        false => value,
    }
}

fn capitalised(what: &str) -> String {
    match what {
        "cpu" => "The CPU".to_owned(),
        CREDITS => "The baseline of the credits".to_owned(),
        other => format!("The {other}"),
    }
}
