//! What connections negotiate when a server is set up otherwise.

use tlstax_spec::{Authentication, Group, Key, Params, Suite, SuiteFacts, Version};

use super::change::Change;

/// With a change, or none where these connections cannot take it and stay as they are.
pub fn changed(params: Params, change: &Change) -> Option<Params> {
    let new = match *change {
        Change::Version(version) => of_version(params, version)?,
        Change::Cert(key) => of_key(params, key)?,
        Change::Suite(suite) => of_suite(params, suite)?,
        Change::Group(group) => Params { group: params.group.map(|_| group), ..params },
        _ => params,
    };
    let takes_it = match *change {
        // Without a group there is none to be another.
        Change::Group(group) => new.group == Some(group),
        _ => true,
    };
    (takes_it && new.is_coherent()).then_some(new)
}

fn of_version(params: Params, version: Version) -> Option<Params> {
    if params.version == version {
        return Some(params);
    }
    let authentication = if version.is_tls13() { Authentication::Any } else { signed_by(params.key) };
    let suite = same_records(params.suite, version, authentication)?;
    let group = params
        .group
        .filter(|group| version.is_tls13() || !group.is_post_quantum() && !group.is_finite_field());
    Some(Params { version, suite, group: Some(group.unwrap_or(Group::X25519)), key: params.key })
}

/// Whoever cannot have a post-quantum key keeps the old one: servers have both.
fn of_key(params: Params, key: Key) -> Option<Params> {
    if params.suite.fits(key) {
        return Some(Params { key, ..params });
    }
    let suite = same_records(params.suite, params.version, signed_by(key))?;
    let group = params.group.filter(|group| !group.is_finite_field());
    Some(Params { suite, key, group: Some(group.unwrap_or(Group::X25519)), ..params })
}

/// The suite itself, or in other versions and with other keys the one with the same records.
fn of_suite(params: Params, suite: Suite) -> Option<Params> {
    let suite = match suite.exists_in(params.version) && suite.fits(params.key) {
        true => suite,
        false => {
            let authentication =
                if params.version.is_tls13() { Authentication::Any } else { signed_by(params.key) };
            exactly(suite, params.version, authentication)?
        }
    };
    let group = match (suite.authentication(), params.group) {
        (Authentication::Rsa, _) => None,
        (Authentication::DheRsa, Some(group)) if group.is_finite_field() => Some(group),
        (Authentication::DheRsa, _) => Some(Group::Ffdhe2048),
        (Authentication::Any, Some(group)) => Some(group),
        (_, Some(group)) if !group.is_finite_field() && !group.is_post_quantum() => Some(group),
        (_, _) => Some(Group::X25519),
    };
    Some(Params { suite, group, ..params })
}

const fn signed_by(key: Key) -> Authentication {
    if key.is_rsa() { Authentication::EcdheRsa } else { Authentication::EcdheEcdsa }
}

/// The suite that protects records alike; else by AES-128, which all versions have.
fn same_records(suite: Suite, version: Version, authentication: Authentication) -> Option<Suite> {
    let usual = if version.is_before_tls12() { "AES-128-CBC" } else { "AES-128-GCM" };
    exactly(suite, version, authentication).or_else(|| {
        let is_usual = |other: &&Suite| SuiteFacts::of(other.name()).cipher == usual;
        of(version, authentication).find(is_usual).copied()
    })
}

fn exactly(suite: Suite, version: Version, authentication: Authentication) -> Option<Suite> {
    let records = |suite: Suite| {
        let facts = SuiteFacts::of(suite.name());
        (facts.cipher, facts.mac)
    };
    let wanted = records(suite);
    of(version, authentication).find(|other| records(**other) == wanted).copied()
}

fn of(version: Version, authentication: Authentication) -> impl Iterator<Item = &'static Suite> {
    let is_one = move |suite: &&Suite| suite.exists_in(version) && suite.authentication() == authentication;
    Suite::ALL.iter().filter(is_one)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(params: Params, change: &str) -> Option<Params> {
        changed(params, &change.parse().unwrap())
    }

    const NEW: Params = Params {
        version: Version::Tls13,
        suite: Suite::Aes256Gcm,
        group: Some(Group::X25519MlKem768),
        key: Key::Rsa2048,
    };
    const OLD: Params =
        Params { version: Version::Tls12, suite: Suite::RsaAes128CbcSha, group: None, key: Key::Rsa2048 };

    #[test]
    fn what_follows_from_a_change_is_changed_too() {
        let old = after(NEW, "version=1.2").unwrap();
        assert_eq!((old.suite, old.group), (Suite::EcdheRsaAes256Gcm, Some(Group::X25519)));
        let new = after(OLD, "version=1.3").unwrap();
        assert_eq!((new.suite, new.group), (Suite::Aes128Gcm, Some(Group::X25519)));
        let signed = after(OLD, "cert=ecdsa-p256").unwrap();
        assert_eq!((signed.suite, signed.group), (Suite::EcdheEcdsaAes128CbcSha, Some(Group::X25519)));
        assert_eq!(after(OLD, "suite=chacha20").unwrap().suite, Suite::EcdheRsaChaCha20Poly1305);
        assert_eq!(after(NEW, "suite=ECDHE-RSA-AES128-GCM-SHA256").unwrap().suite, Suite::Aes128Gcm);
    }

    #[test]
    fn who_cannot_take_a_change_stays() {
        assert_eq!(after(OLD, "group=X25519MLKEM768"), None);
        assert_eq!(after(OLD, "cert=ml-dsa-44"), None);
        assert_eq!(after(Params { key: Key::MlDsa44, ..NEW }, "version=1.2"), None);
        assert_eq!(after(NEW, "suite=RC4-SHA"), None);
    }

    #[test]
    fn whatever_is_changed_can_be_negotiated_and_the_same_changes_nothing() {
        let all = Version::ALL.iter().flat_map(|version| {
            let of = move |suite: &Suite| {
                Key::ALL.iter().map(move |key| (*version, *suite, *key)).collect::<Vec<_>>()
            };
            Suite::ALL.iter().flat_map(of)
        });
        let groups = [None, Some(Group::X25519), Some(Group::Ffdhe2048)];
        let all =
            all.flat_map(|(version, suite, key)| groups.map(|group| Params { version, suite, group, key }));
        for params in all.filter(Params::is_coherent) {
            let mut same =
                vec![Change::Version(params.version), Change::Cert(params.key), Change::Suite(params.suite)];
            same.extend(params.group.map(Change::Group));
            same.iter().for_each(|change| assert_eq!(changed(params, change), Some(params), "{change}"));
            for version in Version::ALL {
                let new = changed(params, &Change::Version(*version));
                assert!(new.is_none_or(|new| new.is_coherent() && new.version == *version));
            }
        }
    }
}
