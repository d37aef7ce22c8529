//! What can be negotiated out of lists.

use tlstax_spec::{Group, Key, Params, Suite, Version};

/// The parameters that can occur together; a suite with RSA key transport takes part once, without a group.
pub(super) fn params(versions: &[Version], suites: &[Suite], groups: &[Group], keys: &[Key]) -> Vec<Params> {
    let mut found = Vec::new();
    for (&version, &suite, &key) in versions.iter().flat_map(|version| {
        suites.iter().flat_map(move |suite| keys.iter().map(move |key| (version, suite, key)))
    }) {
        let groups = groups.iter().copied().map(Some).chain([None]);
        found.extend(groups.map(|group| Params { version, suite, group, key }).filter(Params::is_coherent));
    }
    found
}
