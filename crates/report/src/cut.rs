//! Texts of documents are as long as those who wrote them liked; what is shown of each has a limit.

use tlstax_doc::Note;
use tlstax_spec::FlatCase;

use crate::model::{
    Block, Cell, Chart, ClaimFigure, CostFigure, Figure, Section, Series, Table, TrafficFigure, View,
};

/// So many characters of one text are shown: more than any of our own has, and than anybody reads.
const LONGEST: usize = 4000;

/// The same view without what is too long in its texts. Fields are named, so that a new one is not forgotten; where they
/// are not, the others are numbers and words of ours.
pub(crate) fn cut(view: &View) -> View {
    let mut view = view.clone();
    let View { title, about, sections, legend, figures, claims, shares: _, traffic, costs } = &mut view;
    [title, about, legend].into_iter().for_each(shorten);
    sections.iter_mut().for_each(section);
    figures.iter_mut().for_each(figure);
    claims.iter_mut().for_each(claim);
    traffic.iter_mut().for_each(|TrafficFigure { workload, name, .. }| {
        [workload, name].into_iter().for_each(shorten);
    });
    costs.iter_mut().for_each(|CostFigure { at, name, unit, remark, .. }| {
        [at, name, unit, remark].into_iter().for_each(shorten);
    });
    view
}

/// Leaves the beginning of a text that is too long, with a mark of how much there was.
fn shorten(text: &mut String) {
    if let Some((end, _)) = text.char_indices().nth(LONGEST) {
        *text = format!("{} […, {} bytes in all]", &text[..end], text.len());
    }
}

fn section(Section { id, title, intro, blocks, sentences, answers }: &mut Section) {
    [id, title, intro].into_iter().chain(sentences).chain(answers).for_each(shorten);
    blocks.iter_mut().for_each(block);
}

fn block(block: &mut Block) {
    match block {
        Block::Table(Table { caption, columns, rows }) | Block::Details(Table { caption, columns, rows }) => {
            shorten(caption);
            columns.iter_mut().for_each(|column| shorten(&mut column.title));
            rows.iter_mut().flat_map(|row| &mut row.cells).for_each(cell);
        }
        Block::Chart(chart) | Block::Marks(chart) => {
            let Chart { title, unit: _, log: _, labels, series } = chart;
            let (names, points): (Vec<_>, Vec<_>) =
                series.iter_mut().map(|Series { name, points }| (name, points)).unzip();
            std::iter::once(title).chain(labels).chain(names).for_each(shorten);
            points.into_iter().flatten().for_each(cell);
        }
        Block::Picture { title, svg: _ } => shorten(title),
        // Its terms have words of ours.
        Block::Slider(slider) => shorten(&mut slider.title),
        Block::Notes { notes } => {
            notes.iter_mut().flat_map(|Note { severity: _, what, remedy }| [what, remedy]).for_each(shorten);
        }
    }
}

fn cell(cell: &mut Cell) {
    match cell {
        Cell::Empty => {}
        Cell::Text { text } => shorten(text),
        Cell::Hole { reason } => shorten(reason),
        Cell::Quantity(quantity) => quantity.remark.iter_mut().for_each(shorten),
    }
}

fn figure(Figure { run, id, case, hole, .. }: &mut Figure) {
    let FlatCase { library, kind, client, .. } = case;
    [run, id, library, kind, hole].into_iter().chain(client).for_each(shorten);
}

fn claim(ClaimFigure { claim, source, words, why, machine, of, .. }: &mut ClaimFigure) {
    [claim, source, words, why, machine, of].into_iter().for_each(shorten);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d22_a_text_that_is_too_long_is_cut_between_letters_and_says_so() {
        let text = |text: &str| {
            let mut text = text.to_owned();
            shorten(&mut text);
            text
        };
        assert_eq!(text("short"), "short");
        let long = "µ".repeat(LONGEST + 1);
        let shown = text(&long);
        assert!(shown.ends_with("[…, 8002 bytes in all]"), "{}", &shown[shown.len() - 40..]);
        assert_eq!(text(&long[..2 * LONGEST]), long[..2 * LONGEST]);
    }
}
