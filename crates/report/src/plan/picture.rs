//! Cores by what they are spent on as SVG: a stacked bar for now, and one for each change.

use tlstax_doc::plan::{Part, Plan, Prediction};

use super::{changes, part, pieces};
use crate::formats::escaped;
use crate::model::Block;
use crate::number;

/// Of the picture, in its own units; it is scaled to the page.
const WIDTH: f64 = 1200.0;
const LEFT: f64 = 300.0;
/// Behind the longest bar: its figure.
const RIGHT: f64 = 90.0;
const BAR: f64 = 26.0;
const GAP: f64 = 14.0;
/// Where the legend stands.
const LEGEND: f64 = 34.0;
/// So many changes have a bar.
const DRAWN: usize = 12;
/// Letters of a name that have a place.
const LETTERS: usize = 40;

pub(super) fn block(plan: &Plan) -> Option<Block> {
    let changes = plan.scenarios.iter().take(DRAWN);
    let bars: Vec<(String, &Prediction)> = std::iter::once(("now".to_owned(), &plan.now))
        .chain(changes.map(|scenario| (changes::name(scenario), &scenario.prediction)))
        .collect();
    let longest = bars.iter().map(|(_, bar)| length(bar)).fold(0.0, f64::max);
    (longest > 0.0 && longest.is_finite()).then(|| Block::Picture {
        title: "Cores by what they are spent on".to_owned(),
        svg: svg(&bars, (WIDTH - LEFT - RIGHT) / longest),
    })
}

/// What a bar is as long as. Parts that would be less than nothing have no length.
fn length(bar: &Prediction) -> f64 {
    part::ALL.iter().map(|meant| pieces::cores_of(&bar.parts, *meant).max(0.0)).sum()
}

fn svg(bars: &[(String, &Prediction)], scale: f64) -> String {
    let height = LEGEND + bars.len() as f64 * (BAR + GAP);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         aria-label=\"Cores by what they are spent on\" font-family=\"system-ui, sans-serif\" font-size=\"13\">\n"
    );
    legend(&mut out, bars);
    for (place, (name, prediction)) in bars.iter().enumerate() {
        bar(&mut out, name, prediction, scale, LEGEND + place as f64 * (BAR + GAP));
    }
    out + "</svg>\n"
}

/// The parts that any bar has.
fn legend(out: &mut String, bars: &[(String, &Prediction)]) {
    let is_there = |meant: &&Part| bars.iter().any(|(_, bar)| pieces::cores_of(&bar.parts, **meant) > 0.0);
    let shown: Vec<&Part> = part::ALL.iter().filter(is_there).collect();
    let step = WIDTH / shown.len().max(1) as f64;
    for (place, meant) in shown.into_iter().enumerate() {
        let x = place as f64 * step;
        *out += &format!(
            "<rect x=\"{x:.1}\" y=\"2\" width=\"12\" height=\"12\" fill=\"{}\"/>\
             <text x=\"{:.1}\" y=\"13\" fill=\"currentColor\">{}</text>\n",
            part::colour(*meant),
            x + 17.0,
            escaped(part::title(*meant))
        );
    }
}

fn bar(out: &mut String, name: &str, bar: &Prediction, scale: f64, top: f64) {
    let middle = top + BAR / 2.0 + 5.0;
    *out += &format!(
        "<text x=\"{}\" y=\"{middle:.1}\" text-anchor=\"end\" fill=\"currentColor\">{}</text>\n",
        LEFT - 8.0,
        escaped(&cut(name))
    );
    let mut left = LEFT;
    for meant in part::ALL {
        let cores = pieces::cores_of(&bar.parts, meant).max(0.0);
        let width = cores * scale;
        if cores > 0.0 {
            *out += &format!(
                "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{BAR}\" fill=\"{}\"><title>{}: {} cores</title></rect>\n",
                part::colour(meant),
                escaped(part::title(meant)),
                number::three_digits(cores)
            );
        }
        left += width;
    }
    *out += &format!(
        "<text x=\"{:.1}\" y=\"{middle:.1}\" fill=\"currentColor\">{}</text>\n",
        left + 8.0,
        number::three_digits(bar.cores.value)
    );
}

fn cut(name: &str) -> String {
    match name.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}
