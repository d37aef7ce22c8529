//! [`Series`]: what happened when.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Seconds that a bucket may be long, each a multiple of the one before.
const WIDTHS: [u32; 6] = [1, 10, 60, 600, 3_600, 86_400];

/// Buckets that a document has at most, but for those of a day each: ten seconds of a day, or a minute of a week.
pub const MOST_BUCKETS: usize = 10_080;

/// What happened in successive buckets of time. They are as short as [`MOST_BUCKETS`] allow; which that is follows from what is in
/// them alone, so that series add up exactly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Series {
    /// How long each bucket is, seconds.
    pub width_s: u32,
    /// Those with anything in them, in order.
    pub buckets: Vec<Bucket>,
    /// Requests and connections of which nothing tells when they were.
    pub undated: u64,
}

/// What happened in one bucket.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Bucket {
    /// When it begins: seconds since 1970, a multiple of the width.
    pub at: u64,
    pub requests: u64,
    /// Connections that are known to have begun in it.
    pub connections: u64,
    /// Those of them that are known to have made a full handshake.
    pub full: u64,
    /// Those of them that are known to have resumed a session.
    pub resumed: u64,
    /// Bytes that servers sent.
    pub out: u64,
    /// Bytes that clients sent.
    #[serde(rename = "in")]
    pub into: u64,
}

impl Default for Series {
    fn default() -> Self {
        Self { width_s: WIDTHS[0], buckets: Vec::new(), undated: 0 }
    }
}

impl Bucket {
    /// Adds what another has; when that was is not looked at.
    pub const fn merge(&mut self, other: &Self) {
        self.requests = self.requests.saturating_add(other.requests);
        self.connections = self.connections.saturating_add(other.connections);
        self.full = self.full.saturating_add(other.full);
        self.resumed = self.resumed.saturating_add(other.resumed);
        self.out = self.out.saturating_add(other.out);
        self.into = self.into.saturating_add(other.into);
    }
}

impl Series {
    /// Adds what happened in a bucket, which may be of any finer or equal width. Buckets stay in order.
    pub fn add(&mut self, bucket: &Bucket) {
        let at = bucket.at - bucket.at % u64::from(self.width_s);
        match self.buckets.binary_search_by_key(&at, |known| known.at) {
            Ok(index) => self.buckets[index].merge(bucket),
            Err(index) => self.buckets.insert(index, Bucket { at, ..*bucket }),
        }
        self.fit();
    }

    /// Adds all of another.
    pub fn merge(&mut self, other: &Self) {
        let width = self.width_s.max(other.width_s);
        let all = self.buckets.iter().chain(&other.buckets);
        let undated = self.undated.saturating_add(other.undated);
        *self = Self { width_s: width, buckets: gathered(all, width), undated };
        self.fit();
    }

    /// Makes buckets at least so long: what is added is known no finer. Other lengths than those that there are become the next.
    pub fn widen(&mut self, seconds: u32) {
        let wide = WIDTHS.into_iter().find(|width| *width >= seconds).unwrap_or(WIDTHS[WIDTHS.len() - 1]);
        if wide > self.width_s {
            self.merge(&Self { width_s: wide, ..Self::default() });
        }
    }

    /// Widens the buckets until there are not too many of them.
    fn fit(&mut self) {
        while self.buckets.len() > MOST_BUCKETS {
            let Some(wider) = WIDTHS.into_iter().find(|width| *width > self.width_s) else { return };
            self.buckets = gathered(self.buckets.iter(), wider);
            self.width_s = wider;
        }
    }
}

/// The contents of buckets in those of a width.
fn gathered<'b>(buckets: impl Iterator<Item = &'b Bucket>, width: u32) -> Vec<Bucket> {
    let mut by_time = BTreeMap::<u64, Bucket>::new();
    for bucket in buckets {
        let at = bucket.at - bucket.at % u64::from(width);
        by_time.entry(at).or_insert(Bucket { at, ..Bucket::default() }).merge(bucket);
    }
    by_time.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(at: u64) -> Bucket {
        Bucket { at, requests: 1, ..Bucket::default() }
    }

    #[test]
    fn a_bucket_is_as_short_as_their_number_allows() {
        let mut series = Series::default();
        (0..10_080).for_each(|at| series.add(&request(at)));
        assert_eq!((series.width_s, series.buckets.len()), (1, 10_080));
        series.add(&request(10_080));
        assert_eq!((series.width_s, series.buckets.len()), (10, 1_009));
        assert_eq!(series.buckets.iter().map(|bucket| bucket.requests).sum::<u64>(), 10_081);
    }

    #[test]
    fn series_of_parts_are_that_of_the_whole() {
        let times: Vec<u64> = (0..30_000).map(|step| 1_800_000_000 + step * 7).collect();
        let of = |times: &[u64]| {
            let mut series = Series::default();
            times.iter().for_each(|at| series.add(&request(*at)));
            series
        };
        let whole = of(&times);
        for cut in [1, 500, 15_000, 29_999] {
            let (one, other) = (of(&times[..cut]), of(&times[cut..]));
            let (mut there, mut back) = (one.clone(), other.clone());
            there.merge(&other);
            back.merge(&one);
            assert_eq!(there, whole);
            assert_eq!(back, whole);
        }
    }
}
