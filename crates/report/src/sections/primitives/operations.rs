//! The operations of ciphers and hashes, with their names and speeds.

use tlstax_doc::Metric;
use tlstax_spec::{Pattern, Primitive};

use crate::ask::{Item, distinct};
use crate::model::Quantity;

pub(crate) type Found<'a> = Item<'a, Primitive>;

/// The operations that were measured at any size, in the order of the vocabulary.
pub(super) fn measured(items: &[Found<'_>]) -> Vec<Primitive> {
    let works = items.iter().map(|item| Primitive { size: 0, ..*item.work });
    let mut works = distinct(works, |work| *work);
    works.sort_by_key(|work| (work.algorithm, work.op, work.pattern));
    works
}

pub(crate) fn throughput(item: &Found<'_>) -> Result<Quantity, String> {
    let cost = item.cost(Metric::Cpu)?;
    Ok(Quantity::rate(f64::from(item.work.size) * 1e3, &cost, "MB/s"))
}

/// The operation as the table names it: hashes have only one.
pub(super) fn operation(work: &Primitive) -> String {
    let op = if work.algorithm.ops().len() > 1 { work.op.name() } else { "" };
    match work.pattern {
        Pattern::Tls => op.to_owned(),
        Pattern::Speed => format!("{op} (speed)").trim_start().to_owned(),
    }
}

pub(super) fn title(work: &Primitive) -> String {
    format!("{} {}", work.algorithm, operation(work)).trim_end().to_owned()
}
