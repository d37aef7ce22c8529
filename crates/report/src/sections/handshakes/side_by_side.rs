//! The handshakes of many libraries: libraries down, handshakes across.

use tlstax_doc::Metric;
use tlstax_spec::Handshake;

use super::{Found, cost, works};
use crate::ask::Facts;
use crate::label::Labels;
use crate::model::{Cell, Column, Table};
use crate::sections::side_by_side::{table, too_many};

/// A table for each side; none where the tables of each library are few enough to be held beside each other.
pub(super) fn tables(
    facts: &Facts<'_>,
    items: &[Found<'_>],
    labels: &Labels<Handshake>,
    libraries: &[&str],
) -> Vec<Table> {
    if !too_many(libraries) {
        return Vec::new();
    }
    let works = works(items);
    let side = |metric: Metric| {
        let columns = works.iter().map(|like| Column::quantity(labels.name(like), "µs")).collect();
        let cells = |library: &str| -> Vec<Cell> {
            works.iter().map(|like| cost(facts, items, library, like, metric)).collect()
        };
        table(format!("The {}, side by side", metric.name()), libraries, columns, cells)
    };
    [Metric::Server, Metric::Client].into_iter().filter_map(side).collect()
}
