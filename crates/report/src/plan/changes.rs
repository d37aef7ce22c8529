//! What changes would do: here, elsewhere, and how to make them.

use tlstax_doc::plan::{Plan, Scenario};

use super::amount;
use crate::grid::{Grid, Measure};
use crate::model::{Quantity, Table};
use crate::number;

/// So many changes have a sentence.
const SAID: usize = 5;

/// Less than this is nothing, of bytes and of round trips.
const HALF_A_BYTE: f64 = 0.5;
const HARDLY_A_TRIP: f64 = 0.001;

/// A change as it was asked for: its parts together.
pub(super) fn name(scenario: &Scenario) -> String {
    if scenario.changes.is_empty() { "nothing changed".to_owned() } else { scenario.changes.join(" ") }
}

/// What each change does, in sentences.
pub(super) fn sentences(plan: &Plan) -> Vec<String> {
    let now = plan.now.cores.value;
    let more = plan.scenarios.len().saturating_sub(SAID);
    let others = (more > 0).then(|| format!("{more} more changes stand in the table."));
    plan.scenarios.iter().take(SAID).map(|scenario| sentence(scenario, now)).chain(others).collect()
}

fn sentence(scenario: &Scenario, now: f64) -> String {
    let (name, more) = (name(scenario), scenario.more);
    let ends = |low: f64, high: f64| {
        if low < high {
            format!(" [{}, {}]", number::three_digits(low), number::three_digits(high))
        } else {
            String::new()
        }
    };
    if more.low == 0.0 && more.high == 0.0 {
        return format!("{name} changes nothing of this traffic.");
    }
    let elsewhere = elsewhere(scenario).map_or(String::new(), |said| format!("; elsewhere: {said}"));
    if more.low <= 0.0 && more.high >= 0.0 {
        return format!(
            "{name} makes no difference that can be told: {} cores{} more{elsewhere}.",
            number::three_digits(more.value),
            ends(more.low, more.high)
        );
    }
    let (does, value, low, high) = match more.value < 0.0 {
        true => ("saves", -more.value, -more.high, -more.low),
        false => ("costs", more.value, more.low, more.high),
    };
    let share = amount::share(value, now).map_or(String::new(), |share| format!(", {:.0} %", share.value));
    let after = number::three_digits(scenario.prediction.cores.value);
    format!(
        "{name} {does} {} cores{}{share}: {after} remain{elsewhere}.",
        number::three_digits(value),
        ends(low, high)
    )
}

pub(super) fn table(plan: &Plan) -> Option<Table> {
    let now = plan.now.cores.value;
    let cores = |bounds| Quantity { unit: "", ..amount::cores(bounds) };
    Grid::new(["change"], plan.scenarios.iter().map(|scenario| ([name(scenario)], scenario)))
        .measure(Measure::quantity("cores more", "", move |of: &&Scenario| cores(of.more)))
        .measure(Measure::plain("of now", "%", move |of: &&Scenario| amount::share(of.more.value, now)))
        .measure(Measure::quantity("cores then", "", move |of: &&Scenario| cores(of.prediction.cores)).ranked(1))
        .measure(Measure::words("elsewhere", |of: &&Scenario| elsewhere(of)).where_found())
        .table("What changes would do; what both have in common cancels, so that differences are sharper than cores")
}

/// What it does to others than the CPU; none where it does nothing.
fn elsewhere(scenario: &Scenario) -> Option<String> {
    let found = &scenario.elsewhere;
    let bytes = (found.bytes_per_connection.abs() >= HALF_A_BYTE)
        .then(|| format!("{} a connection", signed(found.bytes_per_connection, "bytes")));
    let trips = (found.round_trips.abs() >= HARDLY_A_TRIP)
        .then(|| format!("{} before the first byte", signed(found.round_trips, "round trips")));
    let said: Vec<String> = bytes.into_iter().chain(trips).chain(found.said.iter().cloned()).collect();
    (!said.is_empty()).then(|| said.join("; "))
}

fn signed(value: f64, what: &str) -> String {
    let more = if value < 0.0 { "fewer" } else { "more" };
    format!("{} {more} {what}", number::three_digits(value.abs()))
}

/// The lines of the configuration, a row each.
pub(super) fn configuration(plan: &Plan) -> Option<Table> {
    let lines = |scenario: &Scenario| -> Vec<([String; 1], String)> {
        let named = std::iter::once(name(scenario)).chain(std::iter::repeat(String::new()));
        named.zip(&scenario.configuration).map(|(name, line)| ([name], line.clone())).collect()
    };
    Grid::new(["change"], plan.scenarios.iter().flat_map(lines))
        .measure(Measure::words("lines of the configuration", String::clone))
        .table("How to make them")
}
