//! [`Cross`]: works and libraries, which can stand either way round.

use super::measure::Measure;
use super::rows::{Grid, is_there};
use crate::model::{Cell, Chart, Column, Table};

/// More libraries than this do not stand across: their columns would not fit beside each other.
const ACROSS: usize = 3;

pub(crate) fn too_many<L>(libraries: &[L]) -> bool {
    libraries.len() > ACROSS
}

/// What was found where a row meets each library, or each work.
type Places<I> = Vec<Option<I>>;

/// What each of several libraries has of several works. Libraries stand across where they are few, and down where they
/// are many.
pub(crate) struct Cross<'f, I> {
    label: &'static str,
    works: Vec<String>,
    libraries: Vec<String>,
    /// By work, then by library.
    found: Vec<Places<I>>,
    each: Vec<Measure<'f, I>>,
    once: Option<Measure<'f, I>>,
    control: Option<(String, I)>,
}

impl<'f, I: Clone + 'f> Cross<'f, I> {
    /// Works with their names, under a heading, and what `find` finds of them by library.
    pub fn new<W>(
        label: &'static str,
        works: impl IntoIterator<Item = ([String; 1], W)>,
        libraries: &[&str],
        find: impl Fn(&str, &W) -> Option<I>,
    ) -> Self {
        let of_work = |([name], work): ([String; 1], W)| {
            (name, libraries.iter().map(|library| find(library, &work)).collect())
        };
        let (works, found) = works.into_iter().map(of_work).unzip();
        let libraries = libraries.iter().map(|library| (*library).to_owned()).collect();
        Self { label, works, libraries, found, each: Vec::new(), once: None, control: None }
    }

    /// With a measure of each work by each library; `{}` in its title becomes the name of what stands across.
    pub fn measure(mut self, measure: Measure<'f, I>) -> Self {
        self.each.push(measure);
        self
    }

    /// With a measure that is the same for all libraries: a column, or a row where libraries stand down.
    pub fn once(self, measure: Measure<'f, I>) -> Self {
        Self { once: Some(measure), ..self }
    }

    /// With a row of what the harness itself costs, where that was measured.
    pub fn control(self, name: &str, control: Option<I>) -> Self {
        Self { control: control.map(|control| (name.to_owned(), control)), ..self }
    }

    pub fn table(&self, caption: impl Into<String>) -> Option<Table> {
        match too_many(&self.libraries) {
            true => self.by_library(caption),
            false => self.by_work(self.once.as_ref()).table(caption),
        }
    }

    /// Libraries down, works across, without those that have nothing.
    pub fn by_library(&self, caption: impl Into<String>) -> Option<Table> {
        let places = |library: usize| self.found.iter().map(|found| found[library].clone()).collect();
        let rows = self.libraries.iter().enumerate().map(|(place, name)| ([name.clone()], places(place)));
        let each = |(place, name): (usize, &String)| self.across(place, name);
        let works = self.works.iter().enumerate().flat_map(each).map(Measure::where_found);
        let mut grid = Grid::new(["library"], rows).measures(works);
        if let Some(once) = &self.once {
            let none = || std::iter::repeat_n(Cell::Empty, self.each.len() - 1);
            let of_work = |found| std::iter::once(first(once, found)).chain(none());
            grid = grid.ratio([&once.column.title], self.found.iter().flat_map(of_work).collect());
        }
        self.with_control(grid, self.works.len()).table(caption)
    }

    /// A group of bars for each work, a bar in it for each library and measure.
    pub fn chart(&self, title: impl Into<String>, log: bool) -> Option<Chart> {
        self.by_work(None).chart(title, log)
    }

    /// Works down, libraries across.
    fn by_work(&self, once: Option<&Measure<'f, I>>) -> Grid<'f, Places<I>> {
        let rows = self.works.iter().zip(&self.found).map(|(name, found)| ([name.clone()], found.clone()));
        let each = |(place, name): (usize, &String)| self.across(place, name);
        let once =
            once.cloned().map(|once| Measure::new(once.column.clone(), move |found| first(&once, found)));
        let grid = Grid::new([self.label], rows);
        let grid = grid.measures(self.libraries.iter().enumerate().flat_map(each)).measures(once);
        self.with_control(grid, self.libraries.len())
    }

    /// The measures of what stands at one place across, under its name.
    fn across(&self, place: usize, name: &str) -> Vec<Measure<'f, Places<I>>> {
        let at_place = |(nth, measure): (usize, &Measure<'f, I>)| {
            // What comes second of each matters less than what comes first of all.
            let rank = measure.column.rank.max(u8::try_from(nth).unwrap_or(u8::MAX));
            let title = measure.column.title.replace("{}", name);
            let column = Column { title, rank, ..measure.column.clone() };
            let is_where_found = measure.is_where_found;
            let measure = measure.clone();
            let cell = move |row: &Places<I>| row[place].as_ref().map(&*measure.cell);
            Measure { is_where_found, ..Measure::new(column, cell) }
        };
        self.each.iter().enumerate().map(at_place).collect()
    }

    fn with_control(&self, grid: Grid<'f, Places<I>>, places: usize) -> Grid<'f, Places<I>> {
        let Some((name, control)) = &self.control else { return grid };
        grid.control([name], Some(vec![Some(control.clone()); places]))
    }
}

/// The cell of a measure for the first in which it finds anything.
fn first<I>(measure: &Measure<'_, I>, found: &Places<I>) -> Cell {
    found.iter().flatten().map(&*measure.cell).find(is_there).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Role;

    fn titles(table: &Table) -> Vec<&str> {
        table.columns.iter().map(|column| column.title.as_str()).collect()
    }

    fn texts(table: &Table) -> Vec<Vec<String>> {
        let text = |cell: &Cell| match cell {
            Cell::Text { text } => text.clone(),
            Cell::Empty => String::new(),
            other => unreachable!("{other:?}"),
        };
        table.rows.iter().map(|row| row.cells.iter().map(text).collect()).collect()
    }

    fn cross<'f>(libraries: &[&str]) -> Cross<'f, String> {
        let works = ["x", "y"].map(|work| ([work.to_owned()], work));
        // The second library has not done the second work.
        let find =
            |library: &str, work: &&str| (library != "b" || *work == "x").then(|| format!("{library}{work}"));
        Cross::new("work", works, libraries, find)
            .measure(Measure::words("{} sends", |item: &String| format!("s{item}")))
            .measure(Measure::words("{} receives", |item: &String| format!("r{item}")))
            .once(Measure::words("overhead", |item: &String| item[1..].to_owned()))
            .control("control", Some("c-".to_owned()))
    }

    #[test]
    fn few_libraries_stand_across() {
        let table = cross(&["a", "b"]).table("caption").expect("there are figures");
        assert_eq!(titles(&table), ["work", "a sends", "a receives", "b sends", "b receives", "overhead"]);
        let rows = [
            ["x", "sax", "rax", "sbx", "rbx", "x"],
            ["y", "say", "ray", "", "", "y"],
            ["control", "sc-", "rc-", "sc-", "rc-", "-"],
        ];
        assert_eq!(texts(&table), rows);
        assert_eq!(table.rows[2].role, Role::Control);
    }

    #[test]
    fn many_libraries_stand_down() {
        let table = cross(&["a", "b", "c", "d"]).table("caption").expect("there are figures");
        assert_eq!(titles(&table), ["library", "x sends", "x receives", "y sends", "y receives"]);
        let found = texts(&table);
        assert_eq!(found[1], ["b", "sbx", "rbx", "", ""]);
        assert_eq!(found[4..], [["overhead", "x", "", "y", ""], ["control", "sc-", "rc-", "sc-", "rc-"]]);
        assert_eq!((table.rows[4].role, table.rows[5].role), (Role::Ratio, Role::Control));
    }

    #[test]
    fn a_chart_has_the_figures_of_the_table_whichever_way_it_is_turned() {
        let (few, many) =
            (cross(&["a", "b"]).chart("title", true), cross(&["a", "b", "c", "d"]).chart("title", true));
        let [few, many] = [few, many].map(|chart| chart.expect("there are figures"));
        assert_eq!((&few.labels, few.series.len(), many.series.len()), (&many.labels, 4, 8));
        assert_eq!(few.series[3].name, "b receives");
        assert_eq!(few.series[3].points, [Cell::text("rbx"), Cell::Empty]);
        assert_eq!(few.series[..], many.series[..4]);
    }
}
