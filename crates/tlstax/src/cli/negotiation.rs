//! The flags that say what client and server negotiate, shared by the verbs that make connections.

use tlstax_spec::wire::Sight;
use tlstax_spec::{Group, Key, Suite, Version};

use super::values::names;

/// What client and server negotiate. Combinations that cannot occur together are left out.
#[derive(Debug, Clone, Default, PartialEq, clap::Args)]
pub struct Negotiation {
    /// Protocol versions; TLSv1.3 if none is named.
    #[arg(
        long = "tls",
        value_name = "VERSION",
        value_delimiter = ',',
        value_parser = names::<Version>(),
        help_heading = "Negotiation"
    )]
    pub versions: Vec<Version>,

    /// Cipher suites by the names of the IANA or of OpenSSL; AES-128-GCM of each version if none are named. `tlstax generate
    /// names` lists them.
    #[arg(
        long = "suite",
        value_name = "SUITE",
        value_delimiter = ',',
        value_parser = names::<Suite>(),
        hide_possible_values = true,
        help_heading = "Negotiation"
    )]
    pub suites: Vec<Suite>,

    /// Key exchange groups; X25519 if none is named.
    #[arg(
        long = "group",
        short,
        value_name = "GROUP",
        value_delimiter = ',',
        value_parser = names::<Group>(),
        help_heading = "Negotiation"
    )]
    pub groups: Vec<Group>,

    /// Keys in the server's certificate; ecdsa-p256 if none is named.
    #[arg(
        long = "key",
        short,
        value_name = "KEY",
        value_delimiter = ',',
        value_parser = names::<Key>(),
        help_heading = "Negotiation"
    )]
    pub keys: Vec<Key>,
}

/// One suite for each version and kind of certificate: those that fit are measured.
const USUAL: [Suite; 3] = [Suite::Aes128Gcm, Suite::EcdheEcdsaAes128Gcm, Suite::EcdheRsaAes128Gcm];

impl Negotiation {
    /// The same with what is usual where nothing was named.
    pub fn or_usual(self) -> Self {
        Self {
            versions: named_or(self.versions, &[Version::Tls13]),
            suites: named_or(self.suites, &USUAL),
            groups: named_or(self.groups, &[Group::X25519]),
            keys: named_or(self.keys, &[Key::EcdsaP256]),
        }
    }

    /// Whether any of it was named.
    pub fn is_named(&self) -> bool {
        *self != Self::default()
    }

    /// The same with one version only, in which what was not named is what a server chose.
    pub fn or_seen(self, sight: &Sight, version: Version) -> Self {
        let suite = sight.suite.filter(|suite| suite.exists_in(version));
        Self {
            versions: vec![version],
            suites: named_or(self.suites, suite.as_slice()),
            groups: named_or(self.groups, sight.group.as_slice()),
            keys: named_or(self.keys, sight.key.as_slice()),
        }
    }
}

fn named_or<T: Copy>(named: Vec<T>, usual: &[T]) -> Vec<T> {
    if named.is_empty() { usual.to_vec() } else { named }
}
