//! Latency percentiles: the histograms of the batches, merged.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::Deserializer;
use tlstax_doc::{Batch, Metric, observations};

use super::cost::Found;
use crate::ask::Facts;
use crate::model::{Cell, Column, Quantity};

/// A percentile that can be shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Percentile {
    percent: f64,
    name: &'static str,
}

const PERCENTILES: [Percentile; 3] = [
    Percentile { percent: 50.0, name: "p50" },
    Percentile { percent: 99.0, name: "p99" },
    Percentile { percent: 99.9, name: "p99.9" },
];

/// A percentile is shown only if this many latencies lie beyond it: fewer are luck.
const BEYOND: f64 = 10.0;

/// No batch has more requests: a histogram that says so is not one of ours, and sums of its counts could overflow.
const MOST_REQUESTS: u64 = 1 << 32;

/// Whether the client of this load tells latencies at all.
pub(super) fn is_told(item: &Found<'_>) -> bool {
    item.measurement.batches().iter().any(|batch| batch.sample.latency.is_some())
}

/// The percentiles that some of these loads have, and the median where a client tells latencies at all.
pub(super) fn columns(facts: &Facts<'_>, items: &[Found<'_>]) -> Vec<Percentile> {
    let mut columns = PERCENTILES.to_vec();
    columns.retain(|percentile| {
        let is_there = |item: &Found<'_>| {
            let cells = percentiles(facts, item, &[*percentile]);
            matches!(cells[..], [Cell::Quantity(_)])
        };
        items.iter().any(|item| if percentile.percent > 50.0 { is_there(item) } else { is_told(item) })
    });
    columns
}

impl Percentile {
    pub fn column(&self) -> Column {
        Column::plain(self.name, "µs")
    }
}

/// The latencies of one load; a load that has no figures at all says why elsewhere in its row.
pub(super) fn percentiles(facts: &Facts<'_>, item: &Found<'_>, wanted: &[Percentile]) -> Vec<Cell> {
    let all = |cell: Cell| vec![cell; wanted.len()];
    if wanted.is_empty() || item.measurement.outcome.hole().is_some() {
        return all(Cell::Empty);
    }
    let histogram = match merged(facts, item) {
        Ok(histogram) => histogram,
        Err(reason) => return all(Cell::Hole { reason }),
    };
    let count = histogram.len() as f64;
    let at = |Percentile { percent, .. }: &Percentile| {
        if count * (100.0 - percent) / 100.0 < BEYOND {
            return Cell::Hole { reason: "too few requests for this percentile".to_owned() };
        }
        Cell::Quantity(Quantity::exact(histogram.value_at_percentile(*percent) as f64, "µs"))
    };
    wanted.iter().map(at).collect()
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
    // The reader sets aside as many bytes as the head claims, gigabytes if it says so.
    let claimed = bytes.get(4..8).and_then(|four| four.try_into().ok()).map_or(0, u32::from_be_bytes);
    if claimed as usize > bytes.len() {
        return Err(malformed(format!("{} bytes cannot hold {claimed}", bytes.len())));
    }
    let histogram: Histogram<u64> = Deserializer::new()
        .deserialize(&mut bytes.as_slice())
        .map_err(|error| malformed(error.to_string()))?;
    match histogram.len() {
        0..=MOST_REQUESTS => Ok(histogram),
        count => Err(malformed(format!("{count} requests are more than a batch can have"))),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use hdrhistogram::serialization::{Serializer, V2Serializer};

    use super::*;

    fn encoded(counts: &[u64]) -> String {
        let mut histogram = Histogram::<u64>::new(3).unwrap();
        for (&count, value) in counts.iter().zip(1..) {
            histogram.record_n(value, count).unwrap();
        }
        let mut bytes = Vec::new();
        V2Serializer::new().serialize(&histogram, &mut bytes).unwrap();
        STANDARD.encode(bytes)
    }

    #[test]
    fn histograms_that_cannot_be_of_a_batch_are_refused() {
        assert_eq!(decode(&encoded(&[3, 4])).unwrap().len(), 7);
        for counts in [&[MOST_REQUESTS, 1][..], &[1 << 62; 8]] {
            assert!(
                decode(&encoded(counts)).unwrap_err().contains("more than a batch can have"),
                "{counts:?}"
            );
        }
        let mut claims = STANDARD.decode(encoded(&[3])).unwrap();
        claims[4] = 0xb0;
        assert!(decode(&STANDARD.encode(claims)).unwrap_err().contains("cannot hold"));
        for text in ["", "*", "AAAA"] {
            assert!(decode(text).unwrap_err().contains("cannot be read"), "{text:?}");
        }
    }
}
