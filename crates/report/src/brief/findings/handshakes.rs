//! Handshakes that differ in one choice: the key, the group, the version, resumption, a client's certificate.

use tlstax_doc::Metric;
use tlstax_spec::{Contexts, Group, Handshake, Key, Params, Resumption, Version};

use super::finding::{Finding, Usual};
use crate::ask::{Facts, Item};
use crate::label::cipher;
use crate::sections::Published;

/// The usual choice, another one in its place, and what that usually does to the server's cost.
struct Choice {
    /// What stands before and behind the ratio in a sentence.
    said: [&'static str; 2],
    is_usual: fn(&Handshake) -> bool,
    other: fn(Handshake) -> Handshake,
    usual: [f64; 2],
}

/// Where the ranges come from: docs/method.md, section 16, has the figures, which are rounded outwards.
const BY: &str = "tlstax's own runs";

const CHOICES: [Choice; 5] = [
    Choice {
        said: ["A handshake with RSA-2048 costs the server", "one with ECDSA P-256"],
        is_usual: |work| work.params.key == Key::EcdsaP256 && is_full(work),
        other: |work| with(work, |params| params.key = Key::Rsa2048),
        usual: [1.3, 8.0],
    },
    Choice {
        said: ["A handshake with X25519MLKEM768 costs the server", "one with X25519"],
        is_usual: |work| work.params.group == Some(Group::X25519) && is_full(work),
        other: |work| with(work, |params| params.group = Some(Group::X25519MlKem768)),
        usual: [1.05, 2.0],
    },
    Choice {
        said: ["A handshake of TLS 1.3 costs the server", "one of TLS 1.2"],
        is_usual: |work| work.params.version == Version::Tls12 && is_full(work),
        other: |work| with(work, |params| params.version = Version::Tls13),
        usual: [1.0, 1.3],
    },
    Choice {
        said: ["A handshake resumed by pre-shared key costs the server", "one in full with ECDSA P-256"],
        is_usual: |work| {
            work.params.key == Key::EcdsaP256 && work.params.version == Version::Tls13 && is_full(work)
        },
        other: |work| Handshake { resumption: Resumption::Psk, ..work },
        usual: [0.3, 1.0],
    },
    Choice {
        said: ["A handshake with a client's certificate costs the server", "one without"],
        is_usual: |work| is_full(work) && work.params.key == Key::EcdsaP256,
        other: |work| Handshake { mutual: true, ..work },
        usual: [1.5, 3.5],
    },
];

/// Each choice in each handshake of each library.
pub(super) fn findings(facts: &Facts<'_>, _: &Published) -> Vec<Finding> {
    let mut items = facts.handshakes();
    items.retain(|item| item.case.threads == 1 && !item.is_control());
    let of_choice = |choice: &Choice| {
        let usual = items.iter().filter(|item| (choice.is_usual)(item.work));
        usual.filter_map(|item| finding(&items, item, choice)).collect::<Vec<_>>()
    };
    CHOICES.iter().flat_map(of_choice).collect()
}

fn finding(items: &[Item<'_, Handshake>], item: &Item<'_, Handshake>, choice: &Choice) -> Option<Finding> {
    let wanted = (choice.other)(*item.work);
    let is_other =
        |other: &&Item<'_, Handshake>| other.library() == item.library() && same(other.work, &wanted);
    let ratio = items.iter().find(is_other)?.ratio(item, Metric::Server)?;
    let [before, after] = choice.said;
    Some(Finding {
        kind: before.to_owned(),
        said: [before.to_owned(), format!("{after} ({})", item.library())],
        ratio,
        usual: Usual::new(choice.usual[0], choice.usual[1], BY),
    })
}

/// The same by all that is chosen. In TLS 1.2 the key is part of the suite's name, and each version has its own: suites are the
/// same that have the same cipher.
fn same(a: &Handshake, b: &Handshake) -> bool {
    let suite = b.params.suite;
    cipher(a.params.suite) == cipher(suite) && Handshake { params: Params { suite, ..a.params }, ..*a } == *b
}

fn with(mut work: Handshake, change: impl Fn(&mut Params)) -> Handshake {
    change(&mut work.params);
    work
}

fn is_full(work: &Handshake) -> bool {
    work.resumption == Resumption::Full && work.contexts == Contexts::Shared && !work.mutual
}
