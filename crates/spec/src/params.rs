//! [`Params`]: what a connection negotiates, and what can be negotiated together.

use crate::{Authentication, Group, Key, Suite, Version};

/// What the two sides of a connection have to negotiate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Params {
    pub version: Version,
    pub suite: Suite,
    /// The key exchange group; none with RSA key transport.
    pub group: Option<Group>,
    /// The key in the server's certificate.
    pub key: Key,
}

impl Params {
    /// Whether version, suite, group and key can occur together at all.
    pub const fn is_coherent(&self) -> bool {
        let version_fits = self.suite.exists_in(self.version);
        // Without negotiated signatures there are those of RSA, DSA and ECDSA only.
        let key_fits = !(self.version.is_before_tls12() && matches!(self.key, Key::Ed25519));
        let group_fits = match (self.suite.authentication(), self.group) {
            (Authentication::Rsa, group) => group.is_none(),
            (_, None) => false,
            (Authentication::DheRsa, Some(group)) => group.is_finite_field(),
            (Authentication::Any, Some(_)) => true,
            (_, Some(group)) => !group.is_finite_field() && !group.is_post_quantum(),
        };
        version_fits && key_fits && group_fits && self.suite.fits(self.key)
    }

    /// The curve of the key, where a client has to offer it beside the group: before TLS 1.3 supported_groups also names the curves
    /// that certificates may have (RFC 8422 5.1), and servers hold it against theirs.
    pub fn curve_of_key(&self) -> Option<Group> {
        let curve = match self.key {
            Key::EcdsaP256 => Some(Group::Secp256r1),
            Key::EcdsaP384 => Some(Group::Secp384r1),
            _ => None,
        };
        curve.filter(|curve| !self.version.is_tls13() && self.group != Some(*curve))
    }
}

impl Group {
    /// Whether the group is a finite field of RFC 7919.
    pub const fn is_finite_field(self) -> bool {
        matches!(self, Self::Ffdhe2048 | Self::Ffdhe3072)
    }

    /// Whether the group contains a post-quantum KEM, which exists in TLS 1.3 only.
    pub const fn is_post_quantum(self) -> bool {
        matches!(self, Self::X25519MlKem768 | Self::Secp256r1MlKem768 | Self::Secp384r1MlKem1024)
    }
}
