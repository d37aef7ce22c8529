//! Many libraries side by side: they stand down the side, and what they do across, so that every format can break the
//! table into blocks that still hold all of them.

use crate::model::{Cell, Column, Row, Table};

/// More libraries than this do not stand across.
const ACROSS: usize = 3;

/// Whether there are too many libraries for columns of their own.
pub(super) fn too_many(libraries: &[&str]) -> bool {
    libraries.len() > ACROSS
}

/// A row for each library; columns in which no library has anything are left out, and so are such rows.
pub(super) fn table<'n>(
    caption: String,
    libraries: &[&'n str],
    columns: Vec<Column>,
    cells: impl Fn(&'n str) -> Vec<Cell>,
) -> Option<Table> {
    let rows: Vec<(&str, Vec<Cell>)> = libraries.iter().map(|library| (*library, cells(library))).collect();
    let used: Vec<bool> = (0..columns.len())
        .map(|column| {
            rows.iter().any(|(_, cells)| cells.get(column).is_some_and(|cell| *cell != Cell::Empty))
        })
        .collect();
    let kept = |place: usize| used.get(place).copied().unwrap_or_default();
    let row = |(library, cells): (&str, Vec<Cell>)| {
        let told = cells.iter().any(|cell| *cell != Cell::Empty);
        let cells = cells.into_iter().enumerate().filter(|(place, _)| kept(*place)).map(|(_, cell)| cell);
        told.then(|| Row::plain(std::iter::once(Cell::text(library)).chain(cells).collect()))
    };
    let rows: Vec<Row> = rows.into_iter().filter_map(row).collect();
    let columns = columns.into_iter().enumerate().filter(|(place, _)| kept(*place)).map(|(_, column)| column);
    (!rows.is_empty()).then(|| Table {
        caption,
        columns: std::iter::once(Column::label("library")).chain(columns).collect(),
        rows,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_has_is_left_out() {
        let columns = ["none", "some"].map(Column::words).into();
        let cells = |library: &str| match library {
            "a" => vec![Cell::Empty, Cell::text("yes")],
            _ => vec![Cell::Empty, Cell::Empty],
        };
        let found = table(String::new(), &["a", "b"], columns, cells).expect("one library has something");
        let titles: Vec<&str> = found.columns.iter().map(|column| column.title.as_str()).collect();
        assert_eq!(titles, ["library", "some"]);
        assert_eq!(found.rows, [Row::plain(vec![Cell::text("a"), Cell::text("yes")])]);
        assert_eq!(table(String::new(), &["b"], vec![Column::words("none")], cells), None);
    }
}
