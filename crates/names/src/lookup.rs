//! Reading a name of a vocabulary as people write it.

use super::aliases::Aliased;
use super::closest::{closest, fold, question};

/// A list of names longer than this is not printed: `tlstax generate names` does that.
const LONGEST_LIST: usize = 700;

/// A word that is no name of its kind, or the name of several: the sentence that says so.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NameError(String);

/// How two spellings are compared, from the strictest to the most lenient.
const COMPARISONS: [fn(&str, &str) -> bool; 3] =
    [|one, other| one == other, str::eq_ignore_ascii_case, |one, other| fold(one) == fold(other)];

/// The member that goes by a name or an alias, whatever its capitals and its punctuation.
///
/// # Errors
/// No member does, or several do. `AES128-GCM-SHA256` is OpenSSL's name of a suite, `aes128gcmsha256` can be two.
pub fn lookup<T: Aliased>(word: &str) -> Result<T, NameError> {
    let word = word.trim();
    for is_same in COMPARISONS {
        let fits: Vec<T> = T::MEMBERS
            .iter()
            .copied()
            .filter(|member| member.spellings().iter().any(|spelling| is_same(spelling, word)))
            .collect();
        match fits.as_slice() {
            [] => {}
            [one] => return Ok(*one),
            several => {
                let fits: Vec<&str> = several.iter().map(|member| member.canonical_name()).collect();
                let fits = fits.join(" or ");
                return Err(NameError(format!("'{word}' can be more than one {}: write {fits}", T::WHAT)));
            }
        }
    }
    Err(unknown::<T>(word))
}

fn unknown<T: Aliased>(word: &str) -> NameError {
    let spelled: Vec<(&str, Vec<String>)> =
        T::MEMBERS.iter().map(|member| (member.canonical_name(), member.spellings())).collect();
    let spellings = spelled
        .iter()
        .flat_map(|(name, spellings)| spellings.iter().map(move |spelling| (*name, spelling.as_str())));
    let question = question(&closest(word, spellings));
    let list = T::MEMBERS.iter().map(|member| member.canonical_name()).collect::<Vec<_>>().join(", ");
    let known = match list.len() <= LONGEST_LIST {
        true => list,
        false => format!("{} names, which tlstax generate names prints", T::MEMBERS.len()),
    };
    NameError(format!("unknown {} '{word}';{question} known: {known}", T::WHAT))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tlstax_spec::{Algorithm, Group, Http, Key, Op, Resumption, Suite, Switch, Version};

    fn all<T: Aliased + std::fmt::Debug>(member: T, words: &[&str]) {
        for word in words {
            assert_eq!(lookup::<T>(word), Ok(member), "{word}");
        }
    }

    #[test]
    fn names_are_read_as_people_write_them() {
        all(Version::Tls13, &["TLSv1.3", "1.3", "tls1.3", "TLS1_3", "tlsv1.3", "TLSv1_3", "TLS 1.3", " 1.3"]);
        all(Version::Tls12, &["1.2", "TLS1.2"]);
        all(Group::X25519, &["x25519", "X25519"]);
        all(Group::Secp256r1, &["P-256", "p256", "prime256v1", "secp256r1", "SECP256R1", "nistp256"]);
        all(Group::X25519MlKem768, &["x25519mlkem768", "X25519-ML-KEM-768"]);
        all(Key::Rsa2048, &["rsa2048", "rsa", "RSA-2048"]);
        all(Key::EcdsaP256, &["ecdsa", "p256", "P-256", "prime256v1", "ecdsa_p256"]);
        all(Key::Ed25519, &["Ed25519"]);
        all(Algorithm::Aes128Gcm, &["AES-128-GCM", "aes128gcm", "AES128-GCM"]);
        all(Algorithm::ChaCha20Poly1305, &["chacha20", "ChaCha20-Poly1305"]);
        all(Algorithm::Sha256, &["sha-256", "SHA256", "sha2-256"]);
        all(Algorithm::MlKem768, &["mlkem768", "ML-KEM-768"]);
        all(Resumption::EarlyData, &["0rtt", "0-rtt", "0-RTT", "early_data"]);
        all(Resumption::Ticket, &["ticket", "tickets"]);
        all(Http::Http1, &["http1", "http1.1", "HTTP/1.1", "h1"]);
        all(Http::Http2, &["h2", "http2", "HTTP/2"]);
        all(Op::Digest, &["hash"]);
        all(Switch::Aes, &["aes-ni", "AESNI"]);
    }

    #[test]
    fn suites_have_the_names_of_openssl_too() {
        all(
            Suite::EcdheRsaAes128Gcm,
            &[
                "ECDHE-RSA-AES128-GCM-SHA256",
                "ecdhe_rsa_with_aes_128_gcm_sha256",
                "ecdhe-rsa-aes128-gcm-sha256",
            ],
        );
        all(Suite::Aes128Gcm, &["TLS_AES_128_GCM_SHA256", "AES-128-GCM", "aes128gcm", "AES_128_GCM_SHA256"]);
        all(Suite::RsaAes128Gcm, &["AES128-GCM-SHA256", "aes128-gcm-sha256"]);
        all(Suite::ChaCha20Poly1305, &["chacha20", "TLS_CHACHA20_POLY1305_SHA256"]);
        all(Suite::RsaTripleDesCbcSha, &["DES-CBC3-SHA"]);
    }

    #[test]
    fn what_can_be_two_things_is_refused_with_both() {
        let error = lookup::<Suite>("aes128gcmsha256").unwrap_err().to_string();
        assert!(error.contains("TLS_AES_128_GCM_SHA256 or TLS_RSA_WITH_AES_128_GCM_SHA256"), "{error}");
        let error = lookup::<Algorithm>("p256").unwrap_err().to_string();
        assert!(error.contains("ecdsa-p256 or ecdh-p256"), "{error}");
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_closest_and_the_list() {
        let error = lookup::<Group>("X25518").unwrap_err().to_string();
        assert!(error.starts_with("unknown group 'X25518'; did you mean X25519"), "{error}");
        assert!(error.contains("known: X25519, secp256r1"), "{error}");
        let error = lookup::<Group>("prime256v2").unwrap_err().to_string();
        assert!(error.contains("did you mean secp256r1"), "{error}");
        let error = lookup::<Suite>("nonesuch").unwrap_err().to_string();
        assert!(error.contains("unknown cipher suite 'nonesuch'; known: 39 names"), "{error}");
    }
}
