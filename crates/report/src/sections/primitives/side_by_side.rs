//! The ciphers and hashes of many libraries at the largest size: libraries down, algorithms across.

use tlstax_spec::Pattern;

use super::{Grid, Key, title};
use crate::model::{Cell, Column, Table};
use crate::number;
use crate::sections::side_by_side;

/// None where the tables of each library are few enough to be held beside each other.
pub(super) fn table(grid: &Grid<'_>, libraries: &[&str]) -> Option<Table> {
    let size = grid.sizes().last().copied().filter(|_| side_by_side::too_many(libraries))?;
    let mut keys = grid.keys(None);
    keys.retain(|key| key.pattern == Pattern::Tls);
    let columns = keys.iter().map(|key| Column::quantity(title(*key), "MB/s")).collect();
    let throughput = |library: &str, key: &Key| {
        grid.find(library, *key, size).map_or(Cell::Empty, |item| Cell::of(grid.throughput(&item)))
    };
    let caption = format!("Side by side: messages of {}", number::bytes(size.into()));
    side_by_side::table(caption, libraries, columns, |library| {
        keys.iter().map(|key| throughput(library, key)).collect()
    })
}
