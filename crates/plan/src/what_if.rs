//! Scenarios: what changes would do.

mod apply;
mod change;
mod elsewhere;
mod negotiation;

use tlstax_doc::model::{Bounds, Model};
use tlstax_doc::plan::Scenario;

use self::apply::apply;
pub use self::apply::{Changed, NoChange};
pub use self::change::{BadChange, Change};
use self::elsewhere::elsewhere;
use crate::configuration::configuration;
use crate::costs::Costs;
use crate::predict::prices::Prices;
use crate::predict::{Works, predict};
use crate::work::Setup;
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
        Ok(Scenario {
            changes: changes.iter().map(ToString::to_string).collect(),
            more: self.more(&after, costs),
            elsewhere: elsewhere(self.traffic, &after, changes),
            configuration: configuration(&self.costs.model().server, changes),
            prediction: predict(&after.traffic, after.setup, costs),
        })
    }

    /// Traffic and set-up with changes.
    ///
    /// # Errors
    /// They contradict each other, or nothing can take one of them.
    pub fn changed(&self, changes: &[Change]) -> Result<Changed, NoChange> {
        apply(self.traffic, self.setup, changes)
    }

    /// Cores more than now. What both have in common cancels, unless another model says what it costs.
    fn more(&self, after: &Changed, costs: &Costs<'_>) -> Bounds {
        let (old, new) = (Prices::of(self.costs), Prices::of(costs));
        let before = Works::of(self.traffic, self.setup, &old);
        let after = Works::of(&after.traffic, after.setup, &new);
        let pairs = [
            (&before.likely, &after.likely),
            (&before.cheapest, &after.cheapest),
            (&before.dearest, &after.dearest),
        ];
        let [likely, cheapest, dearest] = pairs.map(|(before, after)| {
            let more = if std::ptr::eq(self.costs, costs) {
                new.change(&after.minus(before))
            } else {
                apart(old.cost(before), new.cost(after))
            };
            more.scaled(1e-9)
        });
        Bounds {
            value: likely.value,
            low: likely.low.min(cheapest.low).min(dearest.low),
            high: likely.high.max(cheapest.high).max(dearest.high),
        }
    }

    fn costs_of(&self, changes: &[Change]) -> Result<&Costs<'_>, NoChange> {
        let wanted = changes.iter().find_map(|change| match change {
            Change::Library(library) => Some((change, library)),
            _ => None,
        });
        let Some((change, library)) = wanted else { return Ok(self.costs) };
        let all = || std::iter::once(self.costs).chain(self.others);
        all().find(|costs| is_of(costs.model(), library)).ok_or_else(|| {
            let known: Vec<&str> = all().map(|costs| name(costs.model())).collect();
            let known = if known.len() == 1 {
                format!("is {}", known[0])
            } else {
                format!("are {}", known.join(", "))
            };
            NoChange::NoModel { change: change.to_string(), known }
        })
    }
}

fn name(model: &Model) -> &str {
    model.library.as_deref().unwrap_or(model.server.as_str())
}

/// Whether a model is of a library: by its name, or by the id of the server (`nginx@openssl-3.6`), whatever stands between name and
/// number.
fn is_of(model: &Model, library: &str) -> bool {
    let fold = |text: &str| text.to_ascii_lowercase().replace(['-', ' ', '_', '/'], "");
    let wanted = fold(library);
    let names = [model.library.as_deref(), model.server.as_str().split_once('@').map(|(_, library)| library)];
    names.into_iter().flatten().any(|name| fold(name).starts_with(&wanted))
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
