//! Tables in Markdown.

use super::footnotes::plain;
use super::style::Style;
use crate::model::{Block, Role, Section, Table, View};
use crate::printable::Printable;

pub(super) fn render(view: &View, _: &Style) -> Printable {
    let mut out = format!("# {}\n\n{}\n", escaped(&view.title), escaped(&view.about));
    if !view.legend.is_empty() {
        out += &format!("\n{}\n", escaped(&view.legend));
    }
    for part in &view.sections {
        section(&mut out, part);
    }
    out.into()
}

fn section(out: &mut String, section: &Section) {
    *out += &format!("\n## {}\n", escaped(&section.title));
    if !section.intro.is_empty() {
        *out += &format!("\n{}\n", escaped(&section.intro));
    }
    for block in &section.blocks {
        match block {
            Block::Table(found) => table(out, found),
            // Figures of charts stand in tables; of details, what matters does.
            Block::Chart(_)
            | Block::Marks(_)
            | Block::Picture { .. }
            | Block::Slider(_)
            | Block::Details(_) => {}
            Block::Notes { notes } => {
                *out += "\n";
                for note in notes {
                    let remedy =
                        if note.remedy.is_empty() { String::new() } else { format!(" → {}", note.remedy) };
                    *out +=
                        &format!("- **{:?}**: {}{}\n", note.severity, escaped(&note.what), escaped(&remedy));
                }
            }
        }
    }
    for sentence in &section.sentences {
        *out += &format!("\n> {}\n", escaped(sentence));
    }
}

fn table(out: &mut String, table: &Table) {
    if !table.caption.is_empty() {
        *out += &format!("\n**{}**\n", escaped(&table.caption));
    }
    *out += "\n";
    let cells = plain(table);
    let headings = table.columns.iter().map(|column| format!("{} {}", column.title, column.unit));
    *out += &line(headings.map(|heading| escaped(heading.trim_end())));
    *out += &line(table.columns.iter().map(|column| if column.numeric { "---:" } else { "---" }.to_owned()));
    for (row, shown) in table.rows.iter().zip(&cells.rows) {
        let emphasised = |text: &str| match row.role {
            Role::Plain => escaped(text),
            _ if text.is_empty() => String::new(),
            Role::Ratio | Role::Control => format!("*{}*", escaped(text)),
        };
        let cell = |(text, note): &(String, Option<usize>)| match note {
            Some(note) => format!("{} [{note}]", emphasised(text)),
            None => emphasised(text),
        };
        *out += &line(shown.iter().map(cell));
    }
    for (index, note) in cells.notes.iter().enumerate() {
        *out += &format!("\n[{}] {}\n", index + 1, escaped(note));
    }
}

fn line(cells: impl Iterator<Item = String>) -> String {
    format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
}

/// Text that Markdown must not take for its own marks.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '|' | '*' | '_' | '`' | '<' | '>' | '[' | ']' | '\\' | '#' | '~' => out.extend(['\\', letter]),
            '\n' | '\r' => out.push(' '),
            _ => out.push(letter),
        }
    }
    out
}
