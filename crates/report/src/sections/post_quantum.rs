//! What post-quantum key exchange and certificates add to a handshake, in time and in bytes.

mod pairs;

use tlstax_doc::Metric;
use tlstax_spec::{Contexts, Group, Key, Params, Proof, Resumption};

use self::pairs::{Found, Pair, answer, pairs, sentence, window};
use crate::ask::{Facts, libraries};
use crate::grid::{Grid, Measure};
use crate::label::{Labels, POST_QUANTUM, key};
use crate::model::{Quantity, Section, Table};

/// What is replaced by what: the way back to the older handshake, and what either is called.
struct Choice {
    caption: &'static str,
    older: fn(&Params) -> Option<Params>,
    name: fn(&Params) -> String,
}

const CHOICES: &[Choice] = &[
    Choice {
        caption: "What a hybrid group adds to a full handshake, beside X25519",
        older: |params| {
            params.group?.is_post_quantum().then_some(Params { group: Some(Group::X25519), ..*params })
        },
        name: |params| params.group.map_or("RSA key transport", Group::name).to_owned(),
    },
    Choice {
        caption: "What ML-DSA certificates add to a full handshake, beside ECDSA P-256",
        older: |params| params.key.is_post_quantum().then_some(Params { key: Key::EcdsaP256, ..*params }),
        name: |params| key(params.key).to_owned(),
    },
];

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let mut items = facts.handshakes();
    items.retain(|item| {
        let usual = item.work.contexts == Contexts::Shared && item.work.resumption == Resumption::Full;
        usual && item.case.threads == 1 && !item.is_control()
    });
    let libraries = libraries(&items);
    let intro = "\
        The difference to the same handshake without: CPU microseconds and bytes of each side; below zero is less.";
    let mut section = Section::new("post-quantum", "Post-quantum handshakes", intro);
    let (mut answers, mut sentences) = (Vec::new(), Vec::new());
    for choice in CHOICES {
        let pairs = pairs(&items, choice.older);
        section = section.with(table(&pairs, choice.caption));
        let sentence = sentence(&pairs, choice.name, &libraries);
        answers.extend(answer(&pairs, choice.name).or_else(|| sentence.clone()));
        sentences.extend(sentence);
    }
    let replaced = sentences.len();
    sentences.extend(window(&items));
    (!section.blocks.is_empty()).then(|| section.saying(sentences).answering_in_place(replaced, answers))
}

fn table(pairs: &[Pair<'_>], caption: &str) -> Option<Table> {
    let both: Vec<Found<'_>> = pairs.iter().flat_map(|pair| [pair.new, pair.old]).collect();
    let labels = Labels::of(POST_QUANTUM, &both);
    let named = |pair: &Pair<'_>| [labels.name(&pair.new), pair.new.library().to_owned()];
    let added = |metric| move |pair: &Pair<'_>| pair.new.more_than(&pair.old, metric);
    let bytes = |pair: &Pair<'_>, count: fn(&Proof) -> u64| {
        pair.bytes(count).map(|added| Quantity::exact(added as f64, "B"))
    };
    Grid::new(["handshake", "library"], pairs.iter().map(|pair| (named(pair), *pair)))
        .measure(Measure::quantity("client", "µs", added(Metric::Client)))
        .measure(Measure::quantity("server", "µs", added(Metric::Server)))
        .measure(Measure::plain("client sends", "B", |pair| bytes(pair, |proof| proof.client_bytes)))
        .measure(Measure::plain("server sends", "B", |pair| bytes(pair, |proof| proof.server_bytes)))
        .table(labels.caption(caption))
}
