//! Weights by class in successive spans of time.

use std::collections::BTreeMap;

use tlstax_doc::{Class, Span, Weight};

use super::moment::Moment;

/// The first width of a span, nanoseconds. A server's work is alike for longer than that, so spans are doubled as a capture gets
/// longer, and the interval is made of between half of [`MOST`] and all of them.
const FIRST: u64 = 250_000_000;

/// No more spans than that: those of a longer capture are joined in pairs.
const MOST: u64 = 128;

#[derive(Debug)]
pub struct Spans {
    width: u64,
    spans: BTreeMap<u64, InSpan>,
}

#[derive(Debug, Default)]
struct InSpan {
    samples: u64,
    weights: BTreeMap<Class, u64>,
}

impl InSpan {
    fn add(&mut self, other: Self) {
        self.samples = self.samples.saturating_add(other.samples);
        for (class, weight) in other.weights {
            self.weigh(class, weight);
        }
    }

    fn weigh(&mut self, class: Class, weight: u64) {
        let sum = self.weights.entry(class).or_default();
        *sum = sum.saturating_add(weight);
    }
}

impl Default for Spans {
    fn default() -> Self {
        Self { width: FIRST, spans: BTreeMap::new() }
    }
}

impl Spans {
    pub fn add(&mut self, moment: &Moment, class: Class, samples: u64) {
        let at = moment.at_ns.unwrap_or(0);
        while at / self.width >= MOST {
            self.double();
        }
        let span = self.spans.entry(at / self.width).or_default();
        span.samples = span.samples.saturating_add(samples);
        span.weigh(class, moment.weight);
    }

    fn double(&mut self) {
        self.width *= 2;
        for (number, span) in std::mem::take(&mut self.spans) {
            self.spans.entry(number / 2).or_default().add(span);
        }
    }

    pub fn totals(&self) -> BTreeMap<Class, u64> {
        let mut totals = BTreeMap::new();
        for (class, weight) in self.spans.values().flat_map(|span| &span.weights) {
            let sum: &mut u64 = totals.entry(*class).or_default();
            *sum = sum.saturating_add(*weight);
        }
        totals
    }

    /// How long each is, nanoseconds; 0 where all is one because there are no times.
    pub fn width(&self, has_times: bool) -> u64 {
        if has_times { self.width } else { 0 }
    }

    pub fn in_order(self) -> Vec<Span> {
        let span = |(number, span): (u64, InSpan)| Span {
            at_ns: number * self.width,
            samples: span.samples,
            weights: span.weights.into_iter().map(|(class, weight)| Weight { class, weight }).collect(),
        };
        self.spans.into_iter().map(span).collect()
    }
}

#[cfg(test)]
mod tests {
    use tlstax_doc::Cost;

    use super::*;

    #[test]
    fn a_long_capture_has_no_more_spans_and_loses_nothing() {
        let mut spans = Spans::default();
        for second in 0..3600 {
            let moment = Moment { at_ns: Some(second * 1_000_000_000), process: 1, weight: 3 };
            spans.add(&moment, Cost::Socket.into(), 1);
        }
        assert_eq!(spans.totals(), BTreeMap::from([(Cost::Socket.into(), 3 * 3600)]));
        let spans = spans.in_order();
        assert!(spans.len() as u64 <= MOST && spans.len() as u64 > MOST / 4, "{}", spans.len());
        assert_eq!(spans.iter().map(|span| span.samples).sum::<u64>(), 3600);
    }
}
