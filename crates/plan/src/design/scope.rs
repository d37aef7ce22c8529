//! [`Scope`]: what a model is to know the cost of.

use tlstax_doc::model::Path;
use tlstax_spec::{Authentication, Group, Http, Key, Load, Params, Resumption, Suite, Version};

use crate::demand::Demand;
use crate::work::{Setup, Work, work};
use crate::workload::negotiated::allows_http2;

/// What a model is to know the cost of. What the terms of a model build on (X25519, AES-128-GCM) belongs to it always.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    pub versions: Vec<Version>,
    pub suites: Vec<Suite>,
    pub groups: Vec<Group>,
    pub keys: Vec<Key>,
    /// Beside full handshakes.
    pub resumptions: Vec<Resumption>,
    pub http: Vec<Http>,
}

impl Default for Scope {
    /// What most servers are asked for.
    fn default() -> Self {
        Self {
            versions: vec![Version::Tls13, Version::Tls12],
            // The lean client has no suite with CBC.
            suites: vec![Suite::Aes256Gcm, Suite::ChaCha20Poly1305],
            groups: vec![Group::Secp256r1, Group::X25519MlKem768],
            keys: vec![Key::Rsa2048, Key::EcdsaP256],
            resumptions: vec![Resumption::Psk, Resumption::Ticket, Resumption::SessionId],
            http: vec![Http::Http1, Http::Http2],
        }
    }
}

impl Scope {
    /// What connections negotiate: of each version and key the base, and what differs from it in one thing, suite or group.
    pub fn params(&self) -> Vec<Params> {
        let mut found = Vec::new();
        for &version in &self.versions {
            for &key in &self.keys {
                let base = base(version, key);
                let groups = self.groups.iter().map(|group| Params { group: Some(*group), ..base });
                let suites = self.suites.iter().map(|suite| Params {
                    suite: *suite,
                    group: self.group_of(*suite),
                    ..base
                });
                let all = std::iter::once(base).chain(groups).chain(suites);
                found.extend(all.filter(Params::is_coherent));
            }
        }
        let mut unique = Vec::new();
        for params in found {
            if !unique.contains(&params) {
                unique.push(params);
            }
        }
        unique
    }

    fn group_of(&self, suite: Suite) -> Option<Group> {
        let finite = self.groups.iter().copied().find(|group| group.is_finite_field());
        match suite.authentication() {
            Authentication::Rsa => None,
            Authentication::DheRsa => Some(finite.unwrap_or(Group::Ffdhe2048)),
            _ => Some(Group::X25519),
        }
    }

    /// The ways to resume that a version has.
    pub fn resumptions_of(&self, version: Version) -> impl Iterator<Item = Resumption> {
        let fits = move |way: &&Resumption| **way != Resumption::Full && way.fits(version);
        self.resumptions.iter().filter(fits).copied()
    }

    /// The versions of HTTP that go with what is negotiated.
    pub fn http_of(&self, params: Params) -> impl Iterator<Item = Http> {
        let is_fit = allows_http2(params);
        self.http.iter().copied().filter(move |http| *http == Http::Http1 || is_fit)
    }

    /// The sizes of bodies whose cost is to be known, in order.
    pub fn knots(path: Path, http: Http) -> Vec<u32> {
        match (path, http) {
            (Path::Tls, Http::Http1) => vec![16 << 10, 64 << 10, 256 << 10, 1 << 20],
            _ => vec![16 << 10, 128 << 10, 1 << 20],
        }
    }
}

/// What the costs of a version and a key are given for.
fn base(version: Version, key: Key) -> Params {
    let suite = match (version, key.is_rsa()) {
        (Version::Tls13, _) => Suite::Aes128Gcm,
        (Version::Tls12, true) => Suite::EcdheRsaAes128Gcm,
        (Version::Tls12, false) => Suite::EcdheEcdsaAes128Gcm,
        (_, true) => Suite::EcdheRsaAes128CbcSha,
        (_, false) => Suite::EcdheEcdsaAes128CbcSha,
    };
    Params { version, suite, group: Some(Group::X25519), key }
}

/// The work of a load for one request.
pub fn work_of(load: &Load, knots: &dyn Fn(Path, Http) -> Vec<u32>) -> Work {
    work(&Demand::of_load(load).likely(), Setup::of_load(load), knots)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thing_is_negotiated_beside_the_base() {
        let params = Scope::default().params();
        let has = |version, suite, group, key| params.contains(&Params { version, suite, group, key });
        let x25519 = Some(Group::X25519);
        assert!(has(Version::Tls13, Suite::Aes128Gcm, x25519, Key::Rsa2048));
        assert!(has(Version::Tls13, Suite::ChaCha20Poly1305, x25519, Key::Rsa2048));
        assert!(has(Version::Tls13, Suite::Aes128Gcm, Some(Group::X25519MlKem768), Key::EcdsaP256));
        assert!(params.iter().all(Params::is_coherent));
        assert!(!has(Version::Tls13, Suite::Aes256Gcm, Some(Group::Secp256r1), Key::EcdsaP256));
    }

    #[test]
    fn key_transport_and_dhe_have_the_groups_that_they_need() {
        let suites = vec![Suite::RsaAes128Gcm, Suite::DheRsaAes128Gcm];
        let params =
            Scope { suites, groups: Vec::new(), keys: vec![Key::Rsa2048], ..Scope::default() }.params();
        let groups: Vec<Option<Group>> = params.iter().map(|params| params.group).collect();
        assert_eq!(groups, [Some(Group::X25519), Some(Group::X25519), None, Some(Group::Ffdhe2048)]);
    }
}
