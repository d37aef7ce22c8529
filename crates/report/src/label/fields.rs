//! The fields that name a handshake, a transfer in memory and an idle connection.

use tlstax_spec::{Bulk, Compression, Contexts, Handshake, Idle};

use super::field::Field;
use super::names::{cipher, group, key, several, version, yes};
use crate::ask::Item;
use crate::number;

const VERSION: Field<Handshake> = Field::new("", |item| version(item.work.params.version).to_owned());
const KEY: Field<Handshake> = Field::new("", |item| key(item.work.params.key).to_owned());
const GROUP: Field<Handshake> = Field::detail("", |item| group(item.work.params));
const ALWAYS_GROUP: Field<Handshake> = GROUP.always();
const CIPHER: Field<Handshake> = Field::detail("", |item| cipher(item.work.params.suite));
const CHAIN: Field<Handshake> = Field::detail("chain", |item| item.work.chain.to_string());
const RESUMPTION: Field<Handshake> = Field::unless("full", |item| item.work.resumption.to_string());
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
    &[KEY, ALWAYS_GROUP, VERSION, CIPHER, CHAIN, RESUMPTION, MUTUAL, CONTEXTS];

/// What is done in a handshake, whichever contexts are shared.
pub(crate) static KIND: &[Field<Handshake>] = &[VERSION, KEY, GROUP, CIPHER, CHAIN, RESUMPTION, MUTUAL];

const COMPRESSION: Field<Bulk> = Field::new("", |item| match item.work.compression {
    Compression::None => String::new(),
    method => format!("{method} of {}", item.work.content),
});

pub(crate) static BULK: &[Field<Bulk>] = &[
    Field::detail("", |item| version(item.work.params.version).to_owned()),
    Field::new("", |item| cipher(item.work.params.suite)),
    Field::detail("", |item| group(item.work.params)),
    Field::detail("", |item| key(item.work.params.key).to_owned()),
    COMPRESSION,
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
