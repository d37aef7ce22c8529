//! The study that measures what suites cost.

use tlstax_run::{BulkMatrix, Expanded, HandshakeMatrix, Study};
use tlstax_spec::{Authentication, Group, Id, Key, Params, Suite};

/// What was asked for, and how each library expands it.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) string: String,
    pub(super) keys: Vec<Key>,
    pub(super) group: Group,
    pub(super) expanded: Vec<Expanded>,
}

/// A study of nothing yet.
pub(super) fn named(string: &str) -> Study {
    let mut study = Study::named(Id::literal("suites"), &format!("What do the suites of '{string}' cost?"));
    study.budget_s = 60.0;
    study
}

/// A full handshake of every suite with every key that fits it, and bulk data once, since no key matters there.
pub(super) fn of(asked: &Asked) -> Study {
    let mut study = named(&asked.string);
    for suite in every(asked) {
        let fitting: Vec<Params> =
            asked.keys.iter().filter_map(|key| params(suite, *key, asked.group).ok()).collect();
        study.handshake.extend(fitting.iter().map(handshake));
        study.bulk.extend(fitting.first().map(bulk));
    }
    study
}

/// The suites of all libraries that can be measured, each once.
fn every(asked: &Asked) -> Vec<Suite> {
    let names =
        asked.expanded.iter().filter_map(|(_, found)| found.as_ref().ok()).flat_map(|one| &one.suites);
    let mut suites: Vec<Suite> = Vec::new();
    for suite in names.filter_map(|name| name.parse().ok()) {
        if !suites.contains(&suite) {
            suites.push(suite);
        }
    }
    suites
}

/// The keys that a suite of this name is measured with, or why with none.
pub(super) fn keys(asked: &Asked, name: &str) -> Result<Vec<Key>, String> {
    let Ok(suite) = name.parse::<Suite>() else {
        return Err("tlstax does not measure this suite: it is not in its vocabulary".to_owned());
    };
    let tried = asked.keys.iter().map(|key| params(suite, *key, asked.group));
    let (fit, others): (Vec<_>, Vec<_>) = tried.partition(Result::is_ok);
    match others.into_iter().find_map(Result::err).filter(|_| fit.is_empty()) {
        Some(why) => Err(why),
        None => Ok(fit.into_iter().flatten().map(|params| params.key).collect()),
    }
}

/// What is negotiated with a suite and a key, or why nothing can be.
fn params(suite: Suite, key: Key, group: Group) -> Result<Params, String> {
    let group = match suite.authentication() {
        Authentication::Rsa => None,
        Authentication::DheRsa if !group.is_finite_field() => Some(Group::Ffdhe2048),
        _ => Some(group),
    };
    let params = Params { version: suite.version(), suite, group, key };
    match params.is_coherent() {
        true => Ok(params),
        false if !suite.fits(key) => {
            Err(format!("no --key fits: it needs a certificate with {}", needs(suite)))
        }
        false => Err(match group {
            Some(group) => format!("{group} is not for this suite: choose another --group"),
            None => "it takes no group".to_owned(),
        }),
    }
}

fn needs(suite: Suite) -> &'static str {
    match suite.authentication() {
        Authentication::EcdheEcdsa => "an ECDSA or Ed25519 key, such as ecdsa-p256",
        Authentication::Any => "any key",
        _ => "an RSA key, such as rsa-2048",
    }
}

fn handshake(params: &Params) -> HandshakeMatrix {
    HandshakeMatrix {
        versions: vec![params.version],
        suites: vec![params.suite],
        groups: params.group.into_iter().collect(),
        keys: vec![params.key],
        ..HandshakeMatrix::default()
    }
}

/// In records as a small server sends them, within the cache.
fn bulk(params: &Params) -> BulkMatrix {
    BulkMatrix {
        versions: vec![params.version],
        suites: vec![params.suite],
        groups: params.group.into_iter().collect(),
        keys: vec![params.key],
        ..BulkMatrix::default()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn suites_are_measured_with_the_keys_and_groups_that_fit() {
        let group = |suite, key| params(suite, key, Group::X25519).unwrap().group;
        assert_eq!(group(Suite::Aes128Gcm, Key::Rsa2048), Some(Group::X25519));
        assert_eq!(group(Suite::DheRsaAes128Gcm, Key::Rsa2048), Some(Group::Ffdhe2048));
        assert_eq!(group(Suite::RsaAes128Gcm, Key::Rsa2048), None);
        let why = params(Suite::RsaAes128Gcm, Key::EcdsaP256, Group::X25519).unwrap_err();
        assert!(why.contains("rsa-2048"), "{why}");
        let why = params(Suite::EcdheRsaAes128Gcm, Key::Rsa2048, Group::X25519MlKem768).unwrap_err();
        assert!(why.contains("--group"), "{why}");
    }
}
