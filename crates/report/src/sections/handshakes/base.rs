//! What handshakes are held against: the usual one of their library, and the same one in full.

use tlstax_doc::Metric;
use tlstax_spec::{Contexts, Group, Handshake, Key, Resumption, Version};

use crate::ask::{Facts, Item, in_full};
use crate::model::Quantity;

pub(super) type Found<'a> = Item<'a, Handshake>;

/// The handshake that the others of its library are held against: what most sites use now, or the first measured.
pub(super) fn base<'a>(items: &[Found<'a>], library: &str) -> Option<Found<'a>> {
    let usual = |item: &&&Found<'_>| {
        let Handshake { params, resumption, mutual, contexts, .. } = *item.work;
        params.version == Version::Tls13
            && params.group == Some(Group::X25519)
            && params.key == Key::EcdsaP256
            && resumption == Resumption::Full
            && !mutual
            && contexts == Contexts::Shared
    };
    let own: Vec<&Found<'_>> = items
        .iter()
        .filter(|item| item.library() == library && !item.measurement.batches().is_empty())
        .collect();
    own.iter().find(usual).or(own.first()).map(|item| **item)
}

/// The server's cost as a multiple of the base's.
pub(super) fn of_base(facts: &Facts<'_>, item: &Found<'_>, base: &Found<'_>) -> Option<Quantity> {
    match item.index == base.index {
        true => Some(Quantity::exact(1.0, "x")),
        false => facts.times(item.index, base.index, Metric::Server).filter(|_| !item.is_control()),
    }
}

/// What a resumed handshake costs the server in percent of the same one in full.
pub(super) fn of_full(facts: &Facts<'_>, items: &[Found<'_>], item: &Found<'_>) -> Option<Quantity> {
    let is_resumed = item.work.resumption != Resumption::Full && !item.is_control();
    let full = full(items, item).filter(|_| is_resumed)?;
    facts.percent(item.index, full.index, Metric::Server)
}

/// The same handshake in full.
pub(super) fn full<'a>(items: &[Found<'a>], item: &Found<'_>) -> Option<Found<'a>> {
    item.partner(&in_full(item.work), items)
}
