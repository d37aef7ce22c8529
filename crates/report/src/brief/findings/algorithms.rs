//! Algorithms beside each other, as on the machines whose figures were published.

use tlstax_doc::Metric;
use tlstax_spec::{Algorithm, Op, Pattern, Primitive};

use super::finding::{Finding, Usual};
use crate::ask::{Facts, Item, distinct, find, libraries};
use crate::number;
use crate::sections::Published;

/// What people choose between.
const PAIRS: [(Algorithm, Algorithm, Op); 9] = [
    (Algorithm::ChaCha20Poly1305, Algorithm::Aes128Gcm, Op::Encrypt),
    (Algorithm::Aes256Gcm, Algorithm::Aes128Gcm, Op::Encrypt),
    (Algorithm::Aes128Cbc, Algorithm::Aes128Gcm, Op::Encrypt),
    (Algorithm::Aes128CbcHmacSha1, Algorithm::Aes128Gcm, Op::Encrypt),
    (Algorithm::Sha384, Algorithm::Sha256, Op::Digest),
    (Algorithm::Sha512, Algorithm::Sha256, Op::Digest),
    (Algorithm::Sha1, Algorithm::Sha256, Op::Digest),
    (Algorithm::Rsa2048, Algorithm::EcdsaP256, Op::Sign),
    (Algorithm::Rsa4096, Algorithm::Rsa2048, Op::Sign),
];

/// Each pair by each library, at the largest size.
pub(super) fn findings(facts: &Facts<'_>, published: &Published) -> Vec<Finding> {
    let mut items = facts.primitives();
    items.retain(|item| item.case.threads == 1);
    let largest = items.iter().map(|item| item.work.size).max().unwrap_or(0);
    let of_pair = |&(part, whole, op): &(Algorithm, Algorithm, Op)| {
        let size = if part.class().is_sized() { largest } else { 0 };
        let of = |algorithm| Primitive { op, algorithm, size, pattern: Pattern::Tls };
        let usual = usual(published, &of(part), &of(whole));
        let finding = |library: &str| finding(&items, library, [of(part), of(whole)], usual.clone()?);
        libraries(&items).into_iter().filter_map(finding).collect::<Vec<_>>()
    };
    PAIRS.iter().flat_map(of_pair).collect()
}

fn usual(published: &Published, part: &Primitive, whole: &Primitive) -> Option<Usual> {
    let found = published.ratios(part, whole);
    let ratios: Vec<f64> = found.iter().map(|(_, ratio)| *ratio).collect();
    let by = match distinct(&found, |(machine, _)| machine.as_str()).as_slice() {
        [(machine, _)] => format!("published for {machine}"),
        several => format!("published for {} machines", several.len()),
    };
    Usual::of(&ratios, by)
}

fn finding(
    items: &[Item<'_, Primitive>],
    library: &str,
    [part, whole]: [Primitive; 2],
    usual: Usual,
) -> Option<Finding> {
    let ratio = find(items, library, &part)?.ratio(&find(items, library, &whole)?, Metric::Cpu)?;
    let (before, after) = match part.size {
        0 => (format!("Signing with {} costs", part.algorithm), format!("signing with {}", whole.algorithm)),
        size => (
            format!("{} costs", part.algorithm),
            format!("{} at {}", whole.algorithm, number::bytes(size.into())),
        ),
    };
    // One that is much faster than elsewhere is far from all that it is held against.
    let kind = format!("beside {}", whole.algorithm);
    Some(Finding { kind, said: [before, format!("{after} ({library})")], ratio, usual })
}
