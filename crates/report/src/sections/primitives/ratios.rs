//! Throughputs in percent of others: of algorithms that people choose between, and of a library as it is beside the same one
//! with something switched off.

use tlstax_doc::Metric;
use tlstax_spec::{Algorithm, Pattern, Primitive};

use super::operations::{Found, measured, title};
use crate::ask::{find, libraries};
use crate::model::{Cell, Quantity};

/// Algorithms whose throughputs are set in relation, where both were measured.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pair {
    pub name: &'static str,
    part: Algorithm,
    whole: Algorithm,
}

const fn pair(name: &'static str, part: Algorithm, whole: Algorithm) -> Pair {
    Pair { name, part, whole }
}

pub(crate) const PAIRS: &[Pair] = &[
    pair("CBC / GCM, 128 bits", Algorithm::Aes128Cbc, Algorithm::Aes128Gcm),
    pair("CBC / GCM, 256 bits", Algorithm::Aes256Cbc, Algorithm::Aes256Gcm),
    pair("AES-256 / AES-128, GCM", Algorithm::Aes256Gcm, Algorithm::Aes128Gcm),
    pair("AES-256 / AES-128, CBC", Algorithm::Aes256Cbc, Algorithm::Aes128Cbc),
    pair("ChaCha20 / AES-256-GCM", Algorithm::ChaCha20Poly1305, Algorithm::Aes256Gcm),
    pair("SHA-384 / SHA-256", Algorithm::Sha384, Algorithm::Sha256),
];

/// A switch matters to an operation that is so many percent from where it was, at one size at least.
const TOUCHED: f64 = 10.0;

/// The names of a row, and a cell for each size.
type Row = ([String; 2], Vec<Cell>);

/// All rows of a library; `items` are those of all libraries, `own` its own.
pub(super) fn rows(items: &[Found<'_>], own: &[Found<'_>], library: &str, sizes: &[u32]) -> Vec<Row> {
    let each = Pattern::ALL.iter().flat_map(|pattern| PAIRS.iter().map(move |pair| (pair, *pattern)));
    let of_pair = |(pair, pattern): (&Pair, Pattern)| {
        let op = *pair.part.ops().first()?;
        let cells: Vec<Cell> = sizes.iter().map(|size| pair.percent(own, *size, pattern).into()).collect();
        let mark = if pattern == Pattern::Speed { " (speed)" } else { "" };
        let row = ([pair.name.to_owned(), format!("{op}{mark}")], cells);
        row.1.iter().any(|cell| *cell != Cell::Empty).then_some(row)
    };
    let mut rows: Vec<Row> = each.filter_map(of_pair).collect();
    rows.extend(switched(items, own, library, sizes));
    rows
}

impl Pair {
    /// The throughput of the one in percent of the other's.
    pub(crate) fn percent(&self, own: &[Found<'_>], size: u32, pattern: Pattern) -> Option<Quantity> {
        // Decryption shows the same ratio, or nearly so.
        let op = *self.part.ops().first()?;
        let made = |algorithm| {
            let work = Primitive { op, algorithm, size, pattern };
            own.iter().find(|item| *item.work == work)
        };
        made(self.whole)?.percent(made(self.part)?, Metric::Cpu)
    }
}

/// Of a library with something switched off: the throughput with it in percent of the one without it.
fn switched(items: &[Found<'_>], own: &[Found<'_>], library: &str, sizes: &[u32]) -> Vec<Row> {
    let all = libraries(items);
    let Some(switched) = own.first().and_then(|item| item.facts.switched(library, &all)) else {
        return Vec::new();
    };
    let row = |work: Primitive| {
        let percent = |size: &u32| {
            let [on, off] =
                [switched.on, library].map(|id| find(items, id, &Primitive { size: *size, ..work }));
            off?.percent(&on?, Metric::Cpu)
        };
        let found: Vec<Option<Quantity>> = sizes.iter().map(percent).collect();
        let is_touched = found
            .iter()
            .flatten()
            .any(|percent| percent.low > 100.0 + TOUCHED || percent.high < 100.0 - TOUCHED);
        let names = [format!("{} on / off", switched.what), title(&work)];
        is_touched.then(|| (names, found.into_iter().map(Cell::from).collect()))
    };
    measured(own).into_iter().filter_map(row).collect()
}
