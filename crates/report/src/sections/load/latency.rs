//! Latency percentiles: the histograms of the batches, merged.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::Deserializer;
use tlstax_doc::{Batch, unthrottled};

use crate::grid::Measure;
use crate::loads::Found;
use crate::model::Quantity;

/// A percentile and its heading.
type Percentile = (f64, &'static str);

const PERCENTILES: [Percentile; 3] = [(50.0, "p50"), (99.0, "p99"), (99.9, "p99.9")];

/// A percentile is shown only if this many latencies lie beyond it: fewer are luck.
const BEYOND: f64 = 10.0;

/// No batch has more requests: a histogram that claims so is not one of ours, and sums of its counts could overflow.
const MOST_REQUESTS: u64 = 1 << 32;

pub(super) fn is_recorded(item: &Found<'_>) -> bool {
    item.measurement.batches().iter().any(|batch| batch.sample.latency.is_some())
}

pub(super) struct Latencies {
    is_recorded: bool,
    /// Why there are none; nothing of a load that has no figures at all, which gives the reason elsewhere in its row.
    merged: Option<Result<Histogram<u64>, String>>,
}

impl Latencies {
    pub fn of(item: &Found<'_>) -> Self {
        let merged = item.measurement.outcome.hole().is_none().then(|| merged(item));
        Self { is_recorded: is_recorded(item), merged }
    }

    fn at(&self, percent: f64) -> Option<Result<Quantity, String>> {
        let of_histogram = |histogram: &Histogram<u64>| {
            if histogram.len() as f64 * (100.0 - percent) / 100.0 < BEYOND {
                return Err("too few requests for this percentile".to_owned());
            }
            Ok(Quantity::exact(histogram.value_at_percentile(percent) as f64, "µs"))
        };
        Some(self.merged.as_ref()?.as_ref().map_err(Clone::clone).and_then(of_histogram))
    }
}

/// The percentiles that some of these have, and the median where a client records latencies at all: a measure each, of
/// rows with such latencies.
pub(super) fn percentiles<'f, R: 'f>(
    all: &[&Latencies],
    of_row: fn(&R) -> &Latencies,
) -> Vec<Measure<'f, R>> {
    let is_there = |&(percent, _): &Percentile| match percent > 50.0 {
        true => all.iter().any(|latencies| matches!(latencies.at(percent), Some(Ok(_)))),
        false => all.iter().any(|latencies| latencies.is_recorded),
    };
    let measure =
        |(percent, name): Percentile| Measure::plain(name, "µs", move |row: &R| of_row(row).at(percent));
    PERCENTILES.into_iter().filter(is_there).map(measure).collect()
}

/// The latencies of all quiet batches, or of all batches where none was quiet.
fn merged(item: &Found<'_>) -> Result<Histogram<u64>, String> {
    let batches = unthrottled(item.measurement.batches(), &item.facts.results.slices);
    let quiet: Vec<&Batch> =
        batches.iter().copied().filter(|batch| item.facts.summaries.is_quiet(batch)).collect();
    let wanted = if quiet.is_empty() { batches } else { quiet };
    let texts = wanted.iter().filter_map(|batch| batch.sample.latency.as_deref());
    let mut histograms = texts.map(decode);
    let mut all = histograms.next().ok_or_else(|| "no latencies were recorded".to_owned())??;
    all.auto(true);
    for histogram in histograms {
        all.add(histogram?).map_err(|error| format!("latencies do not add up: {error:?}"))?;
    }
    Ok(all)
}

fn decode(text: &str) -> Result<Histogram<u64>, String> {
    let malformed = |what: String| format!("the latencies of a batch cannot be read: {what}");
    let bytes = STANDARD.decode(text).map_err(|error| malformed(error.to_string()))?;
    // The reader sets aside as many bytes as the head claims, were it gigabytes.
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
