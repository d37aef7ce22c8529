//! Sentences on handshakes: each choice that people have, beside the usual handshake.

use tlstax_doc::Metric;
use tlstax_spec::{Group, Handshake, Idle, Key, Params, Resumption, Side, Version};

use super::tables::{Found, base, full, kibibytes, socket};
use crate::ask::{Item, furthest};
use crate::label::{cipher, key, version};
use crate::told::{one_each, two_each};
use crate::{number, phrase};

/// A choice: the base handshake with something else in it, and what either is called.
struct Choice {
    other: fn(Handshake) -> Handshake,
    name: fn(&Handshake) -> String,
}

/// The ways to resume, the usual ones first.
const RESUMED: [Resumption; 4] =
    [Resumption::Psk, Resumption::Ticket, Resumption::SessionId, Resumption::EarlyData];

const CHOICES: &[Choice] = &[
    Choice { other: |base| with(base, |params| params.key = Key::Rsa2048), name: with_key },
    Choice { other: |base| with(base, |params| params.group = Some(Group::Secp256r1)), name: group },
    Choice { other: |base| with(base, |params| params.version = Version::Tls12), name: of_version },
    Choice { other: |base| Handshake { mutual: true, ..base }, name: authentication },
];

/// What the usual handshake costs each side, in full and resumed, and what the connection then holds of memory.
pub(super) fn answers(items: &[Found<'_>], idles: &[Item<'_, Idle>], libraries: &[&str]) -> Vec<String> {
    let Some(like) = libraries.iter().find_map(|library| base(items, library)) else {
        return memory(idles).into_iter().collect();
    };
    let sides = |work: &Handshake| {
        let cost = |library: &&str| {
            let item = items.iter().find(|item| item.library() == *library && item.work == work)?;
            Some((
                (*library).to_owned(),
                [item.micros(Metric::Client).ok()?, item.micros(Metric::Server).ok()?],
            ))
        };
        let costs: Vec<_> = libraries.iter().filter_map(cost).collect();
        two_each(costs, ["the client", "the server"])
    };
    let what = |work: &Handshake| format!("{} handshake {}", version(work.params.version), with_key(work));
    let of_base = sides(like.work)
        .map(|costs| format!("A {} {} costs {costs}.", what(like.work), resumed_by(like.work.resumption)));
    let resumed = RESUMED.iter().find_map(|&resumption| {
        let work = Handshake { resumption, ..*like.work };
        let costs = sides(&work).filter(|_| resumption != like.work.resumption)?;
        Some(format!("The same {} costs {costs}.", resumed_by(resumption)))
    });
    [of_base, resumed, memory(idles)].into_iter().flatten().collect()
}

/// What one idle connection of each library takes on the server.
fn memory(idles: &[Item<'_, Idle>]) -> Option<String> {
    let servers = || idles.iter().filter(|item| item.work.side == Side::Server && !item.is_control());
    let first = servers().next()?;
    let alike = servers().filter(|item| item.work == first.work);
    let grown = alike.filter_map(|item| Some((item.library().to_owned(), kibibytes(item).ok()?)));
    let socket = socket(first.facts).and_then(Result::ok);
    let socket = socket.map(|socket| {
        let kibibytes = number::within_interval(socket.value, socket.low, socket.high);
        format!(", and its TCP socket {kibibytes} KiB of the kernel's")
    });
    let (grown, socket) = (one_each(grown.collect())?, socket.unwrap_or_default());
    Some(format!("An idle connection holds {grown} of the server's memory{socket}."))
}

/// At most four: what the key and the group do, what resumption saves, and how the libraries differ.
pub(super) fn sentences(items: &[Found<'_>], libraries: &[&str]) -> Vec<String> {
    let choices = CHOICES.iter().filter_map(|choice| compared(items, libraries, choice)).take(2);
    let mut sentences: Vec<String> = choices.collect();
    sentences.extend(resumed(items, libraries));
    sentences.extend(libraries_differ(items, libraries));
    sentences
}

/// The base handshake beside the one that a choice makes of it.
fn compared(items: &[Found<'_>], libraries: &[&str], choice: &Choice) -> Option<String> {
    let pair = |library: &str| {
        let base = base(items, library)?;
        let wanted = (choice.other)(*base.work);
        let is_it = |item: &&Found<'_>| item.library() == library && same(item.work, &wanted);
        let found = items.iter().find(is_it).filter(|found| found.index != base.index)?;
        Some((*found, base))
    };
    let ratio = |library: &str| pair(library).and_then(|(found, base)| found.ratio(&base, Metric::Server));
    let (found, base) = libraries.iter().find_map(|library| pair(library))?;
    let (a, b) = ((choice.name)(found.work), (choice.name)(base.work));
    phrase::by_library(libraries, ratio, &a, &b, |dear, multiple, cheap| {
        format!("On this machine a full handshake {dear} costs the server {multiple} one {cheap}")
    })
}

/// The same handshake by all that is chosen. TLS 1.2 names the key in the suite, so suites are the same that have the
/// same cipher.
fn same(a: &Handshake, b: &Handshake) -> bool {
    let suite = b.params.suite;
    cipher(a.params.suite) == cipher(suite) && Handshake { params: Params { suite, ..a.params }, ..*a } == *b
}

/// The usual handshake in full beside the same one resumed, in the first way that was measured.
fn resumed(items: &[Found<'_>], libraries: &[&str]) -> Option<String> {
    let sentence = |&kind: &Resumption| {
        let resumed = |library: &str| {
            let is_it = |item: &&Found<'_>| item.library() == library && item.work.resumption == kind;
            items.iter().filter(is_it).find_map(|item| Some((*item, full(items, item)?)))
        };
        let ratio =
            |library: &str| resumed(library).and_then(|(item, full)| full.ratio(&item, Metric::Server));
        let (item, _) = libraries.iter().find_map(|library| resumed(library))?;
        let what = version(item.work.params.version);
        phrase::by_library(libraries, ratio, "in full", resumed_by(kind), |dear, multiple, cheap| {
            format!("On this machine a {what} handshake {dear} costs the server {multiple} one {cheap}")
        })
    };
    RESUMED.iter().find_map(sentence)
}

/// The two libraries that are furthest apart in the base handshake of the first.
fn libraries_differ(items: &[Found<'_>], libraries: &[&str]) -> Option<String> {
    let base = libraries.iter().find_map(|library| base(items, library))?;
    let (a, b, ratio) = furthest(libraries, Metric::Server, |library| base.by(library, items))?;
    let what = format!("a {} handshake {}", version(base.work.params.version), with_key(base.work));
    phrase::libraries(&ratio, &what, a, b, "costs the server")
}

fn with(base: Handshake, change: impl Fn(&mut Params)) -> Handshake {
    let mut changed = base;
    change(&mut changed.params);
    changed
}

fn with_key(work: &Handshake) -> String {
    format!("with {}", key(work.params.key))
}

fn group(work: &Handshake) -> String {
    format!("with {}", work.params.group.map_or("RSA key transport", Group::name))
}

fn of_version(work: &Handshake) -> String {
    format!("of {}", version(work.params.version))
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
    use tlstax_spec::{Contexts, Suite};

    use super::*;

    #[test]
    fn suites_are_the_same_by_their_cipher() {
        let of = |suite, key| Handshake {
            params: Params { version: Version::Tls12, suite, group: Some(Group::X25519), key },
            chain: 2,
            resumption: Resumption::Full,
            mutual: false,
            contexts: Contexts::Shared,
        };
        let ecdsa = of(Suite::EcdheEcdsaAes128Gcm, Key::EcdsaP256);
        let wanted = with(ecdsa, |params| params.key = Key::Rsa2048);
        assert!(same(&of(Suite::EcdheRsaAes128Gcm, Key::Rsa2048), &wanted));
        assert!(!same(&of(Suite::EcdheRsaAes256Gcm, Key::Rsa2048), &wanted));
        assert!(!same(&ecdsa, &wanted));
    }
}
