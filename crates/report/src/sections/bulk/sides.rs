//! Who sends bulk data, who receives them, and what goes over the wire.

use tlstax_doc::Metric;
use tlstax_spec::{Bulk, Direction};

use crate::ask::Item;

pub(super) type Found<'a> = Item<'a, Bulk>;

pub(crate) fn sender(bulk: &Bulk) -> Metric {
    match bulk.direction {
        Direction::Download => Metric::Server,
        Direction::Upload => Metric::Client,
    }
}

pub(crate) fn receiver(bulk: &Bulk) -> Metric {
    if sender(bulk) == Metric::Server { Metric::Client } else { Metric::Server }
}

/// The bytes that a buffer of the sender took on the wire.
pub(super) fn wire(item: &Found<'_>) -> Option<u64> {
    let proof = item.measurement.proof()?;
    let wire = match item.work.direction {
        Direction::Download => proof.server_bytes,
        Direction::Upload => proof.client_bytes,
    };
    Some(wire).filter(|wire| *wire > 0)
}
