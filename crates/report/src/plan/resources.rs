//! What a workload takes of the machine.

use tlstax_doc::plan::{Plan, Resource};

use super::amount;
use crate::grid::{Grid, Measure};
use crate::model::{Column, Table};
use crate::number;

/// What saturates first, and when; none where nothing is limited.
pub(super) fn sentence(plan: &Plan) -> Option<String> {
    let first = plan.resources.first()?;
    let (what, times) = (&first.what, number::three_digits(first.times));
    let said = if first.said.is_empty() { String::new() } else { format!(" ({})", first.said) };
    Some(match first.times < 1.0 {
        true => format!("It does not fit: {what} holds {times} times this traffic{said}."),
        false => format!("{} saturates first, at {times} times this traffic{said}.", capitalised(what)),
    })
}

pub(super) fn table(plan: &Plan) -> Option<Table> {
    let used = |of: &&Resource| {
        let shown = |value| amount::of_resource(value, &of.unit);
        match of.used.low < of.used.high {
            true => format!("{} [{}, {}]", shown(of.used.value), shown(of.used.low), shown(of.used.high)),
            false => shown(of.used.value),
        }
    };
    Grid::new(["resource"], plan.resources.iter().map(|of| ([of.what.clone()], of)))
        .measure(Measure::new(Column::count("used"), used))
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

fn capitalised(what: &str) -> String {
    match what {
        "cpu" => "The CPU".to_owned(),
        other => format!("The {other}"),
    }
}
