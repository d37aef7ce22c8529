//! [`SuiteFacts`]: what the IANA name of a suite states.

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteFacts {
    /// Its name in OpenSSL; none where that does not follow from the IANA name.
    pub openssl: Option<String>,
    /// Whether it belongs to TLS 1.3, which leaves key exchange and authentication open.
    pub tls13: bool,
    pub exchange: String,
    /// What authenticates the server.
    pub authentication: String,
    /// Whether a key that is stolen later opens nothing that was recorded before; none where the name leaves it open.
    pub forward_secrecy: Option<bool>,
    /// The cipher, with the length of its key.
    pub cipher: String,
    /// AEAD, or the HMAC that stands beside the cipher.
    pub mac: String,
    /// What is weak in it today.
    pub weak: Vec<Weakness>,
}

/// Something that is weak today; [`Self::meaning`] says what about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weakness {
    Null,
    Anonymous,
    /// Keys cut to what could once be exported, and DES.
    Export,
    Rc4,
    TripleDes,
    NoForwardSecrecy,
    Md5,
    Cbc,
    Sha1,
}

impl Weakness {
    /// A word for tables.
    pub const fn word(self) -> &'static str {
        self.words().0
    }

    /// What is weak about it, in a few words.
    pub const fn meaning(self) -> &'static str {
        self.words().1
    }

    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Null => ("NULL", "nothing is encrypted"),
            Self::Anonymous => ("anonymous", "nobody is authenticated: anyone in between can read"),
            Self::Export => ("export", "a key that is short enough to be tried out"),
            Self::Rc4 => ("RC4", "its key stream is biased enough to be read (RFC 7465 forbids it)"),
            Self::TripleDes => ("3DES", "blocks of 64 bits repeat within hours of traffic (Sweet32)"),
            Self::NoForwardSecrecy => {
                ("no FS", "who gets the server's key later reads what was recorded before")
            }
            Self::Md5 => ("MD5", "a broken hash in the MAC"),
            Self::Cbc => ("CBC", "padding after the MAC, the ground of Lucky 13 and its like"),
            Self::Sha1 => ("SHA-1", "a broken hash in the MAC; no attack on the MAC itself is known"),
        }
    }
}

/// Key exchange and authentication as they stand in a name: both in words, whether there is forward secrecy, and what
/// OpenSSL puts before the cipher.
const EXCHANGES: [(&str, &str, &str, bool, &str); 19] = [
    ("ECDHE_ECDSA", "ECDHE", "ECDSA", true, "ECDHE-ECDSA-"),
    ("ECDHE_RSA", "ECDHE", "RSA", true, "ECDHE-RSA-"),
    ("ECDHE_PSK", "ECDHE", "PSK", true, "ECDHE-PSK-"),
    ("ECDH_anon", "ECDHE", NOBODY, true, "AECDH-"),
    ("ECDH_ECDSA", "static ECDH", "ECDSA", false, "ECDH-ECDSA-"),
    ("ECDH_RSA", "static ECDH", "RSA", false, "ECDH-RSA-"),
    ("DHE_RSA", "DHE", "RSA", true, "DHE-RSA-"),
    ("DHE_DSS", "DHE", "DSS", true, "DHE-DSS-"),
    ("DHE_PSK", "DHE", "PSK", true, "DHE-PSK-"),
    ("PSK_DHE", "DHE", "PSK", true, "DHE-PSK-"),
    ("DH_anon", "DHE", NOBODY, true, "ADH-"),
    ("DH_RSA", "static DH", "RSA", false, "DH-RSA-"),
    ("DH_DSS", "static DH", "DSS", false, "DH-DSS-"),
    ("RSA_PSK", "RSA", "RSA, PSK", false, "RSA-PSK-"),
    ("RSA", "RSA", "RSA", false, ""),
    ("PSK", "PSK", "PSK", false, "PSK-"),
    ("SRP_SHA_RSA", "SRP", "RSA", true, "SRP-RSA-"),
    ("SRP_SHA_DSS", "SRP", "DSS", true, "SRP-DSS-"),
    ("SRP_SHA", "SRP", "SRP", true, "SRP-"),
];

const NOBODY: &str = "none";

impl SuiteFacts {
    pub fn of(name: &str) -> Self {
        let bare = name.strip_prefix("TLS_").unwrap_or(name);
        let (head, tail) = match bare.split_once("_WITH_") {
            Some((head, tail)) => (Some(head), tail),
            None => (None, bare),
        };
        let known = EXCHANGES.iter().find(|(iana, ..)| head == Some(*iana));
        let (exchange, authentication, forward_secrecy) = match (known, head) {
            (Some((_, exchange, authentication, secret, _)), _) => {
                ((*exchange).to_owned(), (*authentication).to_owned(), Some(*secret))
            }
            (None, Some(head)) => (head.replace('_', "-"), String::new(), None),
            (None, None) => ("(EC)DHE".to_owned(), "certificate".to_owned(), Some(true)),
        };
        let (cipher, mac) = cipher_and_mac(tail);
        let mut facts = Self {
            openssl: openssl(name, known.map(|known| known.4), head, tail),
            tls13: head.is_none(),
            exchange,
            authentication,
            forward_secrecy,
            cipher: cipher.replace('_', "-"),
            mac,
            weak: Vec::new(),
        };
        facts.weak = facts.weaknesses(tail);
        facts
    }

    fn weaknesses(&self, tail: &str) -> Vec<Weakness> {
        let is_des = tail.starts_with("DES_") || tail.starts_with("DES40");
        let found = [
            (Weakness::Null, tail.starts_with("NULL")),
            (Weakness::Anonymous, self.authentication == NOBODY),
            (Weakness::Export, is_des || self.exchange.contains("EXPORT") || tail.contains("_40_")),
            (Weakness::Rc4, tail.starts_with("RC4")),
            (Weakness::TripleDes, tail.starts_with("3DES")),
            (Weakness::NoForwardSecrecy, self.forward_secrecy == Some(false)),
            (Weakness::Md5, self.mac == "HMAC-MD5"),
            (Weakness::Cbc, tail.contains("_CBC_")),
            (Weakness::Sha1, self.mac == "HMAC-SHA1"),
        ];
        found.into_iter().filter_map(|(weakness, is_so)| is_so.then_some(weakness)).collect()
    }
}

/// The cipher and what authenticates its records: an AEAD by itself, or the hash at the end of the name.
fn cipher_and_mac(tail: &str) -> (&str, String) {
    let (cipher, hash) = match tail.rsplit_once('_') {
        Some((cipher, hash)) if hash.starts_with("SHA") || hash == "MD5" || hash == "SM3" => (cipher, hash),
        _ => (tail, ""),
    };
    let is_aead = ["GCM", "CCM", "POLY1305", "MGM", "OCB"].iter().any(|mode| cipher.contains(mode));
    match hash {
        _ if is_aead => (cipher, "AEAD".to_owned()),
        "" => (cipher, String::new()),
        "SHA" => (cipher, "HMAC-SHA1".to_owned()),
        hash => (cipher, format!("HMAC-{hash}")),
    }
}

/// The name in OpenSSL: its own for what is older than TLS 1.3, by the rules that its names follow.
fn openssl(name: &str, prefix: Option<&str>, head: Option<&str>, tail: &str) -> Option<String> {
    let Some(head) = head else { return Some(name.to_owned()) };
    let prefix = prefix?;
    let keeps_cbc = tail.contains("AES") || tail.contains("3DES");
    let cipher = if head.starts_with("SRP") {
        tail.replace('_', "-")
    } else if head.contains("PSK") && keeps_cbc && tail.contains("_CBC_") {
        tail.replace("AES_", "AES").replace('_', "-")
    } else if let Some(hash) = tail.strip_prefix("3DES_EDE_CBC_") {
        format!("DES-CBC3-{hash}")
    } else if tail == "CHACHA20_POLY1305_SHA256" {
        "CHACHA20-POLY1305".to_owned()
    } else {
        let joined = tail.replace("CCM_8", "CCM8").replace("RC4_128", "RC4").replace("_CBC", "");
        let joined = ["AES_", "ARIA_", "CAMELLIA_"]
            .iter()
            .fold(joined, |text, cipher| text.replace(cipher, cipher.trim_end_matches('_')));
        joined.replace('_', "-")
    };
    // It leaves the RSA of these away, and only of these.
    let prefix = if head == "ECDHE_RSA" && tail.starts_with("ARIA") { "ECDHE-" } else { prefix };
    Some(prefix.to_owned() + &cipher)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str) -> String {
        let SuiteFacts { openssl, exchange, authentication, cipher, mac, weak, .. } = SuiteFacts::of(name);
        let weak: Vec<_> = weak.into_iter().map(Weakness::word).collect();
        let openssl = openssl.unwrap_or_default();
        format!("{openssl} | {exchange} {authentication} | {cipher} {mac} | {}", weak.join(" "))
    }

    #[test]
    fn names_are_read() {
        for (name, expected) in [
            ("TLS_AES_128_GCM_SHA256", "TLS_AES_128_GCM_SHA256 | (EC)DHE certificate | AES-128-GCM AEAD | "),
            (
                "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
                "ECDHE-ECDSA-CHACHA20-POLY1305 | ECDHE ECDSA | CHACHA20-POLY1305 AEAD | ",
            ),
            (
                "TLS_DHE_RSA_WITH_AES_256_CBC_SHA256",
                "DHE-RSA-AES256-SHA256 | DHE RSA | AES-256-CBC HMAC-SHA256 | CBC",
            ),
            (
                "TLS_RSA_WITH_AES_128_CBC_SHA",
                "AES128-SHA | RSA RSA | AES-128-CBC HMAC-SHA1 | no FS CBC SHA-1",
            ),
            (
                "TLS_RSA_WITH_3DES_EDE_CBC_SHA",
                "DES-CBC3-SHA | RSA RSA | 3DES-EDE-CBC HMAC-SHA1 | 3DES no FS CBC SHA-1",
            ),
            ("TLS_RSA_WITH_RC4_128_MD5", "RC4-MD5 | RSA RSA | RC4-128 HMAC-MD5 | RC4 no FS MD5"),
            ("TLS_RSA_WITH_NULL_SHA256", "NULL-SHA256 | RSA RSA | NULL HMAC-SHA256 | NULL no FS"),
            ("TLS_RSA_WITH_AES_256_CCM_8", "AES256-CCM8 | RSA RSA | AES-256-CCM-8 AEAD | no FS"),
            (
                "TLS_DH_anon_WITH_AES_128_GCM_SHA256",
                "ADH-AES128-GCM-SHA256 | DHE none | AES-128-GCM AEAD | anonymous",
            ),
            (
                "TLS_PSK_WITH_AES_128_CBC_SHA",
                "PSK-AES128-CBC-SHA | PSK PSK | AES-128-CBC HMAC-SHA1 | no FS CBC SHA-1",
            ),
        ] {
            assert_eq!(row(name), expected);
        }
    }

    #[test]
    fn what_a_name_does_not_state_is_left_open() {
        let facts = SuiteFacts::of("TLS_GOSTR341112_256_WITH_28147_CNT_IMIT");
        assert_eq!((facts.forward_secrecy, facts.openssl, facts.weak.len()), (None, None, 0));
        assert_eq!(SuiteFacts::of("").cipher, "");
    }

    #[test]
    fn every_suite_of_the_vocabulary_is_known() {
        for suite in crate::Suite::ALL {
            let facts = SuiteFacts::of(suite.name());
            assert!(facts.openssl.is_some() && facts.forward_secrecy.is_some(), "{suite}: {facts:?}");
            assert_eq!(facts.tls13, suite.version() == crate::Version::Tls13, "{suite}");
            assert!(!facts.cipher.is_empty() && !facts.mac.is_empty(), "{suite}: {facts:?}");
        }
    }
}
