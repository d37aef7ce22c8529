//! [`Facts`]: results with their summaries, as the sections ask for them.

use std::cell::RefCell;
use std::collections::BTreeMap;

use tlstax_doc::{LibraryKind, Metric, Results, Summaries};
use tlstax_spec::Switch;
use tlstax_stats::Estimate;

use crate::network::Network;

pub(crate) struct Facts<'a> {
    pub results: &'a Results,
    pub summaries: Summaries<'a>,
    /// Over which handshakes and data are computed to go.
    pub network: Network,
    /// Estimates that were asked for before: several tables, a chart and a sentence want the same one.
    known: RefCell<BTreeMap<(usize, Metric), Option<Estimate>>>,
}

/// A library with something switched off, beside the same library with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Switched<'a> {
    pub off: &'a str,
    pub on: &'a str,
    /// What is switched off: "aes", "aes and sha".
    pub what: String,
}

impl<'a> Facts<'a> {
    pub fn of(results: &'a Results) -> Self {
        Self::over(results, Network::default())
    }

    pub fn over(results: &'a Results, network: Network) -> Self {
        Self { results, summaries: Summaries::of(results), network, known: RefCell::default() }
    }

    /// The estimate of one of a measurement's costs, by the measurement's place.
    pub fn estimate(&self, index: usize, metric: Metric) -> Option<Estimate> {
        let mut known = self.known.borrow_mut();
        *known.entry((index, metric)).or_insert_with(|| self.summaries.estimate(index, metric))
    }

    pub fn has_figures(&self) -> bool {
        self.results.measurements.iter().any(|measurement| measurement.proof().is_some())
    }

    /// The library as one with something switched off; none where the same library with it is not among these.
    pub fn switched<'n>(&self, library: &'n str, among: &[&'n str]) -> Option<Switched<'n>> {
        let mut without: Vec<Switch> = Vec::new();
        let mut variant = self.results.library(library)?;
        // A build without something may be told to do without something else. No chain is longer than the list.
        for _ in &self.results.libraries {
            let base = variant.base.as_ref().filter(|_| !variant.without.is_empty())?;
            without.splice(..0, variant.without.iter().copied());
            if let Some(on) = among.iter().find(|id| base == *id) {
                let names: Vec<_> = without.iter().map(|switch| switch.name()).collect();
                return Some(Switched { off: library, on, what: names.join(" and ") });
            }
            variant = self.results.library(base)?;
        }
        None
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
}
