//! What GnuTLS calls the things that the IANA registries name otherwise, as its priority strings take them.

use tlstax_names::openssl;
use tlstax_spec::{Group, Params, Suite};

/// A priority string: one version, one suite, and the group, with the curve of an ECDSA key behind it in TLS 1.2.
pub fn priority(params: Params) -> String {
    let version = format!("VERS-{}", params.version.name().replace('v', ""));
    let groups = match openssl::groups(params) {
        Some(list) => list.split(':').filter_map(openssl::group_of).collect(),
        None => Vec::from_iter(params.group),
    };
    let mut words = vec!["NONE".to_owned(), version];
    words.extend(suite(params.suite));
    words.extend(groups.into_iter().map(group));
    words.extend(["SIGN-ALL", "CTYPE-X509", "COMP-NULL"].map(str::to_owned));
    words.join(":+")
}

/// Key exchange, where the suite says it, cipher and MAC.
fn suite(suite: Suite) -> Vec<String> {
    let name = suite.name().trim_start_matches("TLS_");
    let (exchange, rest) = name.split_once("_WITH_").unwrap_or(("", name));
    let (cipher, hash) = rest.rsplit_once('_').unwrap_or((rest, ""));
    let cipher = match cipher {
        "3DES_EDE_CBC" => "3DES-CBC".to_owned(),
        "RC4_128" => "ARCFOUR-128".to_owned(),
        other => other.replace('_', "-"),
    };
    let is_aead = ["GCM", "CCM", "POLY1305"].iter().any(|mode| cipher.ends_with(mode));
    let mac = match hash {
        _ if is_aead => "AEAD",
        "SHA" => "SHA1",
        other => other,
    };
    let words = [exchange.replace('_', "-"), cipher, mac.to_owned()];
    words.into_iter().filter(|word| !word.is_empty()).collect()
}

fn group(group: Group) -> String {
    format!("GROUP-{}", group.name().to_uppercase().replace("MLKEM", "-MLKEM"))
}

#[cfg(test)]
mod tests {
    use tlstax_spec::{Key, Version};

    use super::*;

    #[test]
    fn gnutls_speaks_so() {
        for (known, words) in [
            (Suite::Aes128Gcm, "AES-128-GCM AEAD"),
            (Suite::ChaCha20Poly1305, "CHACHA20-POLY1305 AEAD"),
            (Suite::Aes128Ccm, "AES-128-CCM AEAD"),
            (Suite::EcdheEcdsaAes256Gcm, "ECDHE-ECDSA AES-256-GCM AEAD"),
            (Suite::DheRsaAes128Gcm, "DHE-RSA AES-128-GCM AEAD"),
            (Suite::RsaAes128CbcSha, "RSA AES-128-CBC SHA1"),
            (Suite::RsaTripleDesCbcSha, "RSA 3DES-CBC SHA1"),
            (Suite::RsaRc4128Md5, "RSA ARCFOUR-128 MD5"),
            (Suite::RsaNullSha256, "RSA NULL SHA256"),
        ] {
            assert_eq!(suite(known).join(" "), words);
        }
        assert_eq!(group(Group::Secp256r1MlKem768), "GROUP-SECP256R1-MLKEM768");
    }

    #[test]
    fn a_priority_has_one_of_each_and_the_curve_of_the_key() {
        let params = |version, suite, group, key| Params { version, suite, group, key };
        let ecdsa = params(Version::Tls12, Suite::EcdheEcdsaAes128Gcm, Some(Group::X25519), Key::EcdsaP256);
        assert_eq!(
            priority(ecdsa),
            "NONE:+VERS-TLS1.2:+ECDHE-ECDSA:+AES-128-GCM:+AEAD:+GROUP-X25519:+GROUP-SECP256R1:+SIGN-ALL:+CTYPE-X509:+COMP-NULL"
        );
        let dhe = params(Version::Tls12, Suite::DheRsaAes256Gcm, Some(Group::Ffdhe3072), Key::Rsa2048);
        assert!(priority(dhe).contains(":+DHE-RSA:+AES-256-GCM:+AEAD:+GROUP-FFDHE3072:"));
        let rsa = params(Version::Tls12, Suite::RsaNullSha256, None, Key::Rsa2048);
        assert!(priority(rsa).contains(":+RSA:+NULL:+SHA256:+SIGN-ALL"));
    }
}
