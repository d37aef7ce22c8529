//! [`Grid`]: rows and measures, from which a table and a chart follow.

use super::measure::Measure;
use crate::model::{Cell, Chart, Column, Role, Row, Series, Table};

/// Rows and measures; `N` columns name the row.
pub(crate) struct Grid<'f, R, const N: usize = 1> {
    labels: [&'static str; N],
    rows: Vec<Line<R, N>>,
    measures: Vec<Measure<'f, R>>,
}

struct Line<R, const N: usize> {
    role: Role,
    names: [String; N],
    about: About<R>,
}

enum About<R> {
    /// The measures make the cells.
    Measured(R),
    /// The cells are no measure's: they set other rows in relation.
    Ratios(Vec<Cell>),
}

impl<'f, R: 'f, const N: usize> Grid<'f, R, N> {
    pub fn new(labels: [&'static str; N], rows: impl IntoIterator<Item = ([String; N], R)>) -> Self {
        let mut grid = Self { labels, rows: Vec::new(), measures: Vec::new() };
        rows.into_iter().for_each(|(names, about)| grid.push(Role::Plain, names, About::Measured(about)));
        grid
    }

    pub fn measure(self, measure: Measure<'f, R>) -> Self {
        self.measures([measure])
    }

    /// Several measures, or one that does not always apply.
    pub fn measures(mut self, measures: impl IntoIterator<Item = Measure<'f, R>>) -> Self {
        self.measures.extend(measures);
        self
    }

    /// With a row of what the harness itself costs, where that was measured.
    pub fn control(mut self, names: [&str; N], about: Option<R>) -> Self {
        let about = about.map(About::Measured);
        about.into_iter().for_each(|about| self.push(Role::Control, names.map(str::to_owned), about));
        self
    }

    /// With a row that sets others in relation: its cells from the first measure on.
    pub fn ratio(mut self, names: [&str; N], cells: Vec<Cell>) -> Self {
        self.push(Role::Ratio, names.map(str::to_owned), About::Ratios(cells));
        self
    }

    fn push(&mut self, role: Role, names: [String; N], about: About<R>) {
        self.rows.push(Line { role, names, about });
    }

    /// The rows in which anything stands; none where there is no such row.
    pub fn table(&self, caption: impl Into<String>) -> Option<Table> {
        let cells =
            |line| -> Vec<Cell> { (0..self.measures.len()).map(|place| self.cell(line, place)).collect() };
        let rows = self.rows.iter().map(|line| (line, cells(line)));
        let rows: Vec<_> = rows.filter(|(_, cells)| cells.iter().any(is_there)).collect();
        let is_kept = |place: &usize| {
            !self.measures[*place].is_where_found || rows.iter().any(|(_, cells)| is_there(&cells[*place]))
        };
        let kept: Vec<usize> = (0..self.measures.len()).filter(is_kept).collect();
        let row = |(line, cells): &(&Line<R, N>, Vec<Cell>)| {
            let cells = kept.iter().map(|&place| cells[place].clone());
            Row { role: line.role, cells: line.names.iter().map(Cell::text).chain(cells).collect() }
        };
        let columns = kept.iter().map(|&place| self.measures[place].column.clone());
        (!rows.is_empty()).then(|| Table {
            caption: caption.into(),
            columns: self.labels.map(Column::label).into_iter().chain(columns).collect(),
            rows: rows.iter().map(row).collect(),
        })
    }

    fn cell(&self, line: &Line<R, N>, place: usize) -> Cell {
        match &line.about {
            About::Measured(about) => (self.measures[place].cell)(about),
            About::Ratios(cells) => cells.get(place).cloned().into(),
        }
    }

    /// A group of bars for each row that shows what was measured, a bar in it for each measure; none without rows.
    pub fn chart(&self, title: impl Into<String>, log: bool) -> Option<Chart> {
        let rows: Vec<_> = self.rows.iter().filter(|line| line.role == Role::Plain).collect();
        let series = |(place, measure): (usize, &Measure<'f, R>)| Series {
            name: measure.column.title.clone(),
            points: rows.iter().map(|line| self.cell(line, place)).collect(),
        };
        let unit = self.measures.first()?.column.unit;
        let labels: Vec<String> =
            rows.iter().map(|line| line.names.join(" ").trim_end().to_owned()).collect();
        let series = self.measures.iter().enumerate().map(series).collect();
        (!labels.is_empty()).then(|| Chart { title: title.into(), unit, log, labels, series })
    }
}

/// Whether anything belongs here, be it a figure or the reason why there is none.
pub(super) fn is_there(cell: &Cell) -> bool {
    *cell != Cell::Empty
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_has_is_left_out() {
        let some = |row: &&str| (*row == "a").then_some("yes");
        let grid = Grid::new(["library"], ["a", "b"].map(|row| ([row.to_owned()], row)))
            .measure(Measure::words("none", |_| Cell::Empty).where_found())
            .measure(Measure::words("some", some).where_found())
            .measure(Measure::words("always", |_| Cell::Empty));
        let found = grid.table("caption").expect("one library has something");
        assert_eq!(
            found.columns.iter().map(|column| column.title.as_str()).collect::<Vec<_>>(),
            ["library", "some", "always"]
        );
        assert_eq!(found.rows, [Row::plain(vec![Cell::text("a"), Cell::text("yes"), Cell::Empty])]);
        let grid = Grid::new(["library"], [(["b".to_owned()], "b")]).measure(Measure::words("some", some));
        assert_eq!(grid.table("caption"), None);
    }
}
