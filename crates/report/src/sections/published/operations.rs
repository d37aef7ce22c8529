//! Operations of libraries that were both measured here and published.

use tlstax_doc::Metric;
use tlstax_spec::{Pattern, Primitive};

use super::figures::Published;
use crate::ask::{Item, grouped, libraries};
use crate::grid::{Grid, Measure};
use crate::model::{Block, Chart, Quantity, Table};
use crate::number;
use crate::told::one_each;

/// An operation that was published, and where it was measured here.
type Matched<'a> = (Primitive, Vec<Item<'a, Primitive>>);

/// A table for each operation, and a chart of the one that most machines have; and a sentence on each.
pub(super) fn blocks(
    items: &[Item<'_, Primitive>],
    published: &Published,
    largest: u32,
) -> (Vec<Block>, Vec<String>) {
    let libraries = libraries(items);
    let operations: Vec<Operation> = matched(items, published, largest)
        .iter()
        .map(|matched| Operation::of(published, &libraries, matched, largest))
        .collect();
    let answers = operations.iter().filter_map(Operation::answer).collect();
    let most = operations.iter().max_by_key(|one| one.rates.len());
    let tables = operations.iter().filter_map(Operation::table).map(Block::from);
    (tables.chain(most.and_then(Operation::chart).map(Block::from)).collect(), answers)
}

/// The operations that were both measured here and published, each in the call pattern closest to the published one.
fn matched<'a>(items: &[Item<'a, Primitive>], published: &Published, largest: u32) -> Vec<Matched<'a>> {
    let mut sorted: Vec<Item<'_, Primitive>> = items.to_vec();
    sorted.sort_by_key(|item| (item.work.algorithm, item.work.op, item.work.size));
    sorted.retain(|item| published.operations.iter().any(|line| line.is(item.work, largest)));
    let mut rows = grouped(sorted, |item| Primitive { pattern: Pattern::Tls, ..*item.work });
    for (_, found) in &mut rows {
        found.sort_by_key(|item| item.work.pattern != Pattern::Speed);
    }
    rows
}

/// An operation by the libraries that were measured here, and on the machines of which it was published.
struct Operation {
    title: String,
    unit: &'static str,
    rates: Vec<(String, Rate)>,
}

/// How fast a machine is, or why that is not known.
#[derive(Clone)]
struct Rate {
    rate: Result<Quantity, String>,
    /// The library, where the machine is this one.
    here: Option<String>,
}

impl Operation {
    fn of(published: &Published, libraries: &[&str], (work, found): &Matched<'_>, largest: u32) -> Self {
        let is_sized = work.algorithm.class().is_sized();
        let (unit, size, per_second) = match is_sized {
            true => ("MB/s", number::bytes(work.size.into()), f64::from(work.size) * 1e3),
            false => ("op/s", String::new(), 1e9),
        };
        let here = libraries.iter().filter_map(|library| {
            let item = found.iter().find(|item| item.library() == *library)?;
            let rate = item.cost(Metric::Cpu).map(|cost| Quantity::rate(per_second, &cost, unit));
            Some((format!("this machine, {library}"), Rate { rate, here: Some((*library).to_owned()) }))
        });
        let there = published.machines().into_iter().filter_map(|machine| {
            let line = published.find(machine, work, largest).filter(|line| line.unit == unit)?;
            let rate = Rate { rate: Ok(Quantity::exact(line.value, unit)), here: None };
            Some((format!("{}, {}", machine.0, machine.1), rate))
        });
        let title = format!("{} {} {size}", work.algorithm, work.op).trim_end().to_owned();
        Self { title, unit, rates: here.chain(there).collect() }
    }

    /// Every machine, with what each library here is of each of the others.
    fn table(&self) -> Option<Table> {
        let of_library = |(_, rate): &'_ (String, Rate)| Some((rate.here.clone()?, rate.clone()));
        let libraries: Vec<(String, Rate)> = self.rates.iter().filter_map(of_library).collect();
        let are_several = libraries.len() > 1;
        let heading = |title: &'static str| if are_several { title } else { "" };
        // The unit states what the figures are where no heading does.
        let unit = if are_several { "x as fast" } else { "x as fast here" };
        let factor = |(library, ours): (String, Rate)| {
            let title = if are_several { format!("{library} here is") } else { String::new() };
            Measure::plain(title, heading(unit), move |theirs: &Rate| ours.beside(theirs, unit))
        };
        Grid::new([heading("machine")], self.rows())
            .measure(Measure::quantity(heading("rate"), self.unit, |rate: &Rate| rate.rate.clone()))
            .measures(libraries.into_iter().map(factor))
            .table(format!("{}, {}", self.title, self.unit))
    }

    /// How much faster the fastest library here is than each machine, from the least to the most.
    fn answer(&self) -> Option<String> {
        let value = |rate: &Rate| Some(rate.rate.as_ref().ok()?.value);
        let fastest =
            |(_, rate): &&(String, Rate)| rate.here.as_ref().and_then(|_| value(rate)).unwrap_or(0.0);
        let (_, here) = self.rates.iter().max_by(|a, b| fastest(a).total_cmp(&fastest(b)))?;
        let library = here.here.as_ref()?;
        let beside = |(machine, theirs): &(String, Rate)| {
            Some((machine.clone(), here.beside(theirs, "x").filter(|beside| beside.value > 0.0)?))
        };
        let told = one_each(self.rates.iter().filter_map(beside).collect())?;
        Some(format!("{}: {library} here has {told} the published speed.", self.title))
    }

    fn chart(&self) -> Option<Chart> {
        Grid::new(["machine"], self.rows())
            .measure(Measure::quantity("rate", self.unit, |rate: &Rate| rate.rate.clone()))
            .chart(self.title.clone(), true)
    }

    fn rows(&self) -> impl Iterator<Item = ([String; 1], Rate)> {
        self.rates.iter().map(|(machine, rate)| ([machine.clone()], rate.clone()))
    }
}

impl Rate {
    /// What this rate, of a library here, is of another machine's; nothing for this machine.
    fn beside(&self, theirs: &Self, unit: &'static str) -> Option<Quantity> {
        let (Ok(ours), Ok(other), None) = (&self.rate, &theirs.rate, &theirs.here) else { return None };
        Some(Quantity::exact(ours.value / other.value, unit))
    }
}
