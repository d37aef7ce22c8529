//! Sentences on switches: one for encryption, one for hashing, one for handshakes.

use tlstax_doc::Metric;
use tlstax_spec::{Class, Op, Primitive};

use super::measured::Measured;
use crate::ask::Switched;
use crate::label::{key, version};
use crate::number;
use crate::phrase::slowly;

/// At most three, each over all libraries of which it is known.
pub(super) fn sentences(measured: &Measured<'_>, pairs: &[Switched<'_>]) -> Vec<String> {
    let kinds = [
        joined(pairs, |pair| sized(measured, pair, Class::Aead, Op::Encrypt, "encrypts")),
        joined(pairs, |pair| sized(measured, pair, Class::Hash, Op::Digest, "hashes with")),
        joined(pairs, |pair| handshake(measured, pair)),
    ];
    kinds.into_iter().flatten().collect()
}

/// "Without aes, openssl does it 11 times as slowly; without asm, openssl-3.6 does it 14 times as slowly."
fn joined(pairs: &[Switched<'_>], of_pair: impl Fn(&Switched<'_>) -> Option<String>) -> Option<String> {
    let sentence =
        |pair: &Switched<'_>| Some(format!("ithout {}, {} {}", pair.what, pair.on, of_pair(pair)?));
    let sentences: Vec<String> = pairs.iter().filter_map(sentence).collect();
    (!sentences.is_empty()).then(|| format!("W{}.", sentences.join("; w")))
}

/// The first algorithm of a class, at its largest size, that the switch touches.
fn sized(measured: &Measured<'_>, pair: &Switched<'_>, class: Class, op: Op, does: &str) -> Option<String> {
    let works = || {
        let works = measured.primitives(pair, true).map(|item| *item.work);
        works.filter(|work| work.algorithm.class() == class && work.op == op)
    };
    let size = works().map(|work| work.size).max()?;
    let sentence = |work: Primitive| {
        let slowly = slowly(&measured.factor(pair, &work)?)?;
        Some(format!("{does} {} at {} {slowly}", work.algorithm, number::bytes(size.into())))
    };
    works().filter(|work| work.size == size).find_map(sentence)
}

/// The server's part of the first handshake that was measured: of so many, one would seem touched by chance.
fn handshake(measured: &Measured<'_>, pair: &Switched<'_>) -> Option<String> {
    let [off, on] = measured.handshakes(pair).next()?;
    let ratio = off.ratio(&on, Metric::Server)?;
    let (params, resumption) = (off.work.params, off.work.resumption);
    let what = format!("{} {resumption} handshake", version(params.version));
    Some(format!("does the server's part of a {what} with {} {}", key(params.key), slowly(&ratio)?))
}
