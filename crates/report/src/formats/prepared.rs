//! [`Prepared`]: a table whose cells are text, with as many of its columns as the screen has room for.

use super::footnotes::plain;
use crate::model::{Column, Role, Row, Table};
use crate::wrap;

/// Headings are not broken to less than this.
const NARROWEST: usize = 6;

/// Cells of words are not broken to less than this.
const NARROWEST_WORDS: usize = 24;

pub(super) struct Prepared {
    pub columns: Vec<Column>,
    /// One for each column, all of as many lines; none where no column has a title.
    pub headings: Vec<String>,
    pub rows: Vec<(Role, Vec<String>)>,
    /// What cells refer to by their numbers.
    pub notes: Vec<String>,
    /// The columns that there was no room for, by name.
    missing: Vec<String>,
    /// The width of the screen that has room for all of them.
    whole: usize,
}

impl Prepared {
    /// Whole where the screen is wide enough. Otherwise cells of words are broken between words, and then columns go:
    /// those that matter least first, and of those that matter alike the last. Those that name the row stay, and one more.
    pub fn of(table: &Table, width: usize, shown: &dyn Fn(&str) -> String) -> Self {
        let all = Self::whole(table, shown);
        let kept = all.fitting(width);
        let mut prepared = match kept.len() == all.columns.len() {
            true => all,
            false => Self {
                missing: all
                    .columns
                    .iter()
                    .enumerate()
                    .filter(|(place, _)| !kept.contains(place))
                    .map(name)
                    .collect(),
                whole: total(&all.least()),
                // The notes of columns that are not there are not numbered.
                ..Self::whole(&narrowed(table, &kept), shown)
            },
        };
        prepared.break_words(width);
        prepared
    }

    fn whole(table: &Table, shown: &dyn Fn(&str) -> String) -> Self {
        let cells = plain(table);
        let cell = |(text, note): &(String, Option<usize>)| match note {
            Some(note) => shown(&format!("{text} [{note}]")),
            None => shown(text),
        };
        let rows: Vec<Vec<String>> = cells.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
        let shown_lines = |heading: &String| heading.split('\n').map(shown).collect::<Vec<_>>().join("\n");
        Self {
            headings: headings(&table.columns, &rows).iter().map(shown_lines).collect(),
            columns: table.columns.clone(),
            rows: table.rows.iter().map(|row| row.role).zip(rows).collect(),
            notes: cells.notes,
            missing: Vec::new(),
            whole: 0,
        }
    }

    /// Which columns are missing and how to see them; none where none is.
    pub fn left_out(&self) -> Option<String> {
        let (missing, whole) = (self.missing.join(", "), self.whole);
        (!missing.is_empty()).then(|| {
            format!("left out for want of width: {missing}; the whole table takes {whole} columns: a wider terminal, or a pipe into less -S")
        })
    }

    /// The columns that fit beside each other.
    fn fitting(&self, width: usize) -> Vec<usize> {
        let least = self.least();
        let mut kept: Vec<usize> = (0..self.columns.len()).collect();
        loop {
            let taken = total(&kept.iter().map(|&place| least[place]).collect::<Vec<_>>());
            let others: Vec<usize> =
                kept.iter().copied().filter(|&place| !self.columns[place].label).collect();
            let Some(&out) = others.iter().max_by_key(|&&place| (self.columns[place].rank, place)) else {
                return kept;
            };
            if taken <= width || others.len() == 1 {
                return kept;
            }
            kept.retain(|&place| place != out);
        }
    }

    /// How wide each column is while nothing is broken.
    fn widths(&self) -> Vec<usize> {
        let width = |place: usize| {
            let cells = self.rows.iter().map(|(_, cells)| &cells[place]).chain(self.headings.get(place));
            cells.flat_map(|cell| cell.split('\n')).map(wrap::columns).max().unwrap_or(0)
        };
        (0..self.columns.len()).map(width).collect()
    }

    /// How narrow each column can be.
    fn least(&self) -> Vec<usize> {
        let least = |(place, width): (usize, usize)| match self.is_of_words(place) {
            true => self.longest_word(place).max(width.min(NARROWEST_WORDS)),
            false => width,
        };
        self.widths().into_iter().enumerate().map(least).collect()
    }

    /// Whether a column has cells that can be broken: words that do not name the row.
    fn is_of_words(&self, place: usize) -> bool {
        !self.columns[place].label && !self.columns[place].numeric
    }

    fn longest_word(&self, place: usize) -> usize {
        let words = self.rows.iter().flat_map(|(_, cells)| cells[place].split(' '));
        words.map(wrap::columns).max().unwrap_or(0)
    }

    /// Breaks the words of cells to the width that is left for them, where they take more.
    fn break_words(&mut self, width: usize) {
        let widths = self.widths();
        let (words, others): (Vec<usize>, Vec<usize>) =
            (0..self.columns.len()).partition(|&place| self.is_of_words(place));
        let taken = total(&others.iter().map(|&place| widths[place]).collect::<Vec<_>>());
        let room = width.saturating_sub(taken);
        if total(&widths) <= width {
            return;
        }
        let fits =
            |each: &usize| words.iter().map(|&place| widths[place].min(*each) + 2).sum::<usize>() <= room;
        let widest = words.iter().map(|&place| widths[place]).max().unwrap_or(0);
        let each = (NARROWEST_WORDS..=widest).rev().find(fits).unwrap_or(NARROWEST_WORDS);
        for (_, cells) in &mut self.rows {
            words.iter().for_each(|&place| cells[place] = broken(&cells[place], each).join("\n"));
        }
    }
}

/// What a column is called where it is missing.
fn name((_, column): (usize, &Column)) -> String {
    if column.title.is_empty() { column.unit.to_owned() } else { column.title.clone() }
}

/// The same table with these columns alone.
fn narrowed(table: &Table, kept: &[usize]) -> Table {
    let row = |row: &Row| Row {
        role: row.role,
        cells: kept.iter().map(|&place| row.cells[place].clone()).collect(),
    };
    Table {
        caption: table.caption.clone(),
        columns: kept.iter().map(|&place| table.columns[place].clone()).collect(),
        rows: table.rows.iter().map(row).collect(),
    }
}

/// The headings, broken to the width of what stands below them, all as high as the highest, the unit on a line of its own.
/// None where no column has one.
fn headings(columns: &[Column], rows: &[Vec<String>]) -> Vec<String> {
    let units = columns.iter().any(|column| !column.unit.is_empty());
    let heading = |(place, column): (usize, &Column)| {
        let width = rows.iter().map(|row| wrap::columns(&row[place])).max().unwrap_or(0);
        let mut lines = broken(&column.title, width.max(NARROWEST));
        if units {
            lines.push(column.unit.to_owned());
        }
        lines
    };
    let headings: Vec<Vec<String>> = columns.iter().enumerate().map(heading).collect();
    let highest = headings.iter().map(Vec::len).max().unwrap_or(0);
    let padded = |mut lines: Vec<String>| {
        // Labels stand at the bottom, above the rows that they name.
        if units && lines.last().is_some_and(String::is_empty) {
            lines.rotate_right(1);
        }
        let missing = highest - lines.len();
        [vec![String::new(); missing], lines].concat().join("\n")
    };
    if columns.iter().all(|column| column.title.is_empty()) {
        return Vec::new();
    }
    headings.into_iter().map(padded).collect()
}

/// Words in lines of at most this width, where no word is longer.
fn broken(text: &str, width: usize) -> Vec<String> {
    wrap::lines(text.split(' ').map(str::to_owned), "", width)
}

/// The width of columns side by side, with the space between them.
fn total(widths: &[usize]) -> usize {
    widths.iter().map(|width| width + 2).sum::<usize>().saturating_sub(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Cell, Quantity};

    /// A label, numbers of these ranks with a footnote each, and words.
    fn table(ranks: &[u8]) -> Table {
        let numbers = ranks.iter().zip(["first", "second", "third"]);
        let columns = numbers.map(|(&rank, title)| Column { rank, ..Column::plain(title, "µs") });
        let remarked = |place: usize| Quantity::exact(100.0, "µs").remarked(format!("note {place}"));
        let cells = (0..ranks.len()).map(|place| Cell::Quantity(remarked(place)));
        Table {
            caption: String::new(),
            columns: std::iter::once(Column::label("name"))
                .chain(columns)
                .chain([Column::words("why")])
                .collect(),
            rows: vec![Row::plain(
                [Cell::text("a-row-with-a-name")]
                    .into_iter()
                    .chain(cells)
                    .chain(["it is so and so"].map(Cell::text))
                    .collect(),
            )],
        }
    }

    fn titles(prepared: &Prepared) -> Vec<&str> {
        prepared.columns.iter().map(|column| column.title.as_str()).collect()
    }

    fn prepared(table: &Table, width: usize) -> Prepared {
        Prepared::of(table, width, &|text| text.to_owned())
    }

    #[test]
    fn what_fits_is_whole_and_what_matters_least_goes_first() {
        let table = table(&[0, 2, 1]);
        // 17 of the label, three times 2 + 7, and 2 + 15 of words.
        let all = prepared(&table, 61);
        assert_eq!(titles(&all), ["name", "first", "second", "third", "why"]);
        assert_eq!(all.left_out(), None);
        for (width, kept) in [
            (60, &["name", "first", "third", "why"][..]),
            (52, &["name", "first", "third", "why"]),
            (51, &["name", "first", "why"]),
            (42, &["name", "first"]),
            (3, &["name", "first"]),
        ] {
            assert_eq!(titles(&prepared(&table, width)), kept, "{width}");
        }
    }

    #[test]
    fn what_is_left_out_is_named_and_its_footnotes_go_with_it() {
        let narrow = prepared(&table(&[0, 2, 1]), 52);
        let said = narrow.left_out().expect("a column is missing");
        assert!(said.contains("for want of width: second; the whole table takes 61 columns"), "{said}");
        assert_eq!(narrow.notes, ["note 0", "note 2"]);
        assert_eq!(narrow.rows[0].1[1..3], ["100 [1]", "100 [2]"]);
    }

    #[test]
    fn of_columns_that_matter_alike_the_last_goes() {
        assert_eq!(titles(&prepared(&table(&[0, 0, 0]), 60)), ["name", "first", "second", "third"]);
    }

    #[test]
    fn words_are_broken_before_a_column_goes() {
        let mut words = table(&[0]);
        words.rows[0].cells[2] = Cell::text("as many words as do not fit into one line of the table");
        let narrow = prepared(&words, 60);
        assert_eq!(titles(&narrow), ["name", "first", "why"]);
        assert_eq!(narrow.rows[0].1[2], "as many words as do not fit into\none line of the table");
        assert_eq!(titles(&prepared(&words, 51)), ["name", "first"]);
    }
}
