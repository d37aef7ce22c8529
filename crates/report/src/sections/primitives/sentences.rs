//! Sentences on ciphers: how they differ, and how libraries do.

use tlstax_doc::Metric;
use tlstax_spec::{Algorithm, Class, Op, Pattern, Primitive};

use super::rows::Found;
use crate::ask::{Facts, find};
use crate::number;
use crate::phrase;

/// At most four, at one size: each cipher beside the first, and the libraries.
pub(super) fn sentences(
    facts: &Facts<'_>,
    items: &[Found<'_>],
    libraries: &[&str],
    size: u32,
) -> Vec<String> {
    let at = number::bytes(size.into());
    let index = |library: &str, algorithm| {
        let work = Primitive { op: Op::Encrypt, algorithm, size, pattern: Pattern::Tls };
        Some(find(items, library, &work)?.index)
    };
    let is_measured = |algorithm: &&Algorithm| {
        algorithm.class() == Class::Aead
            && libraries.iter().any(|library| index(library, **algorithm).is_some())
    };
    let mut ciphers = Algorithm::ALL.iter().filter(is_measured);
    let Some(&base) = ciphers.next() else { return Vec::new() };
    let dearer = |&other: &Algorithm| {
        let ratios = facts.by_library(libraries, Metric::Cpu, |library| {
            Some((index(library, other)?, index(library, base)?))
        });
        phrase::by_library(&ratios, other.name(), base.name(), |dear, multiple, cheap| {
            format!("At {at} {dear} costs {multiple} {cheap}")
        })
    };
    let mut sentences: Vec<String> =
        ciphers.filter_map(dearer).take(3).map(|sentence| sentence + ".").collect();
    // What most connections use.
    let usual = Algorithm::Aes128Gcm;
    let furthest = facts.furthest(libraries, Metric::Cpu, |library| index(library, usual));
    sentences.extend(
        furthest
            .and_then(|(a, b, ratio)| phrase::libraries(&ratio, &format!("{usual} at {at}"), a, b, "costs")),
    );
    sentences
}
