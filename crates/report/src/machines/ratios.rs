//! What was set in relation within each run: these figures of different machines may be compared.

use tlstax_doc::Metric;
use tlstax_spec::{Load, Pattern};

use super::joined::Machine;
use crate::ask::{Facts, Item, libraries, of_library};
use crate::grid::{Grid, Measure};
use crate::label::{LOAD, Labels};
use crate::loads::{Pair, pairs};
use crate::model::{Quantity, Section, Table};
use crate::number;
use crate::sections::primitives::PAIRS;

const INTRO: &str = "Each ratio is of one run, with the interval that it has there.";

pub(super) fn section(machines: &[Machine<'_>]) -> Option<Section> {
    let tables = [ciphers(machines), https(machines)];
    let tables: Vec<Table> = tables.into_iter().flatten().collect();
    (!tables.is_empty()).then(|| Section::new("ratios", "Ratios within each run", INTRO).with(tables))
}

/// Algorithms that people choose between, at the largest messages that all machines have.
fn ciphers(machines: &[Machine<'_>]) -> Option<Table> {
    let sizes = |machine: &Machine<'_>| -> Vec<u32> {
        machine.facts.primitives().iter().map(|item| item.work.size).collect()
    };
    let (first, others) = machines.split_first()?;
    let in_all = |size: &u32| others.iter().all(|machine| sizes(machine).contains(size));
    let size = sizes(first).into_iter().filter(in_all).max().filter(|size| *size > 0)?;
    let percent = |facts: &Facts<'_>, library: &str, name: &str| -> Option<Quantity> {
        let own = of_library(&facts.primitives(), library);
        let pair = PAIRS.iter().find(|pair| pair.name == name)?;
        Pattern::ALL.iter().find_map(|pattern| pair.percent(&own, size, *pattern))
    };
    let libraries = libraries(&first.facts.primitives());
    let rows = libraries.iter().flat_map(|library| PAIRS.iter().map(move |pair| (*library, pair.name)));
    let is_shared = |(library, pair): &(&str, &str)| {
        machines.iter().filter(|machine| percent(machine.facts, library, pair).is_some()).count() > 1
    };
    let rows = rows.filter(is_shared).map(|row| ([row.0.to_owned(), row.1.to_owned()], row));
    let columns = machines.iter().map(|machine| {
        let cell = |(library, pair): &(&str, &str)| percent(machine.facts, library, pair);
        Measure::quantity(machine.name, "%", cell)
    });
    Grid::new(["library", "throughput of"], rows)
        .measures(columns)
        .table(format!("Throughput in percent of another's, messages of {}", number::bytes(size.into())))
}

/// HTTPS as a multiple of HTTP, in the server's CPU time.
fn https(machines: &[Machine<'_>]) -> Option<Table> {
    let loads: Vec<Vec<Item<'_, Load>>> = machines.iter().map(|machine| machine.facts.loads()).collect();
    let pairs: Vec<Vec<Pair<'_>>> = loads.iter().map(|loads| pairs(loads)).collect();
    let times = |pairs: &[Pair<'_>], like: &Item<'_, Load>| {
        let is_it = |pair: &&Pair<'_>| {
            let https = pair.https;
            https.library() == like.library()
                && https.work == like.work
                && https.case.threads == like.case.threads
        };
        let pair = pairs.iter().find(is_it)?;
        pair.https.times(&pair.http, Metric::Server)
    };
    let is_shared =
        |like: &Item<'_, Load>| pairs.iter().filter(|pairs| times(pairs, like).is_some()).count() > 1;
    let secure: Vec<Item<'_, Load>> =
        pairs.first()?.iter().map(|pair| pair.https).filter(is_shared).collect();
    let labels = Labels::of(LOAD, &secure);
    let columns = machines.iter().zip(&pairs).map(|(machine, pairs)| {
        Measure::quantity(machine.name, "x", |like: &Item<'_, Load>| times(pairs, like))
    });
    let rows = secure.iter().map(|item| ([item.library().to_owned(), labels.name(item)], *item));
    Grid::new(["server", "HTTPS"], rows)
        .measures(columns)
        .table(labels.caption("The server's CPU time of HTTPS as a multiple of HTTP's"))
}
