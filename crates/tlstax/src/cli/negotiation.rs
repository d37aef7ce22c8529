//! The flags that say what client and server negotiate, shared by the verbs that make connections.

use tlstax_spec::{Group, Key, Suite, Version};

/// What client and server negotiate. Combinations that cannot occur together are left out.
#[derive(Debug, Clone, clap::Args)]
pub struct Negotiation {
    /// Protocol versions: TLSv1.2, TLSv1.3.
    #[arg(
        long = "tls",
        value_name = "VERSION",
        value_delimiter = ',',
        default_value = "TLSv1.3",
        help_heading = "Negotiation"
    )]
    pub versions: Vec<Version>,

    /// Cipher suites by their IANA names; AES-128-GCM of each version if none are named.
    #[arg(long = "suite", value_name = "SUITE", value_delimiter = ',', help_heading = "Negotiation")]
    suites: Vec<Suite>,

    /// Key exchange groups by their IANA names.
    #[arg(
        long = "group",
        short,
        value_name = "GROUP",
        value_delimiter = ',',
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
