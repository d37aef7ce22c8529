//! Tables for a terminal: aligned, as wide as the screen, in colour only where asked. Words are never broken, so that an
//! id can be searched for and copied; a table is never cut into pieces: what does not fit beside the rest is left out, and
//! a line below says so.

use comfy_table::{CellAlignment, LineStyle, Table as Grid, TableStyle};
use tlstax_doc::Severity;

use super::prepared::Prepared;
use super::style::Style;
use crate::model::{Block, Role, Section, Table, View};
use crate::printable::{Emphasis, Printable};
use crate::wrap;

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

struct Page {
    style: Style,
    out: Printable,
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
                Block::Chart(_)
                | Block::Marks(_)
                | Block::Picture { .. }
                | Block::Slider(_)
                | Block::Details(_) => {}
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
        let style = self.style;
        let prepared = Prepared::of(table, style.width, &|text: &str| style.shown(text).to_string());
        self.grid(&prepared);
        for (index, note) in prepared.notes.iter().enumerate() {
            self.wrapped(&format!("[{}] {note}", index + 1), "  ", Emphasis::Faint);
        }
        if let Some(left_out) = prepared.left_out() {
            self.wrapped(&left_out, "  ", Emphasis::Faint);
        }
    }

    fn grid(&mut self, prepared: &Prepared) {
        let mut grid = Grid::new();
        if !prepared.headings.is_empty() {
            grid.set_header(&prepared.headings);
        }
        for (_, cells) in &prepared.rows {
            grid.add_row(cells);
        }
        for (place, column) in prepared.columns.iter().enumerate() {
            if let Some(found) = grid.column_mut(place) {
                found.set_padding((0, 1));
                if column.numeric {
                    found.set_cell_alignment(CellAlignment::Right);
                }
            }
        }
        let fill = if self.style.unicode { '─' } else { '-' };
        grid.load_style(TableStyle::new().header_separator(LineStyle::none().fill(fill).junction(fill)));
        let drawn = grid.to_string();
        // The rule below the headings is as long as the padded rows, and says nothing that could be cut off.
        let is_rule = |line: &str| line.chars().all(|letter| letter == fill);
        let cut = |line: &str| {
            line.trim_end().chars().take(if is_rule(line) { self.style.width } else { usize::MAX }).collect()
        };
        let lines = drawn.lines().map(cut).collect::<Vec<String>>();
        let emphases = prepared.emphases().into_iter().chain(std::iter::repeat(Emphasis::None));
        for (line, emphasis) in lines.iter().zip(emphases) {
            self.line(line, emphasis);
        }
    }

    /// A line of its own, stressed where there are colours. The only way to the output.
    fn line(&mut self, text: &str, emphasis: Emphasis) {
        self.out.push_line(&self.style.shown(text), emphasis, self.style.colour);
    }

    fn blank(&mut self) {
        self.line("", Emphasis::None);
    }

    /// Words in as many lines as they need, the first after `lead`, the others below its end.
    fn wrapped(&mut self, text: &str, lead: &str, emphasis: Emphasis) {
        // Before it is broken, because some letters become longer.
        let words = text.split_whitespace().map(|word| self.style.shown(word).to_string());
        let lines = wrap::lines(words, &self.style.shown(lead), self.style.width);
        lines.iter().for_each(|line| self.line(line, emphasis));
    }
}

impl Prepared {
    /// How each line of the drawn table is stressed: the headings with the rule below them, and then the rows.
    fn emphases(&self) -> Vec<Emphasis> {
        let heading = self.headings.first().map_or(0, |heading| heading.split('\n').count() + 1);
        let of_row = |(role, cells): &(Role, Vec<String>)| {
            let emphasis = match role {
                Role::Ratio => Emphasis::Faint,
                Role::Control => Emphasis::Yellow,
                Role::Plain => Emphasis::None,
            };
            let lines = cells.iter().map(|cell| cell.split('\n').count()).max().unwrap_or(1);
            std::iter::repeat_n(emphasis, lines)
        };
        let rows = self.rows.iter().flat_map(of_row);
        std::iter::repeat_n(Emphasis::Bold, heading).chain(rows).collect()
    }
}
