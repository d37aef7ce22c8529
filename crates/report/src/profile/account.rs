//! [`Account`]: sums and shares of the weights of a profile, or of some of its captures.

use std::collections::BTreeMap;

use tlstax_doc::{Capture, Class, Cost, Profile, Span, Unit};
use tlstax_stats::{InSpan, proportion};

use crate::model::Quantity;

/// Nanoseconds of a second.
pub(super) const SECOND: f64 = 1e9;

/// Weights of captures, added up.
pub(super) struct Account<'p> {
    pub profile: &'p Profile,
    pub captures: Vec<&'p Capture>,
    pub totals: BTreeMap<Class, u64>,
    pub samples: u64,
}

/// Whether a class is meant.
pub(super) type IsMeant<'a> = &'a dyn Fn(Class) -> bool;

pub(super) fn is_tls(class: Class) -> bool {
    class.cost.is_tls()
}

pub(super) fn is_any(_: Class) -> bool {
    true
}

impl<'p> Account<'p> {
    pub fn of(profile: &'p Profile) -> Self {
        Self::of_captures(profile, profile.captures.iter().collect())
    }

    pub fn of_captures(profile: &'p Profile, captures: Vec<&'p Capture>) -> Self {
        let (mut totals, mut samples) = (BTreeMap::new(), 0);
        for span in captures.iter().flat_map(|capture| &capture.spans) {
            samples += span.samples;
            for weight in &span.weights {
                *totals.entry(weight.class).or_default() += weight.weight;
            }
        }
        Self { profile, captures, totals, samples }
    }

    pub fn weight(&self, part: IsMeant<'_>) -> u64 {
        self.totals.iter().filter(|(class, _)| part(**class)).map(|(_, weight)| weight).sum()
    }

    /// The costs that have any weight, in the order of tables.
    pub fn costs(&self) -> impl Iterator<Item = Cost> + '_ {
        Cost::ALL.iter().copied().filter(|cost| self.weight(&|class| class.cost == *cost) > 0)
    }

    /// The part of a whole that some classes take, in percent; none of an empty whole.
    pub fn share(&self, part: IsMeant<'_>, whole: IsMeant<'_>) -> Option<Quantity> {
        if self.weight(whole) > 0 && self.weight(part) == self.weight(whole) {
            return Some(Quantity::exact(100.0, "%"));
        }
        let spans: Vec<InSpan> = self.spans().map(|span| in_span(span, part, whole)).collect();
        let draws = self.samples_of(self.weight(whole));
        Some(percent(proportion(&spans, draws)?))
    }

    /// The part of all CPUs of the machines, in percent; none where the unit is no time, or the machine is not known.
    pub fn of_machine(&self, part: IsMeant<'_>) -> Option<Quantity> {
        let mut spans = Vec::new();
        for capture in &self.captures {
            let capacity = capacity(self.profile.unit, capture)?;
            let count = windows(capture);
            let whole = capacity / count as f64;
            // A span in which nothing ran has no entry, and the machine was there all the same.
            let idle = (capture.spans.len()..count).map(|_| InSpan { part: 0.0, whole });
            spans.extend(capture.spans.iter().map(|span| InSpan { whole, ..in_span(span, part, &is_any) }));
            spans.extend(idle);
        }
        let capacity: f64 = spans.iter().map(|span| span.whole).sum();
        let all: u64 = self.weight(&is_any);
        // As many draws as the whole would have if its CPUs were never idle.
        let draws = self.samples as f64 * capacity / all.max(1) as f64;
        Some(percent(proportion(&spans, draws)?))
    }

    /// CPU seconds; none where the unit is no time.
    pub fn seconds(&self, part: IsMeant<'_>) -> Option<f64> {
        (self.profile.unit == Unit::Nanoseconds).then(|| self.weight(part) as f64 / SECOND)
    }

    fn spans(&self) -> impl Iterator<Item = &'p Span> + '_ {
        self.captures.iter().flat_map(|capture| &capture.spans)
    }

    /// How many samples make a weight, if all weigh alike.
    fn samples_of(&self, weight: u64) -> f64 {
        self.samples as f64 * weight as f64 / self.weight(&is_any).max(1) as f64
    }
}

/// CPU time that the machine of a capture had, nanoseconds.
fn capacity(unit: Unit, capture: &Capture) -> Option<f64> {
    let (duration, cpus) = (capture.duration_ns?, capture.cpus?);
    (unit == Unit::Nanoseconds && duration > 0 && cpus > 0).then(|| duration as f64 * f64::from(cpus))
}

/// How many spans of time a capture lasted.
fn windows(capture: &Capture) -> usize {
    let windows = match (capture.duration_ns, capture.span_ns) {
        (Some(duration), span) if span > 0 => usize::try_from(duration.div_ceil(span)).unwrap_or(0),
        _ => 0,
    };
    // The spans are at most some hundreds; a document that says otherwise is not believed.
    windows.min(10_000).max(capture.spans.len()).max(1)
}

fn in_span(span: &Span, part: IsMeant<'_>, whole: IsMeant<'_>) -> InSpan {
    let sum = |is: IsMeant<'_>| {
        let weights = span.weights.iter().filter(|weight| is(weight.class));
        weights.map(|weight| weight.weight as f64).sum()
    };
    InSpan { part: sum(part), whole: sum(whole) }
}

fn percent(share: tlstax_stats::Interval) -> Quantity {
    Quantity::between(share.value * 100.0, share.low * 100.0, share.high * 100.0, "%")
}
