//! The three tables of "How expensive is crypto in production": by protection of records, by public key, by hash.

use tlstax_doc::{Algorithm, Class, Cost};

use super::account::{Account, is_any, is_tls};
use crate::grid::{Grid, Measure};
use crate::model::Table;

/// A row: a class, or classes, of one algorithm.
struct Line {
    is: Box<dyn Fn(Class) -> bool>,
}

pub(super) fn tables(account: &Account<'_>) -> Vec<Table> {
    let ciphers = by_algorithm(account, &|class| class.cost == Cost::RecordCipher);
    let hashes = by_algorithm(account, &|class| class.algorithm.is_some_and(is_hash));
    let products = "the share of TLS times TLS's share of the process gives that of the process";
    let tables = [
        table(account, "record protection", ciphers, format!("By AEAD or cipher of records; {products}")),
        table(account, "public key", public_keys(account), format!("By public-key algorithm; {products}")),
        table(
            account,
            "hash",
            hashes,
            format!("By hash, wherever it is used, HMAC and HKDF included; {products}"),
        ),
    ];
    tables.into_iter().flatten().collect()
}

fn table(
    account: &Account<'_>,
    label: &'static str,
    rows: Vec<(String, Line)>,
    caption: String,
) -> Option<Table> {
    let rows = rows.into_iter().map(|(name, line)| ([name], line));
    Grid::new([label], rows)
        .measure(Measure::quantity("of TLS", "%", |line: &Line| account.share(&line.is, &is_tls)))
        .measure(Measure::quantity("of the process", "%", |line: &Line| account.share(&line.is, &is_any)))
        .measure(
            Measure::quantity("of the machine", "%", |line: &Line| account.of_machine(&line.is))
                .where_found(),
        )
        .table(caption)
}

/// A row for each algorithm that meant classes have.
fn by_algorithm(account: &Account<'_>, is_meant: &dyn Fn(Class) -> bool) -> Vec<(String, Line)> {
    let mut algorithms: Vec<Option<Algorithm>> =
        account.totals.keys().filter(|class| is_meant(**class)).map(|class| class.algorithm).collect();
    algorithms.sort_unstable();
    algorithms.dedup();
    let line = |algorithm: Option<Algorithm>| {
        let classes: Vec<Class> = account
            .totals
            .keys()
            .copied()
            .filter(|class| is_meant(*class) && class.algorithm == algorithm)
            .collect();
        let name = algorithm.map_or("not told apart", |algorithm| algorithm.title()).to_owned();
        (name, Line { is: Box::new(move |class| classes.contains(&class)) })
    };
    algorithms.into_iter().map(line).collect()
}

/// Signatures, their verification and key exchanges, each apart.
fn public_keys(account: &Account<'_>) -> Vec<(String, Line)> {
    let kinds = [Cost::Signature, Cost::Verification, Cost::KeyExchange];
    // What hashing a signature takes is a matter of the table of hashes.
    let is_hashing = |class: &Class| class.algorithm.is_some_and(is_hash);
    let classes =
        account.totals.keys().copied().filter(|class| kinds.contains(&class.cost) && !is_hashing(class));
    let line = |meant: Class| {
        let algorithm = meant.algorithm.map_or("not told apart", |algorithm| algorithm.title());
        let name = format!("{algorithm}, {}", meant.cost.title());
        (name, Line { is: Box::new(move |class| class == meant) })
    };
    let mut classes: Vec<Class> = classes.collect();
    classes.sort_by_key(|class| (class.algorithm, class.cost));
    classes.into_iter().map(line).collect()
}

fn is_hash(algorithm: Algorithm) -> bool {
    use Algorithm::{Hkdf, Hmac, Md5, Sha1, Sha3, Sha256, Sha512};
    matches!(algorithm, Md5 | Sha1 | Sha256 | Sha512 | Sha3 | Hmac | Hkdf)
}
