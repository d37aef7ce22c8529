//! Texts of documents are as long as those who wrote them liked; what is shown of each has a limit.

use tlstax_doc::Note;
use tlstax_spec::FlatCase;

use crate::model::{Block, Cell, Chart, Column, Figure, Quantity, Row, Section, Series, Table, View};

/// So many characters of one text are shown: more than any of our own has, and than anybody reads.
const LONGEST: usize = 4000;

/// The same view without what is too long in its texts. Fields are named, so that a new one is not forgotten; where they
/// are not, the others are numbers and words of ours.
pub(crate) fn cut(view: &View) -> View {
    let View { title, about, sections, legend, figures } = view;
    View {
        title: text(title),
        about: text(about),
        sections: sections.iter().map(section).collect(),
        legend: text(legend),
        figures: figures.iter().map(figure).collect(),
    }
}

/// The beginning of a text that is too long, with a mark that says how much there is.
fn text(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} […, {} bytes in all]", &text[..end], text.len()),
        None => text.to_owned(),
    }
}

fn section(section: &Section) -> Section {
    let Section { id, title, intro, blocks, sentences } = section;
    Section {
        id: text(id),
        title: text(title),
        intro: text(intro),
        blocks: blocks.iter().map(block).collect(),
        sentences: sentences.iter().map(|sentence| text(sentence)).collect(),
    }
}

fn block(block: &Block) -> Block {
    match block {
        Block::Table(found) => Block::Table(table(found)),
        Block::Details(found) => Block::Details(table(found)),
        Block::Chart(Chart { title, unit, log, labels, series }) => Block::Chart(Chart {
            title: text(title),
            unit,
            log: *log,
            labels: labels.iter().map(|label| text(label)).collect(),
            series: series.iter().map(bars).collect(),
        }),
        Block::Notes { notes } => Block::Notes { notes: notes.iter().map(note).collect() },
    }
}

fn table(Table { caption, columns, rows }: &Table) -> Table {
    let column = |column: &Column| Column { title: text(&column.title), ..column.clone() };
    let row = |Row { role, cells }: &Row| Row { role: *role, cells: cells.iter().map(cell).collect() };
    Table {
        caption: text(caption),
        columns: columns.iter().map(column).collect(),
        rows: rows.iter().map(row).collect(),
    }
}

fn bars(Series { name, points }: &Series) -> Series {
    Series { name: text(name), points: points.iter().map(cell).collect() }
}

fn note(Note { severity, what, remedy }: &Note) -> Note {
    Note { severity: *severity, what: text(what), remedy: text(remedy) }
}

fn cell(cell: &Cell) -> Cell {
    match cell {
        Cell::Empty => Cell::Empty,
        Cell::Text { text: words } => Cell::text(text(words)),
        Cell::Hole { reason } => Cell::Hole { reason: text(reason) },
        Cell::Quantity(quantity) => {
            Cell::Quantity(Quantity { remark: quantity.remark.as_deref().map(text), ..quantity.clone() })
        }
    }
}

fn figure(figure: &Figure) -> Figure {
    let case = &figure.case;
    Figure {
        run: text(&figure.run),
        id: text(&figure.id),
        case: FlatCase {
            library: text(&case.library),
            kind: text(&case.kind),
            client: case.client.as_deref().map(text),
            ..case.clone()
        },
        hole: text(&figure.hole),
        ..figure.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d22_a_text_that_is_too_long_is_cut_between_letters_and_says_so() {
        assert_eq!(text("short"), "short");
        let long = "µ".repeat(LONGEST + 1);
        let shown = text(&long);
        assert!(shown.ends_with("[…, 8002 bytes in all]"), "{}", &shown[shown.len() - 40..]);
        assert_eq!(text(&long[..2 * LONGEST]), long[..2 * LONGEST]);
    }
}
