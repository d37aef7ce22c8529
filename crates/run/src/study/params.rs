//! What can be negotiated out of lists.

use tlstax_spec::{Group, Key, Params, Resumption, Suite, Version};

/// The lists of what a connection negotiates.
#[derive(Clone, Copy)]
pub(super) struct Negotiated<'a> {
    pub versions: &'a [Version],
    pub suites: &'a [Suite],
    pub groups: &'a [Group],
    pub keys: &'a [Key],
}

impl Negotiated<'_> {
    /// The parameters that can occur together; a suite with RSA key transport takes part once, without a group.
    pub fn params(&self) -> Vec<Params> {
        let mut found = Vec::new();
        for (&version, &suite, &key) in self.versions.iter().flat_map(|version| {
            self.suites.iter().flat_map(move |suite| self.keys.iter().map(move |key| (version, suite, key)))
        }) {
            let groups = self.groups.iter().copied().map(Some).chain([None]);
            found.extend(
                groups.map(|group| Params { version, suite, group, key }).filter(Params::is_coherent),
            );
        }
        found
    }

    /// Those parameters with each of these resumptions that their version has.
    pub fn resumed(self, resumptions: &[Resumption]) -> impl Iterator<Item = (Params, Resumption)> {
        self.params().into_iter().flat_map(|params| {
            let kinds = resumptions.iter().filter(move |kind| kind.fits(params.version));
            kinds.map(move |kind| (params, *kind))
        })
    }

    /// The combinations, those that do not exist among them; one more than the groups: none. An empty list counts as one.
    pub fn combinations(&self) -> usize {
        let groups = self.groups.len().saturating_add(1);
        let lengths = [self.versions.len(), self.suites.len(), groups, self.keys.len()];
        lengths.iter().fold(1, |product: usize, length| product.saturating_mul(*length.max(&1)))
    }
}
