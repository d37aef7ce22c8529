//! What handshakes are held against: the usual one of their library, and the same one in full.

use tlstax_spec::{Contexts, Group, Handshake, Key, Resumption, Version};

use crate::ask::Item;

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

/// The same handshake in full.
pub(super) fn full<'a>(items: &[Found<'a>], item: &Found<'_>) -> Option<Found<'a>> {
    item.partner(&Handshake { resumption: Resumption::Full, ..*item.work }, items)
}
