//! Sentences on ciphers: how they differ, and how libraries do.

use tlstax_doc::Metric;
use tlstax_spec::{Algorithm, Class, Op, Pattern, Primitive};

use super::operations::{Found, measured, throughput};
use crate::ask::{find, furthest};
use crate::number;
use crate::phrase;
use crate::told::one_each;

/// What most connections use.
const USUAL: [(Algorithm, Op); 3] = [
    (Algorithm::Aes128Gcm, Op::Encrypt),
    (Algorithm::ChaCha20Poly1305, Op::Encrypt),
    (Algorithm::Sha256, Op::Digest),
];

/// The speed of what most connections use, at one size; where nothing of it was measured, of what was.
pub(super) fn answers(items: &[Found<'_>], libraries: &[&str], size: u32) -> Vec<String> {
    let answer = |work: Primitive| {
        let work = Primitive { size, ..work };
        let rate =
            |library: &&str| Some(((*library).to_owned(), throughput(&find(items, library, &work)?).ok()?));
        let rates = one_each(libraries.iter().filter_map(rate).collect())?;
        let at = number::bytes(size.into());
        Some(format!("One core {} {} at {rates}, in messages of {at}.", does(work.op), work.algorithm))
    };
    let usual = USUAL.map(|(algorithm, op)| Primitive { op, algorithm, size, pattern: Pattern::Tls });
    let answers: Vec<String> = usual.into_iter().filter_map(answer).collect();
    match answers.is_empty() {
        true => measured(items).into_iter().filter_map(answer).take(USUAL.len()).collect(),
        false => answers,
    }
}

fn does(op: Op) -> &'static str {
    match op {
        Op::Encrypt => "encrypts with",
        Op::Decrypt => "decrypts with",
        Op::Digest => "hashes with",
        Op::Mac => "authenticates with",
        _ => "works with",
    }
}

/// At most four, at one size: each cipher beside the first, and the libraries.
pub(super) fn sentences(items: &[Found<'_>], libraries: &[&str], size: u32) -> Vec<String> {
    let at = number::bytes(size.into());
    let made = |library: &str, algorithm| {
        find(items, library, &Primitive { op: Op::Encrypt, algorithm, size, pattern: Pattern::Tls })
    };
    let is_measured = |algorithm: &&Algorithm| {
        algorithm.class() == Class::Aead
            && libraries.iter().any(|library| made(library, **algorithm).is_some())
    };
    let mut ciphers = Algorithm::ALL.iter().filter(is_measured);
    let Some(&base) = ciphers.next() else { return Vec::new() };
    let dearer = |&other: &Algorithm| {
        let ratio = |library: &str| made(library, other)?.ratio(&made(library, base)?, Metric::Cpu);
        phrase::by_library(libraries, ratio, other.name(), base.name(), |dear, multiple, cheap| {
            format!("At {at} {dear} costs {multiple} {cheap}")
        })
    };
    let mut sentences: Vec<String> = ciphers.filter_map(dearer).take(3).collect();
    // What most connections use.
    let usual = Algorithm::Aes128Gcm;
    let furthest = furthest(libraries, Metric::Cpu, |library| made(library, usual));
    sentences.extend(
        furthest
            .and_then(|(a, b, ratio)| phrase::libraries(&ratio, &format!("{usual} at {at}"), a, b, "costs")),
    );
    sentences
}
