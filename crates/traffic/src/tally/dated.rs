//! [`Dated`]: what happened when, while it is counted.

use tlstax_doc::{Bucket, Series};

/// What happened when, while it is counted. Lines that are near to each other are mostly of one second, which is added as one.
#[derive(Default)]
pub struct Dated {
    series: Series,
    current: Bucket,
}

impl Dated {
    pub fn add(&mut self, at: Option<u64>, bucket: &Bucket, times: u64) {
        let Some(at) = at else {
            self.series.undated = self.series.undated.saturating_add(times);
            return;
        };
        if at != self.current.at {
            self.flush();
            self.current.at = at;
        }
        self.current.merge(bucket);
    }

    /// Makes buckets at least so long.
    pub fn widen(&mut self, seconds: u32) {
        self.series.widen(seconds);
    }

    fn flush(&mut self) {
        let full = std::mem::take(&mut self.current);
        if full != (Bucket { at: full.at, ..Bucket::default() }) {
            self.series.add(&full);
        }
    }

    pub fn into_series(mut self) -> Series {
        self.flush();
        self.series
    }
}
