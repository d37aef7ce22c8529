//! Terms that the model has no cost of, with what stands for them.

use tlstax_doc::plan::{Missing, Prediction};

use super::amount;
use crate::grid::{Grid, Measure};
use crate::model::{Quantity, Table};
use crate::number;

/// How much rests on costs of others, and what is left out; none where all is known.
pub(super) fn sentence(now: &Prediction) -> Option<String> {
    let (kin, none): (Vec<&Missing>, Vec<&Missing>) = now.missing.iter().partition(|one| one.kin.is_some());
    let stands = (!kin.is_empty()).then(|| {
        let cores: f64 = kin.iter().map(|one| one.cores).sum();
        format!(
            "{} cores rest on costs of the nearest kin, for want of their own: {}.",
            number::three_digits(cores),
            named(&kin)
        )
    });
    let absent = (!none.is_empty())
        .then(|| format!("Not counted, because nothing near it was calibrated: {}.", named(&none)));
    let said: Vec<String> = stands.into_iter().chain(absent).collect();
    (!said.is_empty()).then(|| said.join(" "))
}

fn named(missing: &[&Missing]) -> String {
    missing.iter().map(|one| one.term.to_string()).collect::<Vec<_>>().join("; ")
}

pub(super) fn table(now: &Prediction) -> Option<Table> {
    Grid::new(["what is done"], now.missing.iter().map(|one| ([one.term.to_string()], one)))
        .measure(Measure::words("what stands for it", |one: &&Missing| {
            one.kin.map_or_else(|| "nothing: it is left out".to_owned(), |kin| kin.to_string())
        }))
        .measure(Measure::quantity("at", "ns", |one: &&Missing| {
            one.kin.map(|_| Quantity::between(one.ns.value, one.ns.low, one.ns.high, "ns"))
        }))
        .measure(Measure::plain("cores", "", |one: &&Missing| Quantity::exact(one.cores, "")))
        .measure(
            Measure::plain("of all", "%", |one: &&Missing| amount::share(one.cores, now.cores.value))
                .ranked(1),
        )
        .table("Costs that the model does not have")
}
