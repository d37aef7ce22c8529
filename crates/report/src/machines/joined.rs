//! The same cases of several machines.

use std::collections::BTreeMap;

use tlstax_doc::LibraryKind;

use crate::ask::{Facts, Item, distinct};
use crate::grid::{Grid, Measure};
use crate::model::{Quantity, Table};

/// One run, under the name of its column.
#[derive(Clone, Copy)]
pub(super) struct Machine<'a> {
    pub name: &'a str,
    pub facts: &'a Facts<'a>,
}

/// A figure of a case: the word that tells it from others of the same case, its unit, and how it is made.
pub(super) type Figure<T> = (&'static str, &'static str, fn(&Item<'_, T>) -> Result<Quantity, String>);

/// The cases of one kind of workload, by machine.
pub(super) struct Joined<'a, T> {
    pub machines: Vec<(&'a str, Vec<Item<'a, T>>)>,
}

impl<'a, T: PartialEq> Joined<'a, T> {
    /// Those that `is_wanted`, without the library that does no crypto.
    pub fn of(
        machines: &[Machine<'a>],
        items: fn(&'a Facts<'a>) -> Vec<Item<'a, T>>,
        is_wanted: impl Fn(&Item<'a, T>) -> bool,
    ) -> Self {
        let of_machine = |machine: &Machine<'a>| {
            let mut items = items(machine.facts);
            items.retain(|item| !item.is_control() && is_wanted(item));
            (machine.name, items)
        };
        Self { machines: machines.iter().map(of_machine).collect() }
    }

    /// Each case that more than one machine has, once.
    pub fn shared(&self) -> Vec<Item<'a, T>> {
        let all = self.machines.iter().flat_map(|(_, items)| items).copied();
        let mut shared = distinct(all, |item| (item.library(), item.case.threads, item.work));
        shared
            .retain(|item| self.machines.iter().filter(|(_, items)| same(items, item).is_some()).count() > 1);
        shared
    }

    /// A row for each of these cases, and for each figure a column for each machine.
    pub fn table(
        &self,
        rows: impl IntoIterator<Item = (String, Item<'a, T>)>,
        figures: &[Figure<T>],
        caption: impl Into<String>,
    ) -> Option<Table> {
        let rows = rows.into_iter().map(|(name, item)| ([item.library().to_owned(), name], item));
        let columns =
            figures.iter().flat_map(|figure| self.machines.iter().map(move |machine| (figure, machine)));
        let measure =
            |(&(title, unit, figure), (name, items)): (&Figure<T>, &(&'a str, Vec<Item<'a, T>>))| {
                let title = format!("{name} {title}").trim_end().to_owned();
                let items = items.clone();
                Measure::quantity(title, unit, move |row: &Item<'a, T>| {
                    same(&items, row).map(|item| figure(&item))
                })
                .where_found()
            };
        Grid::new(["library", ""], rows).measures(columns.map(measure)).table(caption)
    }
}

/// The case of one machine that is the same as another's.
fn same<'a, T: PartialEq>(items: &[Item<'a, T>], like: &Item<'_, T>) -> Option<Item<'a, T>> {
    like.by(like.library(), items)
}

/// How many cases one of the runs has and no other.
pub(super) fn alone(machines: &[Machine<'_>]) -> usize {
    let mut runs: BTreeMap<&str, usize> = BTreeMap::new();
    for machine in machines {
        let results = machine.facts.results;
        let own = results.measurements.iter();
        let own = own.filter(|one| results.kind(&one.case.library) != LibraryKind::Control);
        own.for_each(|measurement| *runs.entry(&measurement.id).or_default() += 1);
    }
    runs.values().filter(|count| **count == 1).count()
}
