//! [`Times`]: what happened when: the load of each bucket of time, its quantiles and its peak.

mod hours;
mod picture;
mod section;

pub(super) use hours::Hour;
pub(super) use section::section;

use tlstax_doc::{Bucket, Counts, Workload};

use super::handshakes::Handshakes;
use super::known::{self, Known};

/// The buckets of a workload. Those in which nothing was counted are idle, from the first to the last with anything in it.
pub(super) struct Times<'w> {
    /// Seconds of a bucket.
    pub width: u64,
    buckets: &'w [Bucket],
    /// Seconds since 1970.
    pub begin: u64,
    /// The end of the last bucket.
    pub end: u64,
    whole: Counts,
    handshakes: Option<Handshakes>,
}

/// Something that buckets count.
pub(super) struct Rate {
    pub word: &'static str,
    pub title: &'static str,
    /// Of a bucket.
    pub of: fn(&Bucket) -> u64,
    /// What an amount of it is multiplied by, and the unit that this gives for each second.
    pub scale: f64,
    pub unit: &'static str,
    /// Whether anything is known of it.
    is_known: fn(&Times<'_>) -> bool,
    /// Why nothing is.
    pub why: &'static str,
}

pub(super) static REQUESTS: Rate = Rate {
    word: "requests",
    title: "requests",
    of: |bucket| bucket.requests,
    scale: 1.0,
    unit: "/s",
    is_known: |times| is_known(known::requests(&times.whole)),
    why: "the source sees connections, and not their requests",
};

pub(super) static CONNECTIONS: Rate = Rate {
    word: "connections",
    title: "connections known to begin",
    of: |bucket| bucket.connections,
    scale: 1.0,
    unit: "/s",
    is_known: |times| is_known(known::connections(&times.whole)),
    why: "nothing tells which requests begin a connection",
};

pub(super) static FULL: Rate = Rate {
    word: "full",
    title: "of these full handshakes",
    of: |bucket| bucket.full,
    is_known: |times| times.handshakes.is_some_and(|all| all.knows(all.full)),
    why: "nothing tells it of any handshake",
    ..CONNECTIONS
};

pub(super) static RESUMED: Rate = Rate {
    word: "resumed",
    title: "of these resumptions",
    of: |bucket| bucket.resumed,
    is_known: |times| times.handshakes.is_some_and(|all| all.knows(all.resumed)),
    ..FULL
};

pub(super) static SENT: Rate = Rate {
    word: "bytes-out",
    title: "sent by servers",
    of: |bucket| bucket.out,
    scale: 8e-6,
    unit: "Mbit/s",
    is_known: |times| is_known(known::bytes(&times.whole, times.whole.out)),
    why: "the source does not tell bytes",
};

pub(super) static RECEIVED: Rate = Rate {
    word: "bytes-in",
    title: "sent by clients",
    of: |bucket| bucket.into,
    is_known: |times| is_known(known::bytes(&times.whole, times.whole.into)),
    ..SENT
};

/// In the order of tables.
pub(super) static RATES: [&Rate; 6] = [&REQUESTS, &CONNECTIONS, &FULL, &RESUMED, &SENT, &RECEIVED];

/// What the buckets say of a rate, for each second.
pub(super) struct Load {
    pub mean: f64,
    pub median: f64,
    pub p90: f64,
    pub p99: f64,
    pub peak: f64,
    /// When the busiest bucket begins, seconds since 1970.
    pub at: u64,
}

impl<'w> Times<'w> {
    /// None where nothing has a time.
    pub fn of(workload: &'w Workload) -> Option<Self> {
        let series = &workload.series;
        let width = u64::from(series.width_s).max(1);
        let begin = series.buckets.iter().map(|bucket| bucket.at).min()?;
        let last = series.buckets.iter().map(|bucket| bucket.at).max()?;
        let end = last.saturating_add(width);
        let (whole, handshakes) = (known::sum(&workload.shares), Handshakes::of(workload));
        Some(Self { width, buckets: &series.buckets, begin, end, whole, handshakes })
    }

    /// Buckets from the first to the last, idle ones included.
    pub fn count(&self) -> u64 {
        ((self.end - self.begin) / self.width).max(self.buckets.len() as u64)
    }

    /// Those in which nothing was counted.
    pub fn idle(&self) -> u64 {
        self.count() - self.buckets.len() as u64
    }

    /// Whether it is known when it was: what is written by hand begins at 0 and has a length only.
    pub const fn is_dated(&self) -> bool {
        self.begin > 0
    }

    /// From when to when, or for how long.
    pub fn period(&self) -> String {
        match self.is_dated() {
            true => format!("{} to {} UTC", utc(self.begin), utc(self.end)),
            false => format!("{} s, at a time that is not told", known::count(self.end - self.begin)),
        }
    }

    pub fn knows(&self, rate: &Rate) -> bool {
        (rate.is_known)(self)
    }

    /// None where the rate is not known.
    pub fn load(&self, rate: &Rate) -> Option<Load> {
        if !self.knows(rate) {
            return None;
        }
        let each = rate.scale / self.width as f64;
        let mut amounts: Vec<u64> = self.buckets.iter().map(rate.of).collect();
        let sum: f64 = amounts.iter().map(|amount| *amount as f64).sum();
        let busiest =
            self.buckets.iter().max_by_key(|bucket| ((rate.of)(bucket), std::cmp::Reverse(bucket.at)))?;
        amounts.sort_unstable();
        let idle = self.idle();
        let quantile = |share: f64| {
            let rank = (self.count() as f64 * share).ceil() as u64;
            let place = rank.saturating_sub(idle).checked_sub(1);
            place.and_then(|place| amounts.get(place as usize)).map_or(0.0, |amount| *amount as f64 * each)
        };
        Some(Load {
            mean: sum * each / self.count() as f64,
            median: quantile(0.5),
            p90: quantile(0.9),
            p99: quantile(0.99),
            peak: (rate.of)(busiest) as f64 * each,
            at: busiest.at,
        })
    }

    /// A bucket in words: `busiest ten seconds`.
    pub fn span(&self) -> String {
        match self.width {
            1 => "second".to_owned(),
            10 => "ten seconds".to_owned(),
            60 => "minute".to_owned(),
            600 => "ten minutes".to_owned(),
            3_600 => "hour".to_owned(),
            86_400 => "day".to_owned(),
            other => format!("{other} seconds"),
        }
    }

    /// How long a bucket is, in words.
    pub fn length(&self) -> String {
        let span = self.span();
        if span.ends_with('s') { span } else { format!("one {span}") }
    }
}

fn is_known(known: Known) -> bool {
    known.least().is_some()
}

/// A time in UTC, as people write it.
pub(super) fn utc(seconds: u64) -> String {
    tlstax_doc::rfc3339(seconds).replace('T', " ").replace('Z', "")
}

#[cfg(test)]
mod tests {
    use tlstax_doc::Tool;

    use super::*;

    fn workload(buckets: &[(u64, u64)], width_s: u32) -> Workload {
        let mut workload =
            Workload::empty(Tool { name: String::new(), version: String::new(), reference_kernels: 0 });
        let requests = buckets.iter().map(|(_, requests)| requests).sum();
        let counts = Counts { requests, requests_without_connection: requests, ..Counts::default() };
        workload.shares = vec![tlstax_doc::Share { kind: tlstax_doc::Kind::default(), counts }];
        workload.series.width_s = width_s;
        workload.series.buckets = buckets
            .iter()
            .map(|(at, requests)| Bucket { at: *at, requests: *requests, ..Bucket::default() })
            .collect();
        workload
    }

    #[test]
    fn a_load_is_by_second_and_idle_buckets_count() {
        // Ten buckets of ten seconds, seven of them idle.
        let workload = workload(&[(100, 50), (110, 200), (190, 10)], 10);
        let times = Times::of(&workload).unwrap();
        assert_eq!((times.count(), times.idle(), times.span().as_str()), (10, 7, "ten seconds"));
        let load = times.load(&REQUESTS).unwrap();
        assert_eq!((load.mean, load.median, load.p90, load.peak, load.at), (2.6, 0.0, 5.0, 20.0, 110));
        // No request is known to begin a connection: that is no load of none.
        assert!(times.load(&CONNECTIONS).is_none() && times.load(&SENT).is_none());
    }

    #[test]
    fn no_document_makes_it_fail() {
        let strange = workload(&[(u64::MAX, 1), (0, 2), (5, 3)], 0);
        let times = Times::of(&strange).unwrap();
        assert_eq!(times.load(&REQUESTS).unwrap().peak, 3.0);
        assert!(times.idle() > 0);
    }
}
