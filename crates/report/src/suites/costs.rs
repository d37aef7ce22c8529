//! [`Costs`]: the handshakes and the transfers of suites among the measurements of a run.

use tlstax_doc::Metric;
use tlstax_spec::{Bulk, Handshake, Key, Suite};
use tlstax_stats::Estimate;

use crate::ask::{Facts, Item};

pub(super) struct Costs<'a> {
    handshakes: Vec<Item<'a, Handshake>>,
    bulks: Vec<Item<'a, Bulk>>,
}

impl<'a> Costs<'a> {
    pub fn of(facts: &'a Facts<'a>) -> Self {
        Self { handshakes: facts.handshakes(), bulks: facts.bulks() }
    }

    pub fn handshake(&self, library: &str, suite: Suite, key: Key) -> Option<Item<'a, Handshake>> {
        let params = |item: &Item<'_, Handshake>| (item.work.params.suite, item.work.params.key);
        let is_it = |item: &&Item<'_, _>| item.library() == library && params(item) == (suite, key);
        self.handshakes.iter().find(is_it).copied()
    }

    pub fn bulk(&self, library: &str, suite: Suite) -> Option<Item<'a, Bulk>> {
        let is_it = |item: &&Item<'_, Bulk>| item.library() == library && item.work.params.suite == suite;
        self.bulks.iter().find(is_it).copied()
    }

    /// Nanoseconds of the server's CPU time for a byte.
    pub fn byte(&self, item: &Item<'_, Bulk>) -> Option<Estimate> {
        item.per_byte(Metric::Server, item.work.buffer).ok()
    }
}
