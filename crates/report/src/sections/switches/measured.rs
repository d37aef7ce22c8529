//! What was measured with something switched off and without, and what that says of it.

use tlstax_doc::Metric;
use tlstax_spec::{Class, Contexts, Handshake, Op, Primitive};
use tlstax_stats::Estimate;

use crate::ask::{Facts, Item, Switched, find};
use crate::label::{key, version};
use crate::number;
use crate::phrase::slowly;

/// What is compared: everything that one thread does.
pub(super) struct Measured<'a> {
    pub primitives: Vec<Item<'a, Primitive>>,
    pub handshakes: Vec<Item<'a, Handshake>>,
}

impl<'a> Measured<'a> {
    pub fn of(facts: &'a Facts<'a>) -> Self {
        let mut primitives = facts.primitives();
        primitives.retain(|item| item.case.threads == 1);
        primitives.sort_by_key(|item| (item.work.algorithm, item.work.op, item.work.pattern, item.work.size));
        let mut handshakes = facts.handshakes();
        handshakes.retain(|item| item.case.threads == 1 && item.work.contexts == Contexts::Shared);
        Self { primitives, handshakes }
    }

    /// The primitives of the library without it that have sizes, or those that have none.
    pub fn primitives(&self, pair: &Switched<'_>, sized: bool) -> impl Iterator<Item = &Item<'a, Primitive>> {
        self.primitives.iter().filter(move |item| {
            let both = item.library() == pair.off && self.find(pair.on, item.work).is_some();
            both && item.work.algorithm.class().is_sized() == sized
        })
    }

    pub fn find(&self, library: &str, work: &Primitive) -> Option<Item<'a, Primitive>> {
        find(&self.primitives, library, work)
    }

    /// What a primitive costs without it as a multiple of what it costs with it.
    pub fn factor(&self, pair: &Switched<'_>, work: &Primitive) -> Option<Estimate> {
        self.find(pair.off, work)?.ratio(&self.find(pair.on, work)?, Metric::Cpu)
    }

    /// The handshakes of a library without it, each with the same one with it.
    pub fn handshakes(&self, pair: &Switched<'_>) -> impl Iterator<Item = [Item<'a, Handshake>; 2]> {
        let own = self.handshakes.iter().filter(|item| item.library() == pair.off);
        own.filter_map(|item| Some([*item, item.by(pair.on, &self.handshakes)?]))
    }
}

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
