//! [`Floor`]: what a server must not go below.

use tlstax_spec::{Group, Key, Suite, Version};

use crate::what_if::Changed;
use crate::workload::Traffic;

/// What a server must not go below: one of the configurations of Mozilla's Server Side TLS guidelines, version 5.7
/// (<https://ssl-config.mozilla.org/guidelines/5.7.json>: `tls_versions`, `certificate_types`, `certificate_curves`, `rsa_key_size`,
/// `tls_curves`, `dh_param_size`). Hybrids with ML-KEM are allowed, too: they are not weaker than the curve in them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Floor {
    pub versions: Vec<Version>,
    pub suites: Vec<Suite>,
    pub keys: Vec<Key>,
    pub groups: Vec<Group>,
}

/// Of both configurations.
const CURVES: [Group; 6] = [
    Group::X25519,
    Group::Secp256r1,
    Group::Secp384r1,
    Group::X25519MlKem768,
    Group::Secp256r1MlKem768,
    Group::Secp384r1MlKem1024,
];

impl Floor {
    /// TLS 1.3 with ECDSA alone; the suites are Mozilla's.
    pub fn modern(suites: Vec<Suite>) -> Self {
        let keys = vec![Key::EcdsaP256, Key::EcdsaP384];
        Self { versions: vec![Version::Tls13], suites, keys, groups: CURVES.to_vec() }
    }

    /// TLS 1.2 and 1.3 with ECDSA and RSA of at least 2048 bits; the suites are Mozilla's.
    pub fn intermediate(suites: Vec<Suite>) -> Self {
        let keys = vec![Key::EcdsaP256, Key::EcdsaP384, Key::Rsa2048, Key::Rsa3072, Key::Rsa4096];
        let groups = [CURVES.as_slice(), &[Group::Ffdhe2048, Group::Ffdhe3072]].concat();
        Self { versions: vec![Version::Tls12, Version::Tls13], suites, keys, groups }
    }

    /// Whether all that changes would make anew is in it; what is below already, and stays, is not looked at.
    pub fn is_kept(&self, before: &Traffic, after: &Changed) -> bool {
        let pairs = before.kinds.iter().zip(&after.traffic.kinds);
        pairs.map(|(before, after)| (before.demand.tls, after.demand.tls)).all(|(before, after)| {
            let (Some(old), Some(new)) = (before, after) else { return true };
            (old.version == new.version || self.versions.contains(&new.version))
                && (old.suite == new.suite || self.suites.contains(&new.suite))
                && (old.key == new.key || self.keys.contains(&new.key))
                && (old.group == new.group || new.group.is_some_and(|group| self.groups.contains(&group)))
        })
    }
}
