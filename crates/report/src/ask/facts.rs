//! [`Facts`]: results with their summaries, as the sections ask for them.

use std::cell::RefCell;
use std::collections::BTreeMap;

use tlstax_doc::{Library, LibraryKind, Measurement, Metric, Results, Summaries};
use tlstax_spec::{Bulk, Handshake, Idle, Load, Primitive, Workload};
use tlstax_stats::Estimate;

use super::items::{Item, distinct};
use crate::model::Quantity;
use crate::switch::{Switched, switched};

pub(crate) struct Facts<'a> {
    pub results: &'a Results,
    pub summaries: Summaries<'a>,
    /// Estimates that were asked for before: several tables, a chart and a sentence want the same one.
    known: RefCell<BTreeMap<(usize, Metric), Option<Estimate>>>,
}

macro_rules! items {
    ($($name:ident: $kind:ident;)+) => {
        $(pub fn $name(&self) -> Vec<Item<'a, $kind>> {
            self.items(|workload| match workload {
                Workload::$kind(work) => Some(work),
                _ => None,
            })
        })+
    };
}

/// Of a server whose processes were not known: more time would not help.
const UNREAD: &str =
    "the server's CPU time was not read: name its process with --server-pid, as a user that may see it";

impl<'a> Facts<'a> {
    pub fn of(results: &'a Results) -> Self {
        Self { results, summaries: Summaries::of(results), known: RefCell::default() }
    }

    items! {
        primitives: Primitive;
        handshakes: Handshake;
        bulks: Bulk;
        idles: Idle;
        loads: Load;
    }

    fn items<T>(&self, pick: impl Fn(&'a Workload) -> Option<&'a T>) -> Vec<Item<'a, T>> {
        let item = |(index, measurement): (usize, &'a Measurement)| {
            let work = pick(&measurement.case.workload)?;
            let control = self.results.kind(&measurement.case.library) == LibraryKind::Control;
            Some(Item { index, case: &measurement.case, measurement, work, control })
        };
        self.results.measurements.iter().enumerate().filter_map(item).collect()
    }

    /// The cost of one iteration in nanoseconds, or why there is none.
    ///
    /// # Errors
    /// Why there is none.
    pub fn cost(&self, index: usize, metric: Metric) -> Result<Estimate, String> {
        let measurement = &self.results.measurements[index];
        if let Some(reason) = measurement.outcome.hole() {
            return Err(reason);
        }
        let mut known = self.known.borrow_mut();
        let estimate = known.entry((index, metric)).or_insert_with(|| self.summaries.estimate(index, metric));
        estimate.ok_or_else(|| {
            let batches = measurement.batches().len();
            let is_unread = measurement.batches().iter().all(|batch| batch.sample.server.is_none());
            if metric == Metric::Server && is_unread && self.is_real_server(&measurement.case.library) {
                return UNREAD.to_owned();
            }
            format!(
                "too little was measured: {batches} batches make no interval; give the study a larger budget"
            )
        })
    }

    /// What measurement `a` costs as a multiple of `b`, within rounds.
    pub fn ratio(&self, a: usize, b: usize, metric: Metric) -> Option<Estimate> {
        self.summaries.ratio(a, b, metric)
    }

    /// CPU microseconds of one iteration, or why there are none.
    ///
    /// # Errors
    /// Why there are none.
    pub fn micros(&self, index: usize, metric: Metric) -> Result<Quantity, String> {
        self.cost(index, metric).map(|cost| Quantity::scaled(&cost, 1e-3, "µs"))
    }

    /// CPU nanoseconds of one of the bytes that an iteration moves, which is the same as seconds for a gigabyte.
    ///
    /// # Errors
    /// Why there are none.
    pub fn per_byte(&self, index: usize, metric: Metric, bytes: u32) -> Result<Estimate, String> {
        let cost = self.cost(index, metric)?;
        let [value, low, high] = [cost.value, cost.low, cost.high].map(|cost| cost / f64::from(bytes));
        Ok(Estimate { value, low, high, ..cost })
    }

    /// CPU seconds for a gigabyte, where an iteration moves so many bytes.
    ///
    /// # Errors
    /// Why there are none.
    pub fn per_gigabyte(&self, index: usize, metric: Metric, bytes: u32) -> Result<Quantity, String> {
        self.per_byte(index, metric, bytes).map(|cost| Quantity::scaled(&cost, 1.0, "s/GB"))
    }

    /// What measurement `a` costs as a multiple of `b`, within rounds.
    pub fn times(&self, a: usize, b: usize, metric: Metric) -> Option<Quantity> {
        self.ratio(a, b, metric).map(|ratio| Quantity::scaled(&ratio, 1.0, "x"))
    }

    /// What measurement `a` costs in percent of `b`, within rounds.
    pub fn percent(&self, a: usize, b: usize, metric: Metric) -> Option<Quantity> {
        self.ratio(a, b, metric).map(|ratio| Quantity::scaled(&ratio, 100.0, "%"))
    }

    /// The ratio of the first to the second of two measurements, for each library that has both.
    pub fn by_library<'n>(
        &self,
        libraries: &[&'n str],
        metric: Metric,
        pair: impl Fn(&str) -> Option<(usize, usize)>,
    ) -> Vec<(&'n str, Estimate)> {
        let ratio = |library: &&'n str| {
            let (a, b) = pair(library)?;
            Some((*library, self.ratio(a, b, metric)?))
        };
        libraries.iter().filter_map(ratio).collect()
    }

    /// Of several libraries, the two whose costs are furthest apart, in the order of the results, with the ratio of the
    /// first to the second. Those with something switched off are left out: they are held against themselves.
    pub fn furthest<'n>(
        &self,
        libraries: &[&'n str],
        metric: Metric,
        index: impl Fn(&str) -> Option<usize>,
    ) -> Option<(&'n str, &'n str, Estimate)> {
        let whole = libraries.iter().filter(|library| self.switched(library, libraries).is_none());
        let cost = |(place, library): (usize, &&'n str)| {
            let index = index(library)?;
            Some((self.cost(index, metric).ok()?.value, place, *library, index))
        };
        let mut costs: Vec<_> = whole.enumerate().filter_map(cost).collect();
        costs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (least, greatest) = (costs.first()?, costs.last()?);
        let (a, b) = if least.1 < greatest.1 { (least, greatest) } else { (greatest, least) };
        (a.1 != b.1).then_some(())?;
        Some((a.2, b.2, self.ratio(a.3, b.3, metric)?))
    }

    /// The dearest of the works without crypto, for both sides together and for one of `count`: the others are within
    /// it.
    pub fn dearest_control<'i, T>(
        &self,
        items: &[Item<'i, T>],
        count: impl Fn(&T) -> f64,
    ) -> Option<Item<'i, T>> {
        let cost = |item: &Item<'_, T>| {
            let of = |metric| self.cost(item.index, metric).map_or(0.0, |cost| cost.value);
            (of(Metric::Client) + of(Metric::Server)) / count(item.work)
        };
        let controls = items.iter().filter(|item| item.is_control()).copied();
        controls.max_by(|a, b| cost(a).total_cmp(&cost(b)))
    }

    /// One metric of a measurement as a share of another, within rounds: how busy a side was.
    pub fn share(&self, index: usize, part: Metric, whole: Metric) -> Option<Estimate> {
        let (part, whole) =
            (self.summaries.observations(index, part), self.summaries.observations(index, whole));
        tlstax_stats::ratio(&part, &whole, self.summaries.baseline())
    }

    pub fn has_figures(&self) -> bool {
        self.results.measurements.iter().any(|measurement| measurement.proof().is_some())
    }

    pub fn library(&self, id: &str) -> Option<&'a Library> {
        self.results.library(id)
    }

    /// The library as one with something switched off; none where the same library with it is not among these.
    pub fn switched<'n>(&self, library: &'n str, among: &[&'n str]) -> Option<Switched<'n>> {
        switched(self.results, library, among)
    }

    /// Whether this is a server that people run, not a library in a worker of ours.
    pub fn is_real_server(&self, id: &str) -> bool {
        self.results.kind(id) == LibraryKind::Server
    }

    /// The cores of the machine; none where that is not known.
    pub fn cores(&self) -> Option<f64> {
        let topology = &self.results.host.topology;
        topology.threads.or(topology.cores).map(f64::from)
    }

    /// The libraries that have such items, in the order of the results, without the control.
    pub fn libraries<T>(&self, items: &[Item<'a, T>]) -> Vec<&'a str> {
        let own = items.iter().filter(|item| !item.is_control());
        distinct(own.map(|item| item.case.library.as_str()), |library| *library)
    }
}
