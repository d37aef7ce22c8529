//! Parameters of a connection as people name them.

use tlstax_spec::{Group, Key, Params, Pattern, Primitive, Suite, Version};

/// The part of a suite's name after the key exchange, which the group and the key tell.
pub(crate) fn cipher(suite: Suite) -> String {
    let name = suite.name();
    let tail = name.split_once("_WITH_").map_or_else(|| name.trim_start_matches("TLS_"), |(_, tail)| tail);
    tail.to_owned()
}

pub(crate) fn group(params: Params) -> String {
    params.group.map_or("RSA transport", Group::name).to_owned()
}

pub(crate) fn version(version: Version) -> &'static str {
    match version {
        Version::Tls10 => "TLS 1.0",
        Version::Tls11 => "TLS 1.1",
        Version::Tls12 => "TLS 1.2",
        Version::Tls13 => "TLS 1.3",
    }
}

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

/// An operation, with a mark where it was called as `openssl speed` calls it.
pub(crate) fn operation(primitive: &Primitive) -> String {
    let mark = if primitive.pattern == Pattern::Speed { " (speed)" } else { "" };
    format!("{}{mark}", primitive.op)
}

pub(super) fn yes(condition: bool, word: &str) -> String {
    if condition { word.to_owned() } else { String::new() }
}

pub(super) fn several(threads: u16) -> String {
    yes(threads > 1, &format!("{threads} threads"))
}
