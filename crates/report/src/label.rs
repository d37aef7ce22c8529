//! What names the rows of a table: one readable label of all that differs; what does not goes into the caption.

mod load;

use std::collections::BTreeMap;

use tlstax_spec::{Bulk, Contexts, Group, Handshake, Idle, Key, Params, Suite, Version};

use crate::facts::Item;
use crate::number;

pub(crate) use load::{BODY, CLIENT, KEEPING, LOAD, ON_SERVER, SCHEME, TRANSFER, keeping, way};

/// A field of a case as people read it; empty where there is nothing to say.
pub(crate) struct Field<T: 'static> {
    /// What stands before the value in a caption; empty where the value says enough.
    title: &'static str,
    of: fn(&Item<'_, T>) -> String,
    /// Whether its most frequent value goes without saying in the rows, and into the caption.
    usual: bool,
}

/// How some items are told apart.
#[derive(Clone)]
pub(crate) struct Labels<T: 'static> {
    /// The fields that differ, with the value that goes without saying.
    differing: Vec<(&'static Field<T>, Option<String>)>,
    common: Vec<(&'static Field<T>, String)>,
}

impl<T> Labels<T> {
    pub fn of(fields: &'static [Field<T>], items: &[Item<'_, T>]) -> Self {
        let mut labels = Self { differing: Vec::new(), common: Vec::new() };
        for field in fields {
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            for value in items.iter().map(field.of).filter(|value| !value.is_empty()) {
                *counts.entry(value).or_default() += 1;
            }
            let told: usize = counts.values().sum();
            let Some((usual, _)) = counts.iter().max_by_key(|(_, count)| **count) else { continue };
            let named = format!("{} {usual}", field.title).trim_start().to_owned();
            // A field that only some have tells these apart from the others, unless it is a detail.
            let differs = counts.len() > 1 || (told < items.len() && !field.usual);
            match (differs, field.usual) {
                (false, _) => labels.common.push((field, named)),
                (true, true) => labels.differing.push((field, Some(usual.clone()))),
                (true, false) => labels.differing.push((field, None)),
            }
        }
        if labels.differing.is_empty()
            && let Some(field) = fields.first()
        {
            labels.common.retain(|(common, _)| !std::ptr::eq(*common, field));
            labels.differing.push((field, None));
        }
        labels
    }

    /// Without a detail that does not matter here.
    pub fn without(mut self, title: &str) -> Self {
        self.differing.retain(|(field, _)| field.title != title);
        self.common.retain(|(field, _)| field.title != title);
        self
    }

    /// The row in a few words.
    pub fn name(&self, item: &Item<'_, T>) -> String {
        let said = |(field, usual): &(&'static Field<T>, Option<String>)| {
            Some((field.of)(item)).filter(|value| Some(value) != usual.as_ref())
        };
        let parts: Vec<String> =
            self.differing.iter().filter_map(said).filter(|part| !part.is_empty()).collect();
        parts.join(" ")
    }

    /// The caption with what goes without saying in the rows.
    pub fn caption(&self, what: &str) -> String {
        match self.unsaid() {
            unsaid if unsaid.is_empty() => what.to_owned(),
            unsaid => format!("{what} ({unsaid})"),
        }
    }

    /// What goes without saying in the rows: what all have in common, and what those have that do not name another.
    pub fn unsaid(&self) -> String {
        let common = self.common.iter().map(|(_, named)| named.as_str()).collect::<Vec<_>>().join(", ");
        let usual: Vec<&str> = self.differing.iter().filter_map(|(_, usual)| usual.as_deref()).collect();
        let usual =
            if usual.is_empty() { usual.join("") } else { format!("{} if not named", usual.join(", ")) };
        [common, usual].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
    }
}

impl<T> Field<T> {
    const fn new(title: &'static str, of: fn(&Item<'_, T>) -> String) -> Self {
        Self { title, of, usual: false }
    }

    /// A detail: rows name it only where it is not as in most of them.
    const fn detail(title: &'static str, of: fn(&Item<'_, T>) -> String) -> Self {
        Self { usual: true, ..Self::new(title, of) }
    }
}

const VERSION: Field<Handshake> = Field::new("", |item| version(item.work.params.version).to_owned());
const KEY: Field<Handshake> = Field::new("", |item| key(item.work.params.key).to_owned());
const GROUP: Field<Handshake> = Field::detail("", |item| group(item.work.params));
const CIPHER: Field<Handshake> = Field::detail("", |item| cipher(item.work.params.suite));
const CHAIN: Field<Handshake> = Field::detail("chain", |item| item.work.chain.to_string());
const RESUMPTION: Field<Handshake> = Field::detail("", |item| item.work.resumption.to_string());
const MUTUAL: Field<Handshake> = Field::new("", |item| yes(item.work.mutual, "mutual"));
const CONTEXTS: Field<Handshake> = Field::new("", |item| match item.work.contexts {
    Contexts::Shared => String::new(),
    Contexts::PerThread => "context per thread".to_owned(),
    Contexts::PerConnection => "own context".to_owned(),
});

pub(crate) static HANDSHAKE: &[Field<Handshake>] =
    &[VERSION, KEY, GROUP, CIPHER, CHAIN, RESUMPTION, MUTUAL, CONTEXTS];

/// Post-quantum handshakes: what is new in them is always named.
pub(crate) static POST_QUANTUM: &[Field<Handshake>] =
    &[KEY, Field::new("", |item| group(item.work.params)), VERSION, CIPHER, CHAIN, RESUMPTION, MUTUAL];

/// What is done in a handshake, whichever contexts are shared.
pub(crate) static KIND: &[Field<Handshake>] = &[VERSION, KEY, GROUP, CIPHER, CHAIN, RESUMPTION, MUTUAL];

pub(crate) static BULK: &[Field<Bulk>] = &[
    Field::detail("", |item| version(item.work.params.version).to_owned()),
    Field::new("", |item| cipher(item.work.params.suite)),
    Field::detail("", |item| group(item.work.params)),
    Field::detail("", |item| key(item.work.params.key).to_owned()),
    Field::detail("", |item| item.work.direction.to_string()),
    Field::new("records of", |item| number::bytes(item.work.record.into())),
    Field::detail("writes of", |item| number::bytes(item.work.write.into())),
    Field::detail("buffer", |item| number::bytes(item.work.buffer.into())),
    Field::new("", |item: &Item<'_, _>| several(item.case.threads)),
];

pub(crate) static IDLE: &[Field<Idle>] = &[
    Field::new("", |item| item.library().to_owned()),
    Field::detail("", |item| version(item.work.params.version).to_owned()),
    Field::detail("", |item| cipher(item.work.params.suite)),
    Field::detail("", |item| group(item.work.params)),
    Field::detail("", |item| key(item.work.params.key).to_owned()),
    Field::detail("", |item| format!("{} connections", item.work.connections)),
];

/// The part of a suite's name after the key exchange, which the group and the key tell.
pub(crate) fn cipher(suite: Suite) -> String {
    let name = suite.name();
    let tail = name.split_once("_WITH_").map_or_else(|| name.trim_start_matches("TLS_"), |(_, tail)| tail);
    tail.to_owned()
}

pub(crate) fn group(params: Params) -> String {
    params.group.map_or("RSA transport", Group::name).to_owned()
}

/// The version as people say it.
pub(crate) fn version(version: Version) -> &'static str {
    match version {
        Version::Tls12 => "TLS 1.2",
        Version::Tls13 => "TLS 1.3",
    }
}

/// The kind of key as people say it.
pub(crate) fn key(key: Key) -> &'static str {
    match key {
        Key::Rsa2048 => "RSA-2048",
        Key::Rsa3072 => "RSA-3072",
        Key::Rsa4096 => "RSA-4096",
        Key::EcdsaP256 => "ECDSA P-256",
        Key::EcdsaP384 => "ECDSA P-384",
        Key::Ed25519 => "Ed25519",
        Key::MlDsa44 => "ML-DSA-44",
        Key::MlDsa65 => "ML-DSA-65",
        Key::MlDsa87 => "ML-DSA-87",
    }
}

fn yes(condition: bool, word: &str) -> String {
    if condition { word.to_owned() } else { String::new() }
}

fn several(threads: u16) -> String {
    yes(threads > 1, &format!("{threads} threads"))
}
