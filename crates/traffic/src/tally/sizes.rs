//! [`Sizes`]: a sketch while it grows.

use hdrhistogram::Histogram;
use tlstax_doc::Sketch;

/// The digits of [`Sketch`].
const DIGITS: u8 = 2;

/// A sketch while it grows.
pub struct Sizes {
    counts: Histogram<u64>,
    sum: u64,
    min: u64,
    max: u64,
}

impl Default for Sizes {
    fn default() -> Self {
        let counts = Histogram::new(DIGITS).expect("two digits are between none and five");
        Self { counts, sum: 0, min: u64::MAX, max: 0 }
    }
}

impl Sizes {
    pub fn add(&mut self, value: u64, times: u64) {
        // Resizes itself: any value has a place.
        let _ = self.counts.record_n(value, times);
        self.sum = self.sum.saturating_add(value.saturating_mul(times));
        self.min = self.min.min(value);
        self.max = self.max.max(value);
    }

    pub fn into_sketch(self) -> Sketch {
        if self.counts.is_empty() {
            return Sketch::default();
        }
        let classes = self.counts.iter_recorded().map(|class| {
            let lowest = self.counts.lowest_equivalent(class.value_iterated_to());
            (lowest, class.count_at_value())
        });
        Sketch::of(classes, self.sum, self.min, self.max)
    }
}
