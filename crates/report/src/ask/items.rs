//! [`Item`]: a measurement of one kind of workload, and what is asked of several.

use tlstax_doc::Measurement;
use tlstax_spec::Case;
use tlstax_stats::{Interval, median_interval};

/// A measurement whose workload is known to be of one kind.
#[derive(Debug)]
pub(crate) struct Item<'a, T> {
    /// Its place among the measurements.
    pub index: usize,
    pub case: &'a Case,
    pub measurement: &'a Measurement,
    pub work: &'a T,
    /// Whether it is of the row without crypto.
    pub control: bool,
}

impl<T> Clone for Item<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Item<'_, T> {}

impl<'a, T> Item<'a, T> {
    pub fn library(&self) -> &'a str {
        &self.case.library
    }

    pub fn is_control(&self) -> bool {
        self.control
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
