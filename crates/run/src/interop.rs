//! Every library against every other over sockets: what both claim, they must negotiate with each other.

use std::str::FromStr;

use tlstax_doc::{Library, Measurement, Outcome};
use tlstax_spec::wire::Hello;
use tlstax_spec::{Case, Group, Id, Key, Load, Params, Resumption, Suite, Version, Workload};

use crate::Home;
use crate::event::Observer;
use crate::pool::Pool;
use crate::registry::Entry;
use crate::run::{RunError, cores, prepare, probe};

/// Which libraries meet, and how thoroughly.
#[derive(Debug)]
pub struct Meeting<'a> {
    /// Those that are examined.
    pub libraries: Vec<&'a Entry>,
    /// Those that each of them meets, as client and as server; it also meets itself.
    pub against: Vec<&'a Entry>,
    /// Every combination of suite, group and key, instead of as many as show each of them once.
    pub every: bool,
}

/// What came of the meetings.
#[derive(Debug)]
pub struct Interop {
    /// Who took part.
    pub libraries: Vec<Library>,
    /// One for each combination: `Measured` without batches is one that worked.
    pub outcomes: Vec<Measurement>,
}

/// Lets libraries meet over loopback: a connection for each combination that both claim, proved by both sides.
///
/// # Errors
/// No library can be started, or the user interrupts.
pub fn interop(meeting: &Meeting<'_>, home: &Home, observer: &mut dyn Observer) -> Result<Interop, RunError> {
    let mut entries = meeting.libraries.clone();
    entries.extend(&meeting.against);
    let mut seen = std::collections::HashSet::new();
    entries.retain(|entry| seen.insert(entry.id.as_str()));
    let mut pool = Pool::new(home, cores()?, &entries);
    let libraries = probe(&mut pool, &entries, observer)?;
    let mut outcomes: Vec<Measurement> = meeting.cases(&libraries).into_iter().map(unmeasured).collect();
    prepare(&mut pool, &mut outcomes, &[], tlstax_spec::Nanos(u64::MAX), observer)?;
    pool.end();
    Ok(Interop { libraries, outcomes })
}

fn unmeasured(case: Case) -> Measurement {
    Measurement::new(case, Outcome::Measured { proof: Default::default(), batches: Vec::new() })
}

impl Meeting<'_> {
    /// Each library as server of itself, and with each other one both ways.
    fn cases(&self, libraries: &[Library]) -> Vec<Case> {
        let hello = |id: &str| libraries.iter().find(|library| library.id == id)?.hello.as_ref();
        let mut pairs = Vec::new();
        for one in &self.libraries {
            for other in std::iter::once(one).chain(&self.against) {
                for pair in [(&one.id, &other.id), (&other.id, &one.id)] {
                    if !pairs.contains(&pair) {
                        pairs.push(pair);
                    }
                }
            }
        }
        let met = pairs
            .into_iter()
            .filter_map(|(server, client)| Some((server, client, hello(server)?, hello(client)?)));
        met.flat_map(|(server, client, its, theirs)| {
            let common = Common::of(its, theirs);
            common.combinations(self.every).into_iter().map(move |(params, resumption)| Case {
                library: server.clone(),
                threads: 1,
                workload: Workload::Load(request(client, params, resumption)),
            })
        })
        .collect()
    }
}

/// A request on each of two connections at a time: a resumption that does not happen shows in the first.
fn request(client: &Id, params: Params, resumption: Resumption) -> Load {
    Load {
        resumption,
        connections: 2,
        requests_per_connection: 1,
        body: 1024,
        ..Load::new(client.clone(), Some(params))
    }
}

/// What two libraries both claim.
struct Common {
    params: Vec<Params>,
    resumptions: Vec<Resumption>,
}

impl Common {
    fn of(one: &Hello, other: &Hello) -> Self {
        fn both<T: FromStr>(one: &[String], other: &[String]) -> Vec<T> {
            one.iter().filter(|name| other.contains(name)).filter_map(|name| name.parse().ok()).collect()
        }
        let groups: Vec<Group> = both(&one.groups, &other.groups);
        let groups: Vec<Option<Group>> = groups.into_iter().map(Some).chain([None]).collect();
        let keys: Vec<Key> = both(&one.keys, &other.keys);
        let mut params = Vec::new();
        for version in both::<Version>(&one.versions, &other.versions) {
            for suite in both::<Suite>(&one.suites, &other.suites) {
                for &group in &groups {
                    let every_key = keys.iter().map(|&key| Params { version, suite, group, key });
                    params.extend(every_key.filter(Params::is_coherent));
                }
            }
        }
        // A load has no early data.
        let mut resumptions: Vec<Resumption> = both(&one.resumptions, &other.resumptions);
        resumptions.retain(|&kind| kind != Resumption::EarlyData);
        Self { params, resumptions }
    }

    /// All of them; or each suite, each group and each key of a version once, and each resumption with the first.
    fn combinations(&self, every: bool) -> Vec<(Params, Resumption)> {
        let mut found = Vec::new();
        for version in [Version::Tls12, Version::Tls13] {
            let mut news = News::default();
            let of_version = self.params.iter().filter(|params| params.version == version);
            for (number, &params) in of_version.filter(|params| every || news.has(params)).enumerate() {
                let all = every || number == 0;
                let kinds = self
                    .resumptions
                    .iter()
                    .filter(|kind| kind.fits(version) && (all || **kind == Resumption::Full));
                found.extend(kinds.map(|&kind| (params, kind)));
            }
        }
        found
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
        // TLS 1.3: 2 suites x 2 groups x 2 keys, full and by PSK; TLS 1.2: RSA key transport, full and by session id.
        assert_eq!(common.combinations(true).len(), 16 + 2);
        let few = common.combinations(false);
        for group in [Group::X25519, Group::Secp256r1] {
            assert!(few.iter().any(|(params, _)| params.group == Some(group)));
        }
        assert!(few.iter().any(|(params, _)| params.suite == Suite::Aes256Gcm));
        assert!(few.iter().any(|(_, kind)| *kind == Resumption::Psk));
        assert!(few.len() < 9, "{few:?}");
    }
}
