//! [`Item`]: a measurement of one kind of workload, and what is asked of several.

use tlstax_doc::{LibraryKind, Measurement, Metric};
use tlstax_spec::{Bulk, Case, Handshake, Idle, Load, Primitive, Workload};
use tlstax_stats::{Estimate, Interval, median_interval};

use super::facts::Facts;
use crate::model::Quantity;

/// A measurement whose workload is known to be of one kind.
pub(crate) struct Item<'a, T> {
    pub facts: &'a Facts<'a>,
    /// Its place among the measurements.
    pub index: usize,
    pub case: &'a Case,
    pub measurement: &'a Measurement,
    pub work: &'a T,
}

impl<T> Clone for Item<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Item<'_, T> {}

/// Of a server whose processes were not known: more time would not help.
const UNREAD: &str =
    "the server's CPU time was not read: name its process with --server-pid, as a user that may see it";

macro_rules! items {
    ($($name:ident: $kind:ident;)+) => {
        $(pub fn $name(&self) -> Vec<Item<'_, $kind>> {
            self.items(|workload| match workload {
                Workload::$kind(work) => Some(work),
                _ => None,
            })
        })+
    };
}

impl Facts<'_> {
    items! {
        primitives: Primitive;
        handshakes: Handshake;
        bulks: Bulk;
        idles: Idle;
        loads: Load;
    }

    pub fn items<'a, T>(&'a self, pick: impl Fn(&'a Workload) -> Option<&'a T>) -> Vec<Item<'a, T>> {
        let item = |(index, measurement): (usize, &'a Measurement)| {
            let work = pick(&measurement.case.workload)?;
            Some(Item { facts: self, index, case: &measurement.case, measurement, work })
        };
        self.results.measurements.iter().enumerate().filter_map(item).collect()
    }
}

impl<'a, T> Item<'a, T> {
    pub fn library(&self) -> &'a str {
        &self.case.library
    }

    /// Whether it is of the row without crypto.
    pub fn is_control(&self) -> bool {
        self.facts.results.kind(self.library()) == LibraryKind::Control
    }

    /// The same whatever its work is.
    pub fn of_any_kind(&self) -> Item<'a, ()> {
        let Self { facts, index, case, measurement, .. } = *self;
        Item { facts, index, case, measurement, work: &() }
    }

    /// The cost of one iteration in nanoseconds.
    ///
    /// # Errors
    /// Why there is none.
    pub fn cost(&self, metric: Metric) -> Result<Estimate, String> {
        let Self { facts, index, measurement, .. } = self;
        if let Some(reason) = measurement.outcome.hole() {
            return Err(reason);
        }
        facts.estimate(*index, metric).ok_or_else(|| {
            let batches = measurement.batches();
            let is_unread = batches.iter().all(|batch| batch.sample.server.is_none());
            if metric == Metric::Server && is_unread && facts.is_real_server(self.library()) {
                return UNREAD.to_owned();
            }
            format!(
                "too little was measured: {} batches make no interval; give the study a larger budget",
                batches.len()
            )
        })
    }

    /// CPU microseconds of one iteration.
    ///
    /// # Errors
    /// Why there are none.
    pub fn micros(&self, metric: Metric) -> Result<Quantity, String> {
        self.cost(metric).map(|cost| Quantity::scaled(&cost, 1e-3, "µs"))
    }

    /// How many more CPU microseconds one iteration takes than one of another.
    ///
    /// # Errors
    /// Why one of the two has no figure.
    pub fn more_than<U>(&self, other: &Item<'_, U>, metric: Metric) -> Result<Quantity, String> {
        Ok(self.micros(metric)?.minus(&other.micros(metric)?))
    }

    /// CPU nanoseconds of one of the bytes that an iteration moves, which is the same as seconds for a gigabyte.
    ///
    /// # Errors
    /// Why there are none.
    pub fn per_byte(&self, metric: Metric, bytes: u32) -> Result<Estimate, String> {
        let cost = self.cost(metric)?;
        let [value, low, high] = [cost.value, cost.low, cost.high].map(|cost| cost / f64::from(bytes));
        Ok(Estimate { value, low, high, ..cost })
    }

    /// CPU seconds for a gigabyte, where an iteration moves so many bytes.
    ///
    /// # Errors
    /// Why there are none.
    pub fn per_gigabyte(&self, metric: Metric, bytes: u32) -> Result<Quantity, String> {
        self.per_byte(metric, bytes).map(|cost| Quantity::scaled(&cost, 1.0, "s/GB"))
    }

    /// What it costs as a multiple of another, within rounds.
    pub fn ratio<U>(&self, other: &Item<'_, U>, metric: Metric) -> Option<Estimate> {
        self.facts.summaries.ratio(self.index, other.index, metric)
    }

    pub fn times<U>(&self, other: &Item<'_, U>, metric: Metric) -> Option<Quantity> {
        self.ratio(other, metric).map(|ratio| Quantity::scaled(&ratio, 1.0, "x"))
    }

    pub fn percent<U>(&self, other: &Item<'_, U>, metric: Metric) -> Option<Quantity> {
        self.ratio(other, metric).map(|ratio| Quantity::scaled(&ratio, 100.0, "%"))
    }

    /// One metric as a share of another, within rounds: how busy a side was.
    pub fn share(&self, part: Metric, whole: Metric) -> Option<Estimate> {
        self.facts.summaries.share(self.index, part, whole)
    }
}

impl<T: PartialEq> Item<'_, T> {
    /// The same work on as many threads by another library.
    pub fn by<'b>(&self, library: &str, items: &[Item<'b, T>]) -> Option<Item<'b, T>> {
        self.like(library, self.work, items)
    }

    /// What the same library did on as many threads, but for what was changed in the work.
    pub fn partner<'b>(&self, changed: &T, items: &[Item<'b, T>]) -> Option<Item<'b, T>> {
        self.like(self.library(), changed, items)
    }

    fn like<'b>(&self, library: &str, work: &T, items: &[Item<'b, T>]) -> Option<Item<'b, T>> {
        let is_it = |item: &&Item<'_, T>| {
            item.library() == library && item.case.threads == self.case.threads && item.work == work
        };
        items.iter().find(is_it).copied()
    }
}

/// The work of a library, where all items are of as many threads.
pub(crate) fn find<'a, T: PartialEq>(items: &[Item<'a, T>], library: &str, work: &T) -> Option<Item<'a, T>> {
    items.iter().find(|item| item.library() == library && item.work == work).copied()
}

/// Every work of the libraries, once; the control does the same.
pub(crate) fn works<'a, T: PartialEq>(items: &[Item<'a, T>]) -> Vec<Item<'a, T>> {
    let own = items.iter().filter(|item| !item.is_control()).copied();
    distinct(own, |item| (item.work, item.case.threads))
}

/// The libraries that have such items, in the order of the results, without the control.
pub(crate) fn libraries<'a, T>(items: &[Item<'a, T>]) -> Vec<&'a str> {
    distinct(items.iter().filter(|item| !item.is_control()).map(Item::library), |library| *library)
}

pub(crate) fn of_library<'a, T>(items: &[Item<'a, T>], library: &str) -> Vec<Item<'a, T>> {
    items.iter().filter(|item| item.library() == library).copied().collect()
}

/// Of several libraries, the two whose costs are furthest apart, in the order of the results, with the ratio of the
/// first to the second. Those with something switched off are left out: they are held against themselves.
pub(crate) fn furthest<'n, 'a, T: 'a>(
    libraries: &[&'n str],
    metric: Metric,
    find: impl Fn(&str) -> Option<Item<'a, T>>,
) -> Option<(&'n str, &'n str, Estimate)> {
    let cost = |(place, library): (usize, &&'n str)| {
        let item = find(library).filter(|item| item.facts.switched(library, libraries).is_none())?;
        Some((item.cost(metric).ok()?.value, place, *library, item))
    };
    let mut costs: Vec<_> = libraries.iter().enumerate().filter_map(cost).collect();
    costs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (least, greatest) = (costs.first()?, costs.last()?);
    let (a, b) = if least.1 < greatest.1 { (least, greatest) } else { (greatest, least) };
    (a.1 != b.1).then_some(())?;
    Some((a.2, b.2, a.3.ratio(&b.3, metric)?))
}

/// The dearest of the works without crypto, for both sides together and for one of `count`: the others are within it.
pub(crate) fn dearest_control<'a, T>(
    items: &[Item<'a, T>],
    count: impl Fn(&T) -> f64,
) -> Option<Item<'a, T>> {
    let cost = |item: &Item<'_, T>| {
        let of = |metric| item.cost(metric).map_or(0.0, |cost| cost.value);
        (of(Metric::Client) + of(Metric::Server)) / count(item.work)
    };
    items.iter().filter(|item| item.is_control()).copied().max_by(|a, b| cost(a).total_cmp(&cost(b)))
}

/// The first of each, by this key, in their order.
pub(crate) fn distinct<I, K: PartialEq>(items: impl IntoIterator<Item = I>, key: impl Fn(&I) -> K) -> Vec<I> {
    let mut found: Vec<I> = Vec::new();
    for item in items {
        if !found.iter().any(|known| key(known) == key(&item)) {
            found.push(item);
        }
    }
    found
}

/// All that have the same key together, in the order in which the keys were found.
pub(crate) fn grouped<I, K: PartialEq>(
    items: impl IntoIterator<Item = I>,
    key: impl Fn(&I) -> K,
) -> Vec<(K, Vec<I>)> {
    let mut groups: Vec<(K, Vec<I>)> = Vec::new();
    for item in items {
        let key = key(&item);
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, group)) => group.push(item),
            None => groups.push((key, vec![item])),
        }
    }
    groups
}

/// Bytes of memory per idle connection; none for a hole.
pub(crate) fn memory(measurement: &Measurement) -> Option<Interval> {
    let per_connection = |batch: &tlstax_doc::Batch| {
        (batch.sample.iterations > 0).then(|| batch.sample.bytes.0 as f64 / batch.sample.iterations as f64)
    };
    let values: Vec<f64> = measurement.batches().iter().filter_map(per_connection).collect();
    median_interval(&values, 0.95)
}
