//! A [`Tree`] as SVG.

use tlstax_doc::Cost;

use super::tree::Tree;
use crate::formats::escaped;

/// Of the picture, in its own units; it is scaled to the page.
const WIDTH: f64 = 1200.0;
const ROW: f64 = 17.0;
/// What is narrower is not drawn: a third of a pixel says nothing.
const NARROWEST: f64 = 0.3;
/// Of a letter of 11 units in the font below.
const LETTER: f64 = 6.7;
/// Deeper stacks are cut: more than that cannot be looked at.
const DEEPEST: usize = 120;

struct Bar<'t> {
    tree: &'t Tree,
    left: f64,
    width: f64,
    depth: usize,
}

/// The outermost functions are at the bottom.
pub fn svg(tree: &Tree) -> String {
    let bars = bars(tree);
    let deepest = bars.iter().map(|bar| bar.depth).max().unwrap_or(0);
    let legend = legend(tree);
    let legend_rows = legend.len().div_ceil(LEGEND_COLUMNS);
    let height = (deepest + 2 + legend_rows) as f64 * ROW;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         aria-label=\"Flame graph\" font-family=\"ui-monospace, monospace\" font-size=\"11\">\n"
    );
    for bar in &bars {
        draw(&mut out, bar, (deepest - bar.depth) as f64 * ROW, tree.weight);
    }
    for (place, (cost, weight)) in legend.iter().enumerate() {
        let (column, row) = (place % LEGEND_COLUMNS, place / LEGEND_COLUMNS);
        let (x, y) = (column as f64 * WIDTH / LEGEND_COLUMNS as f64, (deepest + 2 + row) as f64 * ROW);
        out += &format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"12\" height=\"12\" fill=\"{}\"/><text x=\"{}\" y=\"{}\" fill=\"currentColor\">{} \
             {:.1} %</text>\n",
            colour(Some(*cost)),
            x + 17.0,
            y + 10.0,
            cost.title(),
            percent(*weight, tree.weight)
        );
    }
    out + "</svg>\n"
}

/// Of the legend below the picture.
const LEGEND_COLUMNS: usize = 4;

fn legend(tree: &Tree) -> Vec<(Cost, u64)> {
    tree.costs()
}

fn bars(tree: &Tree) -> Vec<Bar<'_>> {
    let mut bars = Vec::new();
    let mut left_to_do = vec![Bar { tree, left: 0.0, width: WIDTH, depth: 0 }];
    while let Some(bar) = left_to_do.pop() {
        let mut left = bar.left;
        for child in bar.tree.children.values() {
            let width = bar.width * child.weight as f64 / bar.tree.weight.max(1) as f64;
            if width >= NARROWEST && bar.depth < DEEPEST {
                left_to_do.push(Bar { tree: child, left, width, depth: bar.depth + 1 });
            }
            left += width;
        }
        bars.push(bar);
    }
    bars
}

fn draw(out: &mut String, bar: &Bar<'_>, top: f64, whole: u64) {
    let Bar { tree, left, width, .. } = bar;
    let room = ((width - 4.0) / LETTER).max(0.0) as usize;
    let name = match tree.name.chars().count() {
        _ if room < 3 => String::new(),
        length if length <= room => tree.name.clone(),
        _ => tree.name.chars().take(room - 2).collect::<String>() + "..",
    };
    let costs = tree.costs().into_iter().take(4);
    let costs: Vec<String> =
        costs.map(|(cost, weight)| format!("{} {:.2} %", cost.title(), percent(weight, whole))).collect();
    *out += &format!(
        "<g><title>{}: {:.2} % of all ({})</title><rect x=\"{left:.2}\" y=\"{top}\" width=\"{:.2}\" height=\"{}\" fill=\"{}\"/>",
        escaped(&tree.name),
        percent(tree.weight, whole),
        escaped(&costs.join(", ")),
        (width - 0.3).max(0.2),
        ROW - 1.0,
        colour(tree.cost())
    );
    if !name.is_empty() {
        *out += &format!(
            "<text x=\"{:.2}\" y=\"{}\" fill=\"#111\">{}</text>",
            left + 2.0,
            top + 12.0,
            escaped(&name)
        );
    }
    *out += "</g>\n";
}

fn percent(weight: u64, whole: u64) -> f64 {
    weight as f64 / whole.max(1) as f64 * 100.0
}

/// Dark text is readable on all of them.
fn colour(cost: Option<Cost>) -> &'static str {
    match cost {
        None => "#d9d9d9",
        Some(Cost::Signature) => "#f4756b",
        Some(Cost::Verification) => "#f7a29b",
        Some(Cost::KeyExchange) => "#f5a35c",
        Some(Cost::KeySchedule) => "#c9a3e6",
        Some(Cost::Certificate) => "#d6b088",
        Some(Cost::Session) => "#e3cf9a",
        Some(Cost::RecordCipher) => "#6fb1ec",
        Some(Cost::RecordCopy) => "#a8d1f5",
        Some(Cost::Random) => "#e5a5c9",
        Some(Cost::Protocol) => "#7fd0c4",
        Some(Cost::Provider) => "#f2dc5d",
        Some(Cost::Locks) => "#ead98b",
        Some(Cost::Allocation) => "#d8e06b",
        Some(Cost::OtherTls) => "#9fc7c0",
        Some(Cost::Socket) => "#b9b9c9",
        Some(Cost::SoftIrq) => "#a5a5b8",
        Some(Cost::Kernel) => "#c9c9d3",
        Some(Cost::Http2) => "#9bd08a",
        Some(Cost::Compression) => "#c3de9b",
        Some(Cost::Cryptography) => "#e8b7a0",
        Some(Cost::Application) => "#c7e8bd",
        Some(Cost::Unknown) => "#f5c6d6",
    }
}
