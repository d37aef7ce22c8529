//! Tables for a terminal: aligned, as wide as the screen, in colour only where asked. Words are never broken, so that an
//! id can be searched for and copied: a table that does not fit is cut into pieces, and what still does not fit is wider.

use comfy_table::{CellAlignment, LineStyle, Table as Grid, TableStyle};
use tlstax_doc::Severity;

use super::footnotes::plain;
use super::style::Style;
use crate::model::{Block, Column, Role, Section, Table, View};
use crate::printable::{Emphasis, Printable};

pub(super) fn render(view: &View, style: &Style) -> Printable {
    let mut page = Page { style: *style, out: Printable::default() };
    page.line(&view.title, Emphasis::Bold);
    page.wrapped(&view.about, "", Emphasis::Faint);
    page.wrapped(&view.legend, "", Emphasis::Faint);
    for part in &view.sections {
        page.section(part);
    }
    page.out
}

/// Headings are not broken to less than this.
const NARROWEST: usize = 6;

/// Cells of words are not broken to less than this.
const NARROWEST_WORDS: usize = 24;

struct Page {
    style: Style,
    out: Printable,
}

/// A table whose cells are text, ready to be cut to width.
struct Prepared<'a> {
    table: &'a Table,
    headings: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Page {
    fn section(&mut self, section: &Section) {
        self.blank();
        self.line(&section.title.to_uppercase(), Emphasis::Bold);
        self.wrapped(&section.intro, "", Emphasis::Faint);
        for block in &section.blocks {
            match block {
                Block::Table(table) => self.table(table),
                // Figures of charts stand in tables; of details, what matters does.
                Block::Chart(_) | Block::Marks(_) | Block::Details(_) => {}
                Block::Notes { notes } => {
                    self.blank();
                    for note in notes {
                        let (mark, colour) = match note.severity {
                            Severity::Info => ("note: ", Emphasis::None),
                            Severity::Warning => ("warning: ", Emphasis::Yellow),
                            Severity::Problem => ("problem: ", Emphasis::Red),
                        };
                        self.wrapped(&format!("{mark}{}", note.what), "  ", colour);
                        self.wrapped(&note.remedy, "    → ", Emphasis::None);
                    }
                }
            }
        }
        if !section.sentences.is_empty() {
            self.blank();
        }
        for sentence in &section.sentences {
            self.wrapped(sentence, "", Emphasis::Green);
        }
    }

    fn table(&mut self, table: &Table) {
        if !self.out.ends_with("\n\n") {
            self.blank();
        }
        self.wrapped(&table.caption, "", Emphasis::Bold);
        let cells = plain(table);
        let shown = |(text, note): &(String, Option<usize>)| match note {
            Some(note) => self.shown(&format!("{text} [{note}]")).to_string(),
            None => self.shown(text).to_string(),
        };
        let rows: Vec<Vec<String>> = cells.rows.iter().map(|row| row.iter().map(shown).collect()).collect();
        let headings = headings(table, &rows).iter().map(|heading| self.heading(heading)).collect();
        let prepared = Prepared { table, headings, rows };
        for (index, columns) in prepared.pages(self.style.width).iter().enumerate() {
            if index > 0 {
                self.blank();
            }
            self.page(&prepared, columns);
        }
        for (index, note) in cells.notes.iter().enumerate() {
            self.wrapped(&format!("[{}] {note}", index + 1), "  ", Emphasis::Faint);
        }
    }

    fn page(&mut self, prepared: &Prepared<'_>, columns: &[usize]) {
        let widths = prepared.grid(columns).column_max_content_widths();
        let fits = total(widths.iter().copied()) <= self.style.width;
        let prepared = if fits { prepared } else { &prepared.broken(columns, &widths, self.style.width) };
        let mut grid = prepared.grid(columns);
        let fill = if self.style.unicode { '─' } else { '-' };
        grid.load_style(TableStyle::new().header_separator(LineStyle::none().fill(fill).junction(fill)));
        let drawn = grid.to_string();
        // The rule below the headings is as long as the padded rows, and says nothing that could be cut off.
        let is_rule = |line: &str| line.chars().all(|letter| letter == fill);
        let cut = |line: &str| {
            line.trim_end().chars().take(if is_rule(line) { self.style.width } else { usize::MAX }).collect()
        };
        let lines = drawn.lines().map(cut).collect::<Vec<String>>();
        // Without wrapping there is one line per row below the heading and its rule.
        let highest = prepared.headings.first().map(|heading| heading.split('\n').count());
        let heading = highest.map_or(0, |highest| highest + 1 - prepared.empty_lines(columns));
        let rows = prepared.filled(columns).map(|row| match prepared.table.rows[row].role {
            Role::Ratio => Emphasis::Faint,
            Role::Control => Emphasis::Yellow,
            Role::Plain => Emphasis::None,
        });
        let colours: Vec<Emphasis> = std::iter::repeat_n(Emphasis::Bold, heading).chain(rows).collect();
        for (index, line) in lines.iter().enumerate() {
            let colour = colours.get(index).copied().filter(|_| fits).unwrap_or(Emphasis::None);
            self.line(line, colour);
        }
    }

    /// A line of its own, stressed where there are colours. The only way to the output.
    fn line(&mut self, text: &str, emphasis: Emphasis) {
        self.out.push_line(&self.shown(text), emphasis, self.style.colour);
    }

    fn blank(&mut self) {
        self.line("", Emphasis::None);
    }

    /// Words in as many lines as they need, the first after `lead`, the others below its end.
    fn wrapped(&mut self, text: &str, lead: &str, emphasis: Emphasis) {
        // Before it is broken, because some letters become longer.
        let lead = self.shown(lead).to_string();
        let indent = lead.chars().count();
        let (mut line, mut length) = (lead, indent);
        for word in text.split_whitespace() {
            let word = self.shown(word);
            let more = word.chars().count();
            if length > indent && (length + 1).saturating_add(more) > self.style.width {
                self.line(&line, emphasis);
                (line, length) = (" ".repeat(indent), indent);
            }
            if length > indent {
                line.push(' ');
                length += 1;
            }
            line += &word;
            length += more;
        }
        if length > indent {
            self.line(&line, emphasis);
        }
    }

    /// The text as it is shown: without control characters, and in ASCII where the screen has no more.
    fn shown(&self, text: &str) -> Printable {
        let line = Printable::line(text);
        if self.style.unicode { line } else { line.in_ascii() }
    }

    fn heading(&self, text: &str) -> String {
        text.split('\n').map(|line| self.shown(line).to_string()).collect::<Vec<_>>().join("\n")
    }
}

impl Prepared<'_> {
    /// The same with the words in some columns broken between words, so that a piece becomes as narrow as it can.
    fn broken(&self, columns: &[usize], widths: &[u16], width: usize) -> Self {
        let is_words = |column: &usize| {
            let column = &self.table.columns[*column];
            !column.label && !column.numeric
        };
        let (words, others): (Vec<_>, Vec<_>) =
            columns.iter().zip(widths).partition(|(column, _)| is_words(column));
        let taken = total(others.into_iter().map(|(_, width)| *width));
        let each = width.saturating_sub(taken) / words.len().max(1);
        let each = each.saturating_sub(2).max(NARROWEST_WORDS);
        let mut rows = self.rows.clone();
        for &(&column, _) in &words {
            rows.iter_mut().for_each(|row| row[column] = broken(&row[column], each).join("\n"));
        }
        Self { table: self.table, headings: self.headings.clone(), rows }
    }

    fn grid(&self, columns: &[usize]) -> Grid {
        let mut grid = Grid::new();
        if !self.headings.is_empty() {
            let empty = self.empty_lines(columns);
            grid.set_header(columns.iter().map(|&column| &self.headings[column][empty..]));
        }
        for row in self.filled(columns) {
            grid.add_row(columns.iter().map(|&column| &self.rows[row][column]));
        }
        for (place, &column) in columns.iter().enumerate() {
            if let Some(found) = grid.column_mut(place) {
                found.set_padding((0, 1));
                if self.table.columns[column].numeric {
                    found.set_cell_alignment(CellAlignment::Right);
                }
            }
        }
        grid
    }

    /// The lines at the top of the headings that only columns of other pieces need.
    fn empty_lines(&self, columns: &[usize]) -> usize {
        let lines = |column: &usize| {
            let heading = &self.headings[*column];
            heading.len() - heading.trim_start_matches('\n').len()
        };
        columns.iter().map(lines).min().unwrap_or(0)
    }

    /// The rows that have something in these columns, beside what names them.
    fn filled(&self, columns: &[usize]) -> impl Iterator<Item = usize> {
        let has = |row: &usize| {
            let told =
                |column: &&usize| self.table.columns[**column].label || self.rows[*row][**column].is_empty();
            columns.iter().any(|column| !told(&column))
        };
        let labels_only = columns.iter().all(|&column| self.table.columns[column].label);
        (0..self.rows.len()).filter(move |row| labels_only || has(row))
    }

    /// The columns of each piece, so that every piece is as wide as the screen at most where that is possible; those
    /// that name the row stand in all of them.
    fn pages(&self, width: usize) -> Vec<Vec<usize>> {
        let all: Vec<usize> = (0..self.table.columns.len()).collect();
        let widths = self.grid(&all).column_max_content_widths();
        let (labels, others): (Vec<usize>, Vec<usize>) =
            all.iter().partition(|&&column| self.table.columns[column].label);
        let of = |columns: &[usize]| total(columns.iter().map(|&column| widths[column]));
        let mut pages: Vec<Vec<usize>> = Vec::new();
        for column in others {
            match pages.last_mut().filter(|page| of(page) + 2 + of(&[column]) <= width) {
                Some(page) => page.push(column),
                None => pages.push(labels.iter().copied().chain([column]).collect()),
            }
        }
        if pages.is_empty() { vec![labels] } else { pages }
    }
}

/// The headings, broken to the width of what stands below them, all as high as the highest, the unit on a line of its own.
/// None where no column has one.
fn headings(table: &Table, rows: &[Vec<String>]) -> Vec<String> {
    let units = table.columns.iter().any(|column| !column.unit.is_empty());
    let broken = |(place, column): (usize, &Column)| {
        let width = rows.iter().map(|row| row[place].chars().count()).max().unwrap_or(0);
        let mut lines = broken(&column.title, width.max(NARROWEST));
        if units {
            lines.push(column.unit.to_owned());
        }
        lines
    };
    let headings: Vec<Vec<String>> = table.columns.iter().enumerate().map(broken).collect();
    let highest = headings.iter().map(Vec::len).max().unwrap_or(0);
    let padded = |mut lines: Vec<String>| {
        // Labels stand at the bottom, above the rows that they name.
        if units && lines.last().is_some_and(String::is_empty) {
            lines.rotate_right(1);
        }
        let missing = highest - lines.len();
        [vec![String::new(); missing], lines].concat().join("\n")
    };
    if table.columns.iter().all(|column| column.title.is_empty()) {
        return Vec::new();
    }
    headings.into_iter().map(padded).collect()
}

/// Words in lines of at most this width, where no word is longer.
fn broken(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The width of columns side by side, with the space between them.
fn total(widths: impl Iterator<Item = u16>) -> usize {
    widths.map(|width| usize::from(width) + 2).sum::<usize>().saturating_sub(2)
}
