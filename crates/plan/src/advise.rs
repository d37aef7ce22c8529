//! What to change: every single change that keeps a floor, and the best set of them.

mod candidates;
mod floor;

use tlstax_doc::plan::Scenario;

use self::candidates::{candidates, is_setting};
pub use self::floor::Floor;
use crate::what_if::{Change, Ground};

/// The best set of settings, where it is more than one of them, and after it each change alone, that which saves most first.
pub fn advise(ground: &Ground<'_>, floor: &Floor) -> Vec<Scenario> {
    let mut single: Vec<(Change, Scenario)> = candidates(ground, floor)
        .into_iter()
        .filter_map(|change| Some((change.clone(), of(ground, floor, std::slice::from_ref(&change))?)))
        .collect();
    single.sort_by(|(_, one), (_, other)| one.more.value.total_cmp(&other.more.value));
    let best = best(ground, floor, &single);
    best.into_iter().chain(single.into_iter().map(|(_, scenario)| scenario)).collect()
}

fn of(ground: &Ground<'_>, floor: &Floor, changes: &[Change]) -> Option<Scenario> {
    let keeps = ground.changed(changes).is_ok_and(|after| floor.is_kept(ground.traffic, &after));
    keeps.then(|| ground.scenario(changes).ok()).flatten()
}

/// Takes what saves most, then what saves most beside it, for as long as it saves anything.
fn best(ground: &Ground<'_>, floor: &Floor, single: &[(Change, Scenario)]) -> Option<Scenario> {
    let mut set: Vec<Change> = Vec::new();
    let mut best: Option<Scenario> = None;
    for (change, _) in
        single.iter().filter(|(change, alone)| is_setting(change, ground.traffic) && alone.more.value < 0.0)
    {
        let with = [set.as_slice(), std::slice::from_ref(change)].concat();
        let Some(scenario) = of(ground, floor, &with) else { continue };
        let so_far = best.as_ref().map_or(0.0, |best| best.more.value);
        if scenario.more.value < so_far {
            set = with;
            best = Some(scenario);
        }
    }
    best.filter(|_| set.len() > 1)
}

#[cfg(test)]
mod tests;
