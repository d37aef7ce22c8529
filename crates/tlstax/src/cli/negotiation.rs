//! The flags that say what client and server negotiate, shared by the verbs that make connections.

use tlstax_spec::{Group, Key, Suite, Version};

use super::values::names;

/// What client and server negotiate. Combinations that cannot occur together are left out.
#[derive(Debug, Clone, clap::Args)]
pub struct Negotiation {
    /// Protocol versions.
    #[arg(
        long = "tls",
        value_name = "VERSION",
        value_delimiter = ',',
        value_parser = names::<Version>(),
        default_value = "TLSv1.3",
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
    suites: Vec<Suite>,

    /// Key exchange groups.
    #[arg(
        long = "group",
        short,
        value_name = "GROUP",
        value_delimiter = ',',
        value_parser = names::<Group>(),
        default_value = "X25519",
        help_heading = "Negotiation"
    )]
    pub groups: Vec<Group>,

    /// Keys in the server's certificate.
    #[arg(
        long = "key",
        short,
        value_name = "KEY",
        value_delimiter = ',',
        value_parser = names::<Key>(),
        default_value = "ecdsa-p256",
        help_heading = "Negotiation"
    )]
    pub keys: Vec<Key>,
}

/// One suite for each version and kind of certificate: those that fit are measured.
const USUAL: [Suite; 3] = [Suite::Aes128Gcm, Suite::EcdheEcdsaAes128Gcm, Suite::EcdheRsaAes128Gcm];

impl Negotiation {
    /// The suites that were named, or the usual ones.
    pub fn suites(&self) -> Vec<Suite> {
        if self.suites.is_empty() { USUAL.to_vec() } else { self.suites.clone() }
    }
}
