//! The combinations of what a worker says it can do.

use std::str::FromStr;

use super::message::Hello;
use crate::{Group, Key, Params, Suite, Version};

impl Hello {
    /// Every coherent combination of the versions, suites, groups and keys, in that order.
    pub fn combinations(&self) -> Vec<Params> {
        let groups: Vec<Option<Group>> = members(&self.groups).into_iter().map(Some).chain([None]).collect();
        let keys: Vec<Key> = members(&self.keys);
        let mut all = Vec::new();
        for version in members::<Version>(&self.versions) {
            for suite in members::<Suite>(&self.suites) {
                for &group in &groups {
                    let every_key = keys.iter().map(|&key| Params { version, suite, group, key });
                    all.extend(every_key.filter(Params::is_coherent));
                }
            }
        }
        all
    }

    /// The combination that most servers use, or the first one of the version.
    pub fn usual(&self, version: Version) -> Option<Params> {
        let all = self.combinations();
        let fitting = || all.iter().filter(|params| params.version == version);
        let is_usual = |params: &&Params| {
            let suites = [Suite::Aes128Gcm, Suite::EcdheRsaAes128Gcm];
            suites.contains(&params.suite)
                && params.group == Some(Group::X25519)
                && params.key == Key::Rsa2048
        };
        fitting().find(is_usual).or_else(|| fitting().next()).copied()
    }
}

/// The members of a vocabulary among some names; those that are none are passed over.
pub fn members<T: FromStr>(names: &[String]) -> Vec<T> {
    names.iter().filter_map(|name| name.parse().ok()).collect()
}
