//! False Start (RFC 7918): a client of TLS 1.2 that sends its request with its own Finished, before it has the server's.

use crate::{Handshake, Resumption, SuiteFacts, Version};

impl Handshake {
    /// Whether a client may do so here: in full, in TLS 1.2 (RFC 7918, 5.2), with a key exchange that has forward secrecy (5.3)
    /// and a cipher that is strong enough (5.1). For that AEADs are taken. The RFC recommends those with AES-GCM and leaves
    /// others to the client.
    pub fn allows_false_start(&self) -> bool {
        let suite = SuiteFacts::of(self.params.suite.name());
        self.params.version == Version::Tls12
            && self.resumption == Resumption::Full
            && suite.forward_secrecy == Some(true)
            && suite.mac == "AEAD"
    }

    /// The round trips before the request with False Start, from those that were counted without: the client does not wait for
    /// the flight with the server's Finished. Computed, not counted; none where a client may not do so.
    pub fn round_trips_with_false_start(&self, counted: u32) -> Option<u32> {
        counted.checked_sub(1).filter(|_| self.allows_false_start())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Group, Key, Params, Suite};

    fn trips(version: Version, suite: Suite, group: Option<Group>, resumption: Resumption) -> Option<u32> {
        let params = Params { version, suite, group, key: Key::Rsa2048 };
        Handshake { resumption, ..Handshake::usual(params) }.round_trips_with_false_start(2)
    }

    #[test]
    fn one_round_trip_less_where_the_standard_allows_it() {
        let (x25519, full) = (Some(Group::X25519), Resumption::Full);
        for suite in [Suite::EcdheRsaAes128Gcm, Suite::EcdheRsaChaCha20Poly1305] {
            assert_eq!(trips(Version::Tls12, suite, x25519, full), Some(1), "{suite}");
        }
        assert_eq!(trips(Version::Tls12, Suite::EcdheRsaAes128CbcSha, x25519, full), None, "CBC");
        assert_eq!(trips(Version::Tls12, Suite::RsaAes128Gcm, None, full), None, "no forward secrecy");
        assert_eq!(trips(Version::Tls12, Suite::EcdheRsaAes128Gcm, x25519, Resumption::Ticket), None);
        assert_eq!(trips(Version::Tls13, Suite::Aes128Gcm, x25519, full), None);
    }

    #[test]
    fn what_was_not_counted_is_not_computed() {
        let params = Params {
            version: Version::Tls12,
            suite: Suite::EcdheRsaAes128Gcm,
            group: Some(Group::X25519),
            key: Key::Rsa2048,
        };
        assert_eq!(Handshake::usual(params).round_trips_with_false_start(0), None);
    }
}
