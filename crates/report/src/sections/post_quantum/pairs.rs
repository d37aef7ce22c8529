//! Handshakes beside the same ones as they were before post-quantum cryptography.

use tlstax_spec::{Handshake, Params, Proof};

use crate::ask::Item;

pub(super) type Found<'a> = Item<'a, Handshake>;

/// A handshake beside the same one as it was before.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    pub new: Found<'a>,
    pub old: Found<'a>,
}

/// The handshakes that have an older counterpart, those of all libraries for one way back together.
pub(super) fn pairs<'a>(items: &[Found<'a>], older: fn(&Params) -> Option<Params>) -> Vec<Pair<'a>> {
    let pair = |new: &Found<'a>| {
        let wanted = Handshake { params: older(&new.work.params)?, ..*new.work };
        Some(Pair { new: *new, old: new.partner(&wanted, items)? })
    };
    let mut pairs: Vec<Pair<'a>> = items.iter().filter_map(pair).collect();
    let firsts: Vec<&Handshake> = pairs.iter().map(|pair| pair.new.work).collect();
    let place = |pair: &Pair<'_>| firsts.iter().position(|first| **first == *pair.new.work);
    pairs.sort_by_key(place);
    pairs
}

impl Pair<'_> {
    /// How many more bytes one side sends.
    pub fn bytes(&self, count: fn(&Proof) -> u64) -> Option<i64> {
        let of = |item: &Found<'_>| i64::try_from(count(item.measurement.proof()?)).ok();
        Some(of(&self.new)? - of(&self.old)?)
    }
}
