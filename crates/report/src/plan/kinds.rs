//! Kinds of connections with what each costs.

use tlstax_doc::plan::{Plan, Row};

use super::{amount, part, pieces};
use crate::grid::{Grid, Measure};
use crate::model::{Block, Quantity, Table};

/// So many kinds have a place in the table that everybody sees.
const LISTED: usize = 12;

pub(super) fn blocks(plan: &Plan) -> Vec<Block> {
    let rows = plan.now.rows.as_slice();
    let (first, others) = rows.split_at(rows.len().min(LISTED));
    let whole = plan.now.cores.value;
    let listed = table(first, whole, "Kinds of connections, the dearest first").map(Block::Table);
    let others = table(others, whole, "The other kinds").map(Block::Details);
    listed.into_iter().chain(others).chain(by_part(rows).map(Block::Details)).collect()
}

fn table(rows: &[Row], whole: f64, caption: &str) -> Option<Table> {
    let rate = |value: f64| Quantity::exact(value, "/s");
    Grid::new(["connections"], rows.iter().map(|row| ([row.kind.clone()], row)))
        .measure(Measure::quantity("cores", "", |row: &&Row| Quantity {
            unit: "",
            ..amount::cores(row.cores)
        }))
        .measure(Measure::plain("of all", "%", move |row: &&Row| amount::share(row.cores.value, whole)))
        .measure(Measure::plain("connections", "/s", move |row: &&Row| rate(row.connections)).ranked(1))
        .measure(
            Measure::plain("resumed", "%", |row: &&Row| amount::share(row.resumed, row.connections))
                .ranked(1),
        )
        .measure(Measure::plain("requests", "/s", move |row: &&Row| rate(row.requests)).ranked(2))
        .table(caption)
}

fn by_part(rows: &[Row]) -> Option<Table> {
    let measure = |meant| {
        let cores = move |row: &&Row| {
            let cores = pieces::cores_of(&row.parts, meant);
            (cores != 0.0).then(|| Quantity::exact(cores, ""))
        };
        Measure::plain(part::title(meant), "", cores).where_found()
    };
    Grid::new(["connections"], rows.iter().map(|row| ([row.kind.clone()], row)))
        .measures(part::ALL.map(measure))
        .table("Cores by kind of connection and by what they are spent on")
}
