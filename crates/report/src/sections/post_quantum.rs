//! What post-quantum key exchange and certificates add to a handshake, in time and in bytes.

use tlstax_doc::Metric;
use tlstax_spec::{Contexts, Group, Handshake, Key, Params, Proof, Resumption};

use crate::ask::{Facts, Item, more_round_trips};
use crate::label::{Labels, POST_QUANTUM, key};
use crate::model::{Block, Cell, Column, Quantity, Row, Section, Table};
use crate::number;
use crate::phrase::LISTED;

type Found<'a> = Item<'a, Handshake>;

/// A handshake beside the same one as it was before post-quantum cryptography.
struct Pair<'a> {
    new: Found<'a>,
    old: Found<'a>,
}

/// What is replaced by what: the way back to the older handshake, and how either is said.
struct Choice {
    caption: &'static str,
    older: fn(&Params) -> Option<Params>,
    said: fn(&Params) -> String,
}

const CHOICES: &[Choice] = &[
    Choice {
        caption: "What a hybrid group adds to a full handshake, beside X25519",
        older: |params| {
            params.group?.is_post_quantum().then_some(Params { group: Some(Group::X25519), ..*params })
        },
        said: |params| params.group.map_or("RSA key transport", Group::name).to_owned(),
    },
    Choice {
        caption: "What ML-DSA certificates add to a full handshake, beside ECDSA P-256",
        older: |params| params.key.is_post_quantum().then_some(Params { key: Key::EcdsaP256, ..*params }),
        said: |params| key(params.key).to_owned(),
    },
];

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let mut items = facts.handshakes();
    items.retain(|item| {
        let usual = item.work.contexts == Contexts::Shared && item.work.resumption == Resumption::Full;
        usual && item.case.threads == 1 && !item.is_control()
    });
    let libraries = facts.libraries(&items);
    let mut blocks = Vec::new();
    let mut sentences = Vec::new();
    for choice in CHOICES {
        let pairs = pairs(&items, choice);
        blocks.extend(table(facts, &pairs, choice).map(Block::Table));
        sentences.extend(sentence(facts, &pairs, choice, &libraries));
    }
    sentences.extend(window(&items));
    (!blocks.is_empty()).then(|| Section {
        id: "post-quantum".to_owned(),
        title: "Post-quantum handshakes".to_owned(),
        intro: "\
                The difference to the same handshake without: CPU microseconds and bytes of each side; below zero \
                is less."
            .to_owned(),
        blocks,
        sentences,
    })
}

/// The handshakes that have an older counterpart, those of all libraries for one choice together.
fn pairs<'a>(items: &[Found<'a>], choice: &Choice) -> Vec<Pair<'a>> {
    let pair = |new: &Found<'a>| {
        let wanted = Handshake { params: (choice.older)(&new.work.params)?, ..*new.work };
        let is_it = |old: &&Found<'_>| old.library() == new.library() && *old.work == wanted;
        Some(Pair { new: *new, old: *items.iter().find(is_it)? })
    };
    let mut pairs: Vec<Pair<'a>> = items.iter().filter_map(pair).collect();
    let firsts: Vec<&Handshake> = pairs.iter().map(|pair| pair.new.work).collect();
    let place = |pair: &Pair<'_>| firsts.iter().position(|first| **first == *pair.new.work);
    pairs.sort_by_key(place);
    pairs
}

fn table(facts: &Facts<'_>, pairs: &[Pair<'_>], choice: &Choice) -> Option<Table> {
    let both: Vec<Found<'_>> = pairs.iter().flat_map(|pair| [pair.new, pair.old]).collect();
    let labels = Labels::of(POST_QUANTUM, &both);
    let row = |pair: &Pair<'_>| {
        let mut cells = vec![Cell::text(labels.name(&pair.new)), Cell::text(pair.new.library())];
        cells.extend([Metric::Client, Metric::Server].map(|metric| pair.added(facts, metric)));
        let bytes = |count: fn(&Proof) -> u64| {
            Cell::maybe(pair.bytes(count).map(|added| Quantity::exact(added as f64, "B")))
        };
        cells.extend([bytes(|proof| proof.client_bytes), bytes(|proof| proof.server_bytes)]);
        Row::plain(cells)
    };
    let columns = vec![
        Column::label("handshake"),
        Column::label("library"),
        Column::quantity("client", "µs"),
        Column::quantity("server", "µs"),
        Column::plain("client sends", "B"),
        Column::plain("server sends", "B"),
    ];
    (!pairs.is_empty()).then(|| Table {
        caption: labels.caption(choice.caption),
        columns,
        rows: pairs.iter().map(row).collect(),
    })
}

impl Pair<'_> {
    fn costs(&self, facts: &Facts<'_>, metric: Metric) -> Result<Quantity, String> {
        let cost =
            |item: &Found<'_>| facts.cost(item.index, metric).map(|cost| Quantity::scaled(&cost, 1e-3, "µs"));
        Ok(cost(&self.new)?.minus(&cost(&self.old)?))
    }

    fn added(&self, facts: &Facts<'_>, metric: Metric) -> Cell {
        Cell::of(self.costs(facts, metric))
    }

    /// How many more bytes one side sends.
    fn bytes(&self, count: fn(&Proof) -> u64) -> Option<i64> {
        let of = |item: &Found<'_>| i64::try_from(count(item.measurement.proof()?)).ok();
        Some(of(&self.new)? - of(&self.old)?)
    }

    /// What both sides pay, as far as it can be told.
    fn said(&self, facts: &Facts<'_>) -> Option<String> {
        let side = |metric: Metric| {
            let added = self.costs(facts, metric).ok()?;
            let told = |value: f64, low, high| number::within_interval(value, low, high);
            let said = match added {
                Quantity { value, low, high, .. } if low > 0.0 => {
                    format!("{} µs more", told(value, low, high))
                }
                Quantity { value, low, high, .. } if high < 0.0 => {
                    format!("{} µs less", told(-value, -high, -low))
                }
                _ => return None,
            };
            Some(format!("the {} {said}", metric.name()))
        };
        let sides: Vec<String> = [Metric::Client, Metric::Server].into_iter().filter_map(side).collect();
        (!sides.is_empty()).then(|| sides.join(" and "))
    }
}

/// The first handshake of the choice, with every library that made it; of many, the two that are furthest apart.
fn sentence(facts: &Facts<'_>, pairs: &[Pair<'_>], choice: &Choice, libraries: &[&str]) -> Option<String> {
    let first = pairs.first()?;
    let find = |library: &str| {
        pairs.iter().find(|pair| pair.new.library() == library && pair.new.work == first.new.work)
    };
    let mut told: Vec<(f64, &str, String)> = libraries
        .iter()
        .filter_map(|library| {
            let pair = find(library)?;
            let server = pair.costs(facts, Metric::Server).ok()?;
            Some((server.value, *library, pair.said(facts)?))
        })
        .collect();
    let mut joint = "; ";
    if told.len() > LISTED {
        told.sort_by(|a, b| a.0.total_cmp(&b.0));
        told = [told.remove(0), told.remove(told.len() - 1)].into();
        joint = " to ";
    }
    let costs: Vec<String> = told.iter().map(|(_, library, said)| format!("{said} ({library})")).collect();
    let (new, old) = ((choice.said)(&first.new.work.params), (choice.said)(&first.old.work.params));
    let mut said = format!(
        "With {new} instead of {old}, the client sends {}",
        bytes(first, pairs, |proof| proof.client_bytes)?
    );
    said += &format!(" and the server {}", bytes(first, pairs, |proof| proof.server_bytes)?);
    if !costs.is_empty() {
        said += &format!("; a full handshake costs {}", costs.join(joint));
    }
    Some(said + ".")
}

/// "1184 bytes more", or from the least to the most where the libraries differ.
fn bytes(first: &Pair<'_>, pairs: &[Pair<'_>], count: fn(&Proof) -> u64) -> Option<String> {
    let alike = pairs.iter().filter(|pair| pair.new.work == first.new.work);
    let counts: Vec<i64> = alike.filter_map(|pair| pair.bytes(count)).collect();
    let (least, most) = (*counts.iter().min()?, *counts.iter().max()?);
    Some(match (least, most) {
        (0, 0) => "as many bytes".to_owned(),
        _ if most < 0 => format!("{} bytes less", range(-most, -least)),
        _ => format!("{} bytes more", range(least, most)),
    })
}

fn range(least: i64, most: i64) -> String {
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

/// The handshake whose server sends the most, if that is more than TCP lets through at once.
fn window(items: &[Found<'_>]) -> Option<String> {
    let sent = |item: &&Found<'_>| item.measurement.proof().map_or(0, |proof| proof.server_bytes);
    let post_quantum = |item: &&Found<'_>| item.work.params.key.is_post_quantum();
    let largest = items.iter().filter(post_quantum).max_by_key(sent)?;
    let trips = more_round_trips(sent(&largest))?;
    Some(format!(
        "With {} and {} certificates in the chain the server sends {} bytes: {trips}.",
        key(largest.work.params.key),
        largest.work.chain,
        sent(&largest)
    ))
}
