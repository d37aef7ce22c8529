//! What the handshakes say in plain words: each choice that people have, beside the usual handshake.

use tlstax_doc::Metric;
use tlstax_spec::{Group, Handshake, Key, Params, Resumption, Version};

use super::{Found, base, full};
use crate::facts::Facts;
use crate::label::cipher;
use crate::phrase;

/// A choice: the base handshake with something else in it, and how either is said.
struct Choice {
    other: fn(Handshake) -> Handshake,
    said: fn(&Handshake) -> String,
}

const CHOICES: &[Choice] = &[
    Choice { other: |base| with(base, |params| params.key = Key::Rsa2048), said: key },
    Choice { other: |base| with(base, |params| params.group = Some(Group::X25519MlKem768)), said: group },
    Choice { other: |base| with(base, |params| params.group = Some(Group::Secp256r1)), said: group },
    Choice { other: |base| with(base, |params| params.version = Version::Tls12), said: version },
    Choice { other: |base| Handshake { mutual: true, ..base }, said: authentication },
];

pub(super) fn sentences(facts: &Facts<'_>, items: &[Found<'_>], libraries: &[&str]) -> Vec<String> {
    let mut said = Vec::new();
    for library in libraries {
        let Some(base) = base(items, library) else { continue };
        let found = CHOICES.iter().filter_map(|choice| compared(facts, items, &base, choice));
        let found = found.chain(resumed(facts, items, library));
        said.extend(found.map(|found| format!("On this machine, with {library}, {found}.")));
    }
    if let [a, b, ..] = libraries {
        said.extend(libraries_differ(facts, items, a, b));
    }
    said
}

/// The base handshake beside the one that a choice makes of it.
fn compared(facts: &Facts<'_>, items: &[Found<'_>], base: &Found<'_>, choice: &Choice) -> Option<String> {
    let wanted = (choice.other)(*base.work);
    let is_it = |item: &&Found<'_>| {
        item.library() == base.library() && item.case.threads == base.case.threads && same(item.work, &wanted)
    };
    let found = items.iter().find(is_it).filter(|found| found.index != base.index)?;
    let ratio = facts.ratio(found.index, base.index, Metric::Server)?;
    let (a, b) = ((choice.said)(found.work), (choice.said)(base.work));
    phrase::dearer_kind(&ratio, "a full handshake", &a, &b, "costs the server")
}

/// The same handshake by all that is chosen. TLS 1.2 names the key in the suite, so suites are the same that have the
/// same cipher.
fn same(a: &Handshake, b: &Handshake) -> bool {
    let suite = b.params.suite;
    cipher(a.params.suite) == cipher(suite) && Handshake { params: Params { suite, ..a.params }, ..*a } == *b
}

/// A sentence for each way of resuming that was measured in full too.
fn resumed(facts: &Facts<'_>, items: &[Found<'_>], library: &str) -> Vec<String> {
    let say = |&kind: &Resumption| {
        let is_it = |item: &&Found<'_>| item.library() == library && item.work.resumption == kind;
        let (item, full) = items.iter().filter(is_it).find_map(|item| Some((item, full(items, item)?)))?;
        let ratio = facts.ratio(full.index, item.index, Metric::Server)?;
        let what = format!("a {} handshake", version_name(item.work.params.version));
        phrase::dearer_kind(&ratio, &what, "in full", resumed_by(kind), "costs the server")
    };
    Resumption::ALL.iter().filter(|kind| **kind != Resumption::Full).filter_map(say).collect()
}

fn libraries_differ(facts: &Facts<'_>, items: &[Found<'_>], a: &str, b: &str) -> Option<String> {
    let base = base(items, a)?;
    let is_it = |item: &&Found<'_>| {
        item.library() == b && item.case.threads == base.case.threads && item.work == base.work
    };
    let ratio = facts.ratio(base.index, items.iter().find(is_it)?.index, Metric::Server)?;
    let what = format!("a {} handshake {}", version_name(base.work.params.version), key(base.work));
    phrase::libraries(&ratio, &what, a, b, "costs the server")
}

fn with(base: Handshake, change: impl Fn(&mut Params)) -> Handshake {
    let mut changed = base;
    change(&mut changed.params);
    changed
}

fn key(work: &Handshake) -> String {
    let name = match work.params.key {
        Key::Rsa2048 => "RSA-2048",
        Key::Rsa3072 => "RSA-3072",
        Key::Rsa4096 => "RSA-4096",
        Key::EcdsaP256 => "ECDSA P-256",
        Key::EcdsaP384 => "ECDSA P-384",
        Key::Ed25519 => "Ed25519",
    };
    format!("with {name}")
}

fn group(work: &Handshake) -> String {
    format!("with {}", work.params.group.map_or("RSA key transport", Group::name))
}

fn version(work: &Handshake) -> String {
    format!("of {}", version_name(work.params.version))
}

fn version_name(version: Version) -> &'static str {
    match version {
        Version::Tls12 => "TLS 1.2",
        Version::Tls13 => "TLS 1.3",
    }
}

fn authentication(work: &Handshake) -> String {
    if work.mutual { "with a client certificate" } else { "without a client certificate" }.to_owned()
}

fn resumed_by(kind: Resumption) -> &'static str {
    match kind {
        Resumption::Full => "in full",
        Resumption::SessionId => "resumed by session id",
        Resumption::Ticket => "resumed by ticket",
        Resumption::Psk => "resumed by pre-shared key",
        Resumption::EarlyData => "resumed with early data",
    }
}

#[cfg(test)]
mod tests {
    use tlstax_spec::Suite;

    use super::*;

    #[test]
    fn suites_are_the_same_by_their_cipher() {
        let of = |suite, key| Handshake {
            params: Params { version: Version::Tls12, suite, group: Some(Group::X25519), key },
            chain: 2,
            resumption: Resumption::Full,
            mutual: false,
        };
        let ecdsa = of(Suite::EcdheEcdsaAes128Gcm, Key::EcdsaP256);
        let wanted = with(ecdsa, |params| params.key = Key::Rsa2048);
        assert!(same(&of(Suite::EcdheRsaAes128Gcm, Key::Rsa2048), &wanted));
        assert!(!same(&of(Suite::EcdheRsaAes256Gcm, Key::Rsa2048), &wanted));
        assert!(!same(&ecdsa, &wanted));
    }
}
