//! The transfers of many libraries: libraries down, transfers across.

use tlstax_spec::Bulk;

use super::{Found, ends, find, largest_control, overhead, per_gigabyte, works};
use crate::ask::Facts;
use crate::label::Labels;
use crate::model::{Cell, Column, Role, Row, Table};
use crate::sections::side_by_side;

pub(super) fn table(
    facts: &Facts<'_>,
    items: &[Found<'_>],
    labels: &Labels<Bulk>,
    libraries: &[&str],
) -> Option<Table> {
    let works = works(items);
    let columns = works.iter().flat_map(|like| {
        ["sends", "receives"].map(|end| Column::quantity(format!("{} {end}", labels.name(like)), "s/GB"))
    });
    let both = |item: Option<Found<'_>>| match item {
        Some(item) => {
            let (sends, receives) = ends(item.work);
            [sends, receives].map(|metric| per_gigabyte(facts, &item, metric))
        }
        None => [Cell::Empty, Cell::Empty],
    };
    let cells = |library: &str| works.iter().flat_map(|like| both(find(items, library, like))).collect();
    let caption = labels.caption("Application data");
    let mut table = side_by_side::table(caption, libraries, columns.collect(), cells)?;
    let on_the_wire = |like: &Found<'_>| {
        let mut alike = libraries.iter().filter_map(|library| find(items, library, like));
        [Cell::maybe(alike.find_map(|item| overhead(&item))), Cell::Empty]
    };
    let named = |name: &str, cells: Vec<Cell>| std::iter::once(Cell::text(name)).chain(cells).collect();
    let overheads = works.iter().flat_map(on_the_wire).collect();
    table.rows.push(Row { role: Role::Ratio, cells: named("overhead", overheads) });
    if let Some(control) = largest_control(facts, items) {
        let cells = works.iter().flat_map(|_| both(Some(control))).collect();
        table.rows.push(Row { role: Role::Control, cells: named("control, the largest", cells) });
    }
    Some(table)
}
