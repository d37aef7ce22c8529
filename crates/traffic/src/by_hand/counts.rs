//! From rates and shares to counts.

use tlstax_doc::{Bucket, Counts, Kind, MOST_BUCKETS, Resumed, Series, Sketch, Total};

use super::form::Form;
use super::parts::{Number, Size};
use super::problem::Problem;
use super::shares::{Shares, divided};

/// What a workload counts, of each kind in the order of the kinds.
pub struct Counted {
    pub counts: Vec<Counts>,
    pub ordinals: Sketch,
    pub responses: Sketch,
    pub requests: Sketch,
    pub series: Series,
}

/// Above it a number of 64 bits' floating point may stand for several whole ones.
const MOST: f64 = 4_503_599_627_370_496.0;

/// A hundred years, in seconds.
const LONGEST: f64 = 3_155_760_000.0;

/// Seconds that buckets may be long.
const WIDTHS: [u32; 6] = [1, 10, 60, 600, 3_600, 86_400];

pub fn count(form: &Form, kinds: &[(Kind, f64)]) -> Result<Counted, Problem> {
    let seconds = whole_seconds(form.duration_s)?;
    let totals = Totals::of(form, seconds)?;
    let shares: Vec<f64> = kinds.iter().map(|(_, share)| *share).collect();
    let mut counts = vec![Counts::default(); kinds.len()];
    let mut divide = |total: u64, place: fn(&mut Counts) -> &mut u64| {
        for (counts, part) in counts.iter_mut().zip(divided(total, &shares)) {
            *place(counts) = part;
        }
    };
    divide(totals.connections(), |counts| &mut counts.connections);
    divide(totals.empty(), |counts| &mut counts.connections_without_requests);
    divide(totals.requests(), |counts| &mut counts.requests);
    divide(totals.loose, |counts| &mut counts.requests_without_connection);
    let responses = sizes(form.response.as_ref(), totals.requests())?;
    let requests = sizes(form.request.as_ref(), totals.requests())?;
    put(&mut counts, &responses, |counts| &mut counts.out);
    put(&mut counts, &requests, |counts| &mut counts.into);
    let series = series(seconds, kinds, &counts);
    Ok(Counted { counts, ordinals: totals.ordinals(), responses, requests, series })
}

fn whole_seconds(seconds: f64) -> Result<u32, Problem> {
    if !(1.0..=LONGEST).contains(&seconds) {
        return Err(Problem::Duration(seconds.to_string()));
    }
    // It was just looked at.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    Ok(seconds.round() as u32)
}

/// How many there are in all.
struct Totals {
    /// Connections by their requests.
    connections: Vec<(u64, u64)>,
    /// Requests of which nothing says how many a connection has.
    loose: u64,
    /// Connections of which nothing says how many requests they have.
    silent: u64,
}

impl Totals {
    fn of(form: &Form, seconds: u32) -> Result<Self, Problem> {
        let total = |rate: Option<f64>, what| match rate {
            Some(rate) if !rate.is_finite() || rate < 0.0 => Err(Problem::Rate(what)),
            Some(rate) if rate * f64::from(seconds) > MOST => Err(Problem::TooMany(what)),
            rate => Ok(rate.map(|rate| rate * f64::from(seconds))),
        };
        let requests = total(form.requests_per_second, "requests_per_second")?;
        let connections = total(form.connections_per_second, "connections_per_second")?;
        let each = form.requests_per_connection.as_ref();
        match (requests, connections, each) {
            (None, None, _) => Err(Problem::NoRate),
            (Some(_), Some(_), Some(_)) => Err(Problem::Rates),
            (Some(requests), None, None) => Ok(Self { loose: rounded(requests), ..Self::none() }),
            (None, Some(connections), None) => Ok(Self { silent: rounded(connections), ..Self::none() }),
            (Some(requests), Some(connections), None) if connections > 0.0 => {
                Self::with(connections, &Shares(vec![(Number(requests / connections), 100.0)]))
            }
            (Some(_), Some(_), None) => Err(Problem::Rate("connections_per_second")),
            (Some(requests), None, Some(each)) => Self::with(requests / mean(each), each),
            (None, Some(connections), Some(each)) => Self::with(connections, each),
        }
    }

    const fn none() -> Self {
        Self { connections: Vec::new(), loose: 0, silent: 0 }
    }

    fn with(connections: f64, each: &Shares<Number>) -> Result<Self, Problem> {
        if connections * mean(each) > MOST {
            return Err(Problem::TooMany("requests_per_connection"));
        }
        // What is no whole number is some connections with one more.
        let whole = each.0.iter().flat_map(|(Number(number), share)| {
            let more = number.fract();
            [(number.floor(), share * (1.0 - more)), (number.floor() + 1.0, share * more)]
        });
        let (numbers, shares): (Vec<f64>, Vec<f64>) = whole.filter(|(_, share)| *share > 0.0).unzip();
        let counts = divided(rounded(connections), &shares);
        Ok(Self { connections: numbers.into_iter().map(rounded).zip(counts).collect(), ..Self::none() })
    }

    fn connections(&self) -> u64 {
        self.silent + self.connections.iter().map(|(_, count)| count).sum::<u64>()
    }

    /// Connections of which no request is known.
    fn empty(&self) -> u64 {
        let without = self.connections.iter().filter(|(requests, _)| *requests == 0);
        self.silent + without.map(|(_, count)| count).sum::<u64>()
    }

    fn requests(&self) -> u64 {
        self.loose + self.connections.iter().map(|(requests, count)| requests * count).sum::<u64>()
    }

    /// As many are the k-th request of a connection as there are connections with so many.
    fn ordinals(&self) -> Sketch {
        let most = self.connections.iter().map(|(requests, _)| *requests).max().unwrap_or_default();
        let with = |ordinal: u64| {
            let all = self.connections.iter().filter(|(requests, _)| *requests >= ordinal);
            all.map(|(_, count)| count).sum::<u64>()
        };
        let sums = self.connections.iter().map(|(requests, count)| {
            let each = u128::from(*requests) * (u128::from(*requests) + 1) / 2;
            each * u128::from(*count)
        });
        let sum = u64::try_from(sums.sum::<u128>()).unwrap_or(u64::MAX);
        let present = (1..=most).map(|ordinal| (ordinal, with(ordinal)));
        match self.requests() - self.loose {
            0 => Sketch::default(),
            _ => Sketch::of(present, sum, 1, self.most_used()),
        }
    }

    /// The most requests that a connection has.
    fn most_used(&self) -> u64 {
        let used = self.connections.iter().filter(|(_, count)| *count > 0);
        used.map(|(requests, _)| *requests).max().unwrap_or_default()
    }
}

fn mean(each: &Shares<Number>) -> f64 {
    each.0.iter().map(|(Number(number), share)| number * share / 100.0).sum()
}

/// The next whole number; it is known to be one.
fn rounded(number: f64) -> u64 {
    // All are between nothing and `MOST`.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let whole = number.round() as u64;
    whole
}

fn sizes(sizes: Option<&Shares<Size>>, total: u64) -> Result<Sketch, Problem> {
    let Some(Shares(sizes)) = sizes else { return Ok(Sketch::default()) };
    let shares: Vec<f64> = sizes.iter().map(|(_, share)| *share).collect();
    let counted = sizes.iter().map(|(Size(size), _)| *size).zip(divided(total, &shares));
    let counted: Vec<(u64, u64)> = counted.filter(|(_, count)| *count > 0).collect();
    let sum = counted.iter().map(|(size, count)| u128::from(*size) * u128::from(*count)).sum::<u128>();
    // Bytes are divided among kinds in floating point.
    #[allow(clippy::cast_precision_loss)]
    let too_many = sum as f64 > MOST;
    let sum = u64::try_from(sum).ok().filter(|_| !too_many).ok_or(Problem::TooMany("bytes"))?;
    let min = counted.iter().map(|(size, _)| *size).min().unwrap_or_default();
    let max = counted.iter().map(|(size, _)| *size).max().unwrap_or_default();
    Ok(Sketch::of(counted, sum, min, max))
}

/// Divides the bytes of a sketch among kinds by their requests.
fn put(counts: &mut [Counts], sizes: &Sketch, place: fn(&mut Counts) -> &mut Total) {
    if sizes.count == 0 {
        return;
    }
    // Counts are below `MOST`.
    #[allow(clippy::cast_precision_loss)]
    let requests: Vec<f64> = counts.iter().map(|counts| counts.requests as f64).collect();
    for (counts, bytes) in counts.iter_mut().zip(divided(sizes.sum, &requests)) {
        *place(counts) = Total { of: counts.requests, bytes };
    }
}

/// A number of a bucket.
type Place = fn(&mut Bucket) -> &mut u64;

/// The same in every second, from the beginning of 1970 on: nobody has said when it is.
fn series(seconds: u32, kinds: &[(Kind, f64)], counts: &[Counts]) -> Series {
    let fits = |width: &u32| u64::from(seconds) <= u64::from(*width) * MOST_BUCKETS as u64;
    let width_s = WIDTHS.into_iter().find(fits).unwrap_or(WIDTHS[WIDTHS.len() - 1]);
    let lengths: Vec<f64> =
        (0..seconds).step_by(width_s as usize).map(|at| f64::from((seconds - at).min(width_s))).collect();
    let begun = |is_counted: fn(Resumed) -> bool| {
        let all = kinds.iter().zip(counts).filter(|((kind, _), _)| kind.resumed.is_some_and(is_counted));
        all.map(|(_, counts)| counts.connections).sum::<u64>()
    };
    let sum = |of: fn(&Counts) -> u64| counts.iter().map(of).sum::<u64>();
    let columns: [(u64, Place); 6] = [
        (sum(|counts| counts.requests), |bucket| &mut bucket.requests),
        (sum(|counts| counts.connections), |bucket| &mut bucket.connections),
        (begun(|how| how == Resumed::Full), |bucket| &mut bucket.full),
        (begun(Resumed::is_resumption), |bucket| &mut bucket.resumed),
        (sum(|counts| counts.out.bytes), |bucket| &mut bucket.out),
        (sum(|counts| counts.into.bytes), |bucket| &mut bucket.into),
    ];
    let at = (0..).step_by(width_s as usize);
    let mut buckets: Vec<Bucket> =
        at.zip(&lengths).map(|(at, _)| Bucket { at, ..Bucket::default() }).collect();
    for (total, place) in columns {
        for (bucket, part) in buckets.iter_mut().zip(divided(total, &lengths)) {
            *place(bucket) = part;
        }
    }
    buckets.retain(|bucket| *bucket != Bucket { at: bucket.at, ..Bucket::default() });
    Series { width_s, buckets, undated: 0 }
}
