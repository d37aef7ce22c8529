//! What was measured with something switched off and without.

use tlstax_doc::Metric;
use tlstax_spec::{Contexts, Handshake, Pattern, Primitive};
use tlstax_stats::Estimate;

use crate::ask::{Facts, Item, Switched, find};

/// What is compared: everything that one thread does.
pub(super) struct Measured<'a> {
    pub primitives: Vec<Item<'a, Primitive>>,
    pub handshakes: Vec<Item<'a, Handshake>>,
}

impl<'a> Measured<'a> {
    pub fn of(facts: &'a Facts<'a>) -> Self {
        let mut primitives = facts.primitives();
        primitives.retain(|item| item.case.threads == 1 && item.work.pattern == Pattern::Tls);
        primitives.sort_by_key(|item| (item.work.algorithm, item.work.op, item.work.size));
        let mut handshakes = facts.handshakes();
        handshakes.retain(|item| item.case.threads == 1 && item.work.contexts == Contexts::Shared);
        Self { primitives, handshakes }
    }

    /// The primitives of the library without it that have sizes, or those that have none.
    pub fn primitives(&self, pair: &Switched<'_>, sized: bool) -> impl Iterator<Item = &Item<'a, Primitive>> {
        self.primitives.iter().filter(move |item| {
            let both = item.library() == pair.off && self.find(pair.on, item.work).is_some();
            both && item.work.algorithm.class().is_sized() == sized
        })
    }

    pub fn find(&self, library: &str, work: &Primitive) -> Option<Item<'a, Primitive>> {
        find(&self.primitives, library, work)
    }

    /// What a primitive costs without it as a multiple of what it costs with it.
    pub fn factor(&self, pair: &Switched<'_>, work: &Primitive) -> Option<Estimate> {
        self.find(pair.off, work)?.ratio(&self.find(pair.on, work)?, Metric::Cpu)
    }

    /// The handshakes of a library without it, each with the same one with it.
    pub fn handshakes(&self, pair: &Switched<'_>) -> impl Iterator<Item = [Item<'a, Handshake>; 2]> {
        let own = self.handshakes.iter().filter(|item| item.library() == pair.off);
        own.filter_map(|item| Some([*item, item.by(pair.on, &self.handshakes)?]))
    }
}
