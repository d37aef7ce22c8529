//! What two libraries both claim, and the loads that show it.

use tlstax_spec::wire::{Hello, members};
use tlstax_spec::{Group, Id, Key, Load, Params, Resumption, Suite, Version};

/// Connections at a time: a resumption that does not happen shows in the second.
const CONNECTIONS: u32 = 2;

const BODY: u32 = 1024;

/// What two libraries both claim.
pub(super) struct Common {
    params: Vec<Params>,
    resumptions: Vec<Resumption>,
}

impl Common {
    pub(super) fn of(one: &Hello, other: &Hello) -> Self {
        let both = |one: &[String], other: &[String]| {
            one.iter().filter(|name| other.contains(name)).cloned().collect::<Vec<_>>()
        };
        let both = Hello {
            versions: both(&one.versions, &other.versions),
            suites: both(&one.suites, &other.suites),
            groups: both(&one.groups, &other.groups),
            keys: both(&one.keys, &other.keys),
            resumptions: both(&one.resumptions, &other.resumptions),
            ..Hello::default()
        };
        // A load has no early data.
        let mut resumptions: Vec<Resumption> = members(&both.resumptions);
        resumptions.retain(|&kind| kind != Resumption::EarlyData);
        Self { params: both.combinations(), resumptions }
    }

    /// New connections for every combination, or for as many as show each suite, each group and each key of a version
    /// once; and with the first of a version each kind of resumption, and connections that are kept alive.
    pub(super) fn loads(&self, client: &Id, every: bool) -> Vec<Load> {
        let mut found = Vec::new();
        for &version in Version::ALL {
            let mut news = News::default();
            let of_version = self.params.iter().filter(|params| params.version == version);
            for (number, &params) in of_version.filter(|params| every || news.has(params)).enumerate() {
                let all = every || number == 0;
                let kinds = self.resumptions.iter().filter(|kind| kind.fits(version));
                for &kind in kinds.filter(|kind| all || **kind == Resumption::Full) {
                    // 1: each request has a connection of its own; 0: each connection is kept alive.
                    let requests: &[u32] = if all { &[1, 0] } else { &[1] };
                    found.extend(requests.iter().map(|&requests| load(client, params, kind, requests)));
                }
            }
        }
        found
    }
}

fn load(client: &Id, params: Params, resumption: Resumption, requests_per_connection: u32) -> Load {
    Load {
        resumption,
        requests_per_connection,
        connections: CONNECTIONS,
        body: BODY,
        ..Load::new(client.clone(), Some(params))
    }
}

/// What has been seen of a version.
#[derive(Default)]
struct News {
    suites: Vec<Suite>,
    groups: Vec<Option<Group>>,
    keys: Vec<Key>,
}

impl News {
    /// Whether a combination has anything that was not seen; takes note of it.
    fn has(&mut self, params: &Params) -> bool {
        fn first<T: PartialEq>(seen: &mut Vec<T>, one: T) -> bool {
            let new = !seen.contains(&one);
            if new {
                seen.push(one);
            }
            new
        }
        first(&mut self.suites, params.suite)
            | first(&mut self.groups, params.group)
            | first(&mut self.keys, params.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hello(groups: &[&str]) -> Hello {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Hello {
            versions: names(&["TLSv1.2", "TLSv1.3"]),
            suites: names(&[
                "TLS_AES_128_GCM_SHA256",
                "TLS_AES_256_GCM_SHA384",
                "TLS_RSA_WITH_AES_128_GCM_SHA256",
            ]),
            groups: names(groups),
            keys: names(&["rsa-2048", "ecdsa-p256"]),
            resumptions: names(&["full", "session-id", "psk", "early-data"]),
            ..Hello::default()
        }
    }

    #[test]
    fn what_one_side_lacks_is_not_tried() {
        let common = Common::of(&hello(&["X25519", "secp256r1"]), &hello(&["secp256r1"]));
        assert!(common.params.iter().all(|params| params.group != Some(Group::X25519)));
        assert!(!common.resumptions.contains(&Resumption::EarlyData));
    }

    #[test]
    fn each_is_shown_once_or_every_combination() {
        let common = Common::of(&hello(&["X25519", "secp256r1"]), &hello(&["X25519", "secp256r1"]));
        // TLS 1.3: 2 suites x 2 groups x 2 keys, full and by PSK; TLS 1.2: RSA key transport, full and by session id. Each on
        // new connections and on those that are kept alive.
        assert_eq!(common.loads(&Id::literal("b"), true).len(), 2 * (16 + 2));
        let few = common.loads(&Id::literal("b"), false);
        for group in [Group::X25519, Group::Secp256r1] {
            assert!(few.iter().any(|load| load.params.unwrap().group == Some(group)));
        }
        assert!(few.iter().any(|load| load.params.unwrap().suite == Suite::Aes256Gcm));
        assert!(few.iter().any(|load| load.resumption == Resumption::Psk));
        assert!(few.len() < 12, "{few:?}");
    }

    #[test]
    fn d20_each_version_and_resumption_is_tried_on_connections_that_are_kept_alive() {
        let both = hello(&["X25519"]);
        let kept: Vec<_> = Common::of(&both, &both)
            .loads(&Id::literal("b"), false)
            .into_iter()
            .filter(|load| load.requests_per_connection == 0)
            .map(|load| (load.params.unwrap().version, load.resumption))
            .collect();
        let wanted = [
            (Version::Tls12, Resumption::Full),
            (Version::Tls12, Resumption::SessionId),
            (Version::Tls13, Resumption::Full),
            (Version::Tls13, Resumption::Psk),
        ];
        assert_eq!(kept, wanted);
    }
}
