//! Latency percentiles: the histograms of the batches, merged.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::Deserializer;
use tlstax_doc::{Batch, Metric, observations};
use tlstax_spec::Load;

use super::Found;
use crate::facts::Facts;
use crate::label::Labels;
use crate::view::{Cell, Column, Quantity, Row, Table};

/// The percentiles that are shown.
const PERCENTILES: [(f64, &str); 4] = [(50.0, "p50"), (90.0, "p90"), (99.0, "p99"), (99.9, "p99.9")];

/// A percentile is shown only if this many latencies lie beyond it: fewer are luck.
const BEYOND: f64 = 10.0;

pub(super) fn table(facts: &Facts<'_>, items: &[Found<'_>], labels: &Labels<Load>, library: &str) -> Table {
    let mut columns = labels.columns();
    columns.extend(PERCENTILES.iter().map(|(_, name)| Column::plain(*name, "µs")));
    columns.push(Column::plain("largest", "µs"));
    columns.push(Column::plain("requests", ""));
    let row = |item: &Found<'_>| {
        let mut cells = labels.cells(item);
        cells.extend(percentiles(facts, item));
        Row::plain(cells)
    };
    let caption =
        labels.caption(&format!("{library} as the server: latency of one request, connecting included"));
    Table { caption, columns, rows: items.iter().map(row).collect() }
}

fn percentiles(facts: &Facts<'_>, item: &Found<'_>) -> Vec<Cell> {
    let empty =
        |first: Cell| std::iter::once(first).chain(std::iter::repeat_n(Cell::Empty, PERCENTILES.len() + 1));
    if let Some(reason) = item.measurement.outcome.hole() {
        return empty(Cell::Hole { reason }).collect();
    }
    let histogram = match merged(facts, item) {
        Ok(histogram) => histogram,
        Err(reason) => return empty(Cell::Hole { reason }).collect(),
    };
    let count = histogram.len() as f64;
    let at = |(percentile, _): &(f64, &str)| {
        if count * (100.0 - percentile) / 100.0 < BEYOND {
            let reason = format!("{count} requests are too few for this percentile");
            return Cell::Hole { reason };
        }
        Cell::Quantity(Quantity::exact(histogram.value_at_percentile(*percentile) as f64, "µs"))
    };
    let mut cells: Vec<Cell> = PERCENTILES.iter().map(at).collect();
    cells.push(Cell::Quantity(Quantity::exact(histogram.max() as f64, "µs")));
    cells.push(Cell::Quantity(Quantity::exact(count, "")));
    cells
}

/// The latencies of all quiet batches, or of all batches where none was quiet.
fn merged(facts: &Facts<'_>, item: &Found<'_>) -> Result<Histogram<u64>, String> {
    let batches = item.measurement.batches();
    let is_quiet = |batch: &&Batch| {
        let seen = observations(std::slice::from_ref(*batch), &facts.results.slices, Metric::Wall);
        let baseline = facts.summaries.baseline();
        baseline.zip(seen.first()).is_some_and(|(baseline, seen)| baseline.is_quiet(seen.before, seen.after))
    };
    let quiet: Vec<&Batch> = batches.iter().filter(is_quiet).collect();
    let wanted = if quiet.is_empty() { batches.iter().collect() } else { quiet };
    let mut all: Option<Histogram<u64>> = None;
    for text in wanted.iter().filter_map(|batch| batch.sample.latency.as_deref()) {
        let histogram = decode(text)?;
        match &mut all {
            Some(all) => all.add(histogram).map_err(|error| format!("latencies do not add up: {error:?}"))?,
            None => {
                let mut first = histogram;
                first.auto(true);
                all = Some(first);
            }
        }
    }
    all.ok_or_else(|| "no latencies were recorded".to_owned())
}

fn decode(text: &str) -> Result<Histogram<u64>, String> {
    let malformed = |what: String| format!("the latencies of a batch cannot be read: {what}");
    let bytes = STANDARD.decode(text).map_err(|error| malformed(error.to_string()))?;
    Deserializer::new().deserialize(&mut bytes.as_slice()).map_err(|error| malformed(error.to_string()))
}
