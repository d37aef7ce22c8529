//! Scenarios: what changes would do.

mod apply;
mod change;
mod elsewhere;
mod negotiation;

use tlstax_doc::model::{Bounds, Model, Term};
use tlstax_doc::plan::{Missing, Scenario};

use self::apply::apply;
pub use self::apply::{Changed, NoChange};
pub use self::change::{BadChange, Change};
use self::elsewhere::elsewhere;
use crate::configuration::configuration;
use crate::costs::Costs;
use crate::predict::prices::Prices;
use crate::predict::{Works, predict, widest};
use crate::work::{Setup, Work};
use crate::workload::Traffic;

/// What is changed: traffic, the server's set-up, and what things cost it.
#[derive(Debug)]
pub struct Ground<'g> {
    pub traffic: &'g Traffic,
    pub setup: Setup,
    pub costs: &'g Costs<'g>,
    /// Costs of the same by other models, for other libraries.
    pub others: &'g [Costs<'g>],
}

impl Ground<'_> {
    /// Each change alone, and all of them together where they are several.
    ///
    /// # Errors
    /// They contradict each other, or nothing can take one of them.
    pub fn scenarios(&self, changes: &[Change]) -> Result<Vec<Scenario>, NoChange> {
        let together = (changes.len() > 1).then_some(changes);
        let alone = changes.chunks(1);
        // All together first: what contradicts itself is refused before anything is computed.
        let together = together.map(|changes| self.scenario(changes)).transpose()?;
        let mut scenarios = alone.map(|change| self.scenario(change)).collect::<Result<Vec<_>, _>>()?;
        scenarios.extend(together);
        Ok(scenarios)
    }

    /// What some changes would make of it together.
    ///
    /// # Errors
    /// They contradict each other, or nothing can take one of them.
    pub fn scenario(&self, changes: &[Change]) -> Result<Scenario, NoChange> {
        let after = self.changed(changes)?;
        let costs = self.costs_of(changes)?;
        let (old, new) = (Prices::of(self.costs), Prices::of(costs));
        let before = Works::of(self.traffic, self.setup, &old);
        let prediction = predict(&after.traffic, after.setup, costs);
        let mut elsewhere = elsewhere(self.traffic, &after, changes);
        // What is missing already is said of the traffic as it is.
        let known: Vec<(Term, Option<Term>)> =
            old.missing_of(&before.likely).iter().map(|missing| (missing.term, missing.kin)).collect();
        let is_new = |missing: &&Missing| !known.contains(&(missing.term, missing.kin));
        elsewhere.said.extend(prediction.missing.iter().filter(is_new).map(Prices::said));
        Ok(Scenario {
            changes: changes.iter().map(ToString::to_string).collect(),
            more: more(&before, &old, &Works::of(&after.traffic, after.setup, &new), &new),
            elsewhere,
            configuration: configuration(&self.costs.model().server, changes),
            prediction,
        })
    }

    /// Traffic and set-up with changes.
    ///
    /// # Errors
    /// They contradict each other, or nothing can take one of them.
    pub fn changed(&self, changes: &[Change]) -> Result<Changed, NoChange> {
        apply(self.traffic, self.setup, changes)
    }

    fn costs_of(&self, changes: &[Change]) -> Result<&Costs<'_>, NoChange> {
        let wanted = changes.iter().find_map(|change| match change {
            Change::Library(library) => Some((change, library)),
            _ => None,
        });
        let Some((change, library)) = wanted else { return Ok(self.costs) };
        let all = || std::iter::once(self.costs).chain(self.others);
        let exact: Vec<&Costs<'_>> = all().filter(|costs| is_named(costs.model(), library)).collect();
        let fit = match exact.is_empty() {
            true => all().filter(|costs| begins_with(costs.model(), library)).collect(),
            false => exact,
        };
        match fit.as_slice() {
            [one] => Ok(one),
            [] => {
                let known: Vec<&str> = all().map(|costs| name(costs.model())).collect();
                let are = if known.len() == 1 { "is" } else { "are" };
                let known = format!("{are} {}", known.join(", "));
                Err(NoChange::NoModel { change: change.to_string(), known })
            }
            several => {
                let names: Vec<&str> = several.iter().map(|costs| name(costs.model())).collect();
                Err(NoChange::Several { change: change.to_string(), names: names.join(", ") })
            }
        }
    }
}

/// Cores more than now. What both have in common cancels, unless another model says what it costs.
fn more(before: &Works, old: &Prices<'_>, after: &Works, new: &Prices<'_>) -> Bounds {
    let more = |(before, after): (&Work, &Work)| {
        let more = match old.is_same(new) {
            true => new.change(&after.minus(before)),
            false => apart(old.cost(before), new.cost(after)),
        };
        more.scaled(1e-9)
    };
    widest(more((&before.likely, &after.likely)), before.corners.iter().zip(&after.corners).map(more))
}

fn name(model: &Model) -> &str {
    model.library.as_deref().unwrap_or(model.server.as_str())
}

/// Whether a model is of a library.
fn is_named(model: &Model, library: &str) -> bool {
    names(model).any(|name| name == fold(library))
}

/// The same where a part of the number is left out.
fn begins_with(model: &Model, library: &str) -> bool {
    names(model).any(|name| name.starts_with(&fold(library)))
}

/// What the library of a model goes by: its name, and what the id of the server has (`nginx@openssl-3.6`).
fn names(model: &Model) -> impl Iterator<Item = String> {
    let of_server = model.server.as_str().split_once('@').map(|(_, library)| library);
    [model.library.as_deref(), of_server].into_iter().flatten().map(fold)
}

/// Whatever stands between name and number.
fn fold(text: &str) -> String {
    text.to_ascii_lowercase().replace(['-', ' ', '_', '/'], "")
}

/// The difference of two figures that have nothing in common.
fn apart(before: Bounds, after: Bounds) -> Bounds {
    let value = after.value - before.value;
    let down = (after.value - after.low).hypot(before.high - before.value);
    let up = (after.high - after.value).hypot(before.value - before.low);
    Bounds { value, low: value - down, high: value + up }
}

#[cfg(test)]
mod tests;
