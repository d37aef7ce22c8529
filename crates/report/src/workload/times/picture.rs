//! The load over time as SVG: what was done in each second, a panel for each rate.

use super::{CONNECTIONS, REQUESTS, Rate, SENT, Times, utc};
use crate::model::Block;
use crate::number;

/// Of the picture, in its own units; it is scaled to the page.
const WIDTH: f64 = 1200.0;
const LEFT: f64 = 80.0;
const PANEL: f64 = 120.0;
const GAP: f64 = 46.0;
/// Buckets that share a column are drawn by their mean and their highest.
const COLUMNS: u64 = 560;
/// Readable on a light and on a dark page.
const COLOURS: [&str; 3] = ["#3f82c9", "#d98533", "#3b9478"];
/// Times below the last panel.
const TICKS: u64 = 5;

pub(super) fn block(times: &Times<'_>) -> Option<Block> {
    let rates = [&REQUESTS, &CONNECTIONS, &SENT].into_iter().filter(|rate| times.knows(rate));
    let rates: Vec<&Rate> = rates.collect();
    (!rates.is_empty() && times.count() > 1).then(|| Block::Picture {
        title: "Load over time; where a column has several buckets, the pale part is the highest of them"
            .to_owned(),
        svg: svg(times, &rates),
    })
}

fn svg(times: &Times<'_>, rates: &[&Rate]) -> String {
    let height = rates.len() as f64 * (PANEL + GAP) + 20.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"Load over time\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\">\n"
    );
    for (place, (rate, colour)) in rates.iter().zip(COLOURS).enumerate() {
        panel(&mut out, times, rate, colour, place as f64 * (PANEL + GAP) + GAP - 20.0);
    }
    let bottom = rates.len() as f64 * (PANEL + GAP) - 20.0;
    for tick in 0..=TICKS {
        let at = times.begin + ((times.end - times.begin) as f64 * tick as f64 / TICKS as f64) as u64;
        let x = LEFT + (WIDTH - LEFT) * tick as f64 / TICKS as f64;
        let anchor = match tick {
            0 => "start",
            TICKS => "end",
            _ => "middle",
        };
        out += &format!(
            "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"{anchor}\" fill=\"currentColor\">{}</text>\n",
            bottom + 18.0,
            if times.is_dated() { utc(at) } else { format!("{at} s") }
        );
    }
    out + "</svg>\n"
}

fn panel(out: &mut String, times: &Times<'_>, rate: &Rate, colour: &str, top: f64) {
    let columns = columns(times, rate);
    let peak = columns.iter().map(|column| column.highest).fold(0.0, f64::max);
    let full = if peak > 0.0 { peak } else { 1.0 };
    let bottom = top + PANEL;
    *out += &format!(
        "<text x=\"{LEFT}\" y=\"{}\" fill=\"currentColor\">{}, {}</text>\n",
        top - 6.0,
        rate.title,
        rate.unit
    );
    for share in [0.0, 0.5, 1.0] {
        let y = bottom - PANEL * share;
        *out += &format!(
            "<line x1=\"{LEFT}\" x2=\"{WIDTH}\" y1=\"{y}\" y2=\"{y}\" stroke=\"currentColor\" stroke-opacity=\"0.2\"/>\
             <text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"currentColor\">{}</text>\n",
            LEFT - 6.0,
            y + 4.0,
            number::three_digits(peak * share)
        );
    }
    let highest = area(&columns, bottom, |column| column.highest / full);
    let mean = area(&columns, bottom, |column| column.mean / full);
    *out += &format!(
        "<path d=\"{highest}\" fill=\"{colour}\" fill-opacity=\"0.35\"/>\n<path d=\"{mean}\" fill=\"{colour}\"/>\n"
    );
}

/// The mean and the highest rate of each column, and how many buckets it has.
struct Column {
    mean: f64,
    highest: f64,
    buckets: u64,
}

fn columns(times: &Times<'_>, rate: &Rate) -> Vec<Column> {
    let each = rate.scale / times.width as f64;
    let per_column = times.count().div_ceil(COLUMNS);
    let mut amounts = vec![(0u64, 0u64); times.count().div_ceil(per_column) as usize];
    for bucket in times.buckets {
        let place = (bucket.at - times.begin) / times.width / per_column;
        let amount = (rate.of)(bucket);
        if let Some((sum, highest)) = amounts.get_mut(place as usize) {
            *sum = sum.saturating_add(amount);
            *highest = (*highest).max(amount);
        }
    }
    let column = |(place, (sum, highest)): (usize, &(u64, u64))| {
        // The last one may have fewer.
        let buckets = per_column.min(times.count() - place as u64 * per_column);
        Column { mean: *sum as f64 * each / buckets as f64, highest: *highest as f64 * each, buckets }
    };
    amounts.iter().enumerate().map(column).collect()
}

/// The outline of bars side by side, each so high as its share of the peak.
fn area(columns: &[Column], bottom: f64, share: impl Fn(&Column) -> f64) -> String {
    let all: f64 = columns.iter().map(|column| column.buckets as f64).sum();
    let mut path = format!("M{LEFT} {bottom}");
    let mut right = LEFT;
    for column in columns {
        right += (WIDTH - LEFT) * column.buckets as f64 / all;
        path += &format!("V{:.1}H{right:.1}", bottom - PANEL * share(column).min(1.0));
    }
    path + &format!("V{bottom}Z")
}
