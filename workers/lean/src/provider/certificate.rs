//! The kind of key in a certificate that is not one of ours.

use rustls::pki_types::{AlgorithmIdentifier, CertificateDer, alg_id};
use rustls::server::ParsedCertificate;
use tlstax_spec::Key;

/// The kind of key, if it is one of the vocabulary.
pub(crate) fn key(certificate: &CertificateDer<'_>) -> Option<Key> {
    let info = ParsedCertificate::try_from(certificate).ok()?.subject_public_key_info();
    // SubjectPublicKeyInfo ::= SEQUENCE { algorithm AlgorithmIdentifier, subjectPublicKey BIT STRING }, RFC 5280 4.1
    let (info, _) = element(&info)?;
    let (algorithm, rest) = element(info)?;
    if algorithm != alg_id::RSA_ENCRYPTION.as_ref() {
        return Key::ALL.iter().copied().find(|key| key_algorithm(*key).as_ref() == algorithm);
    }
    // RSAPublicKey ::= SEQUENCE { modulus INTEGER, ... } in a BIT STRING, RFC 8017 A.1.1
    let (_unused_bits, public_key) = element(rest)?.0.split_first()?;
    let (modulus, _) = element(element(public_key)?.0)?;
    // A zero in front keeps an INTEGER positive.
    match (modulus.len() - usize::from(modulus.first() == Some(&0))) * 8 {
        2048 => Some(Key::Rsa2048),
        3072 => Some(Key::Rsa3072),
        4096 => Some(Key::Rsa4096),
        _ => None,
    }
}

/// How a certificate names this kind of key.
pub(super) const fn key_algorithm(key: Key) -> AlgorithmIdentifier {
    match key {
        Key::Rsa2048 | Key::Rsa3072 | Key::Rsa4096 => alg_id::RSA_ENCRYPTION,
        Key::EcdsaP256 => alg_id::ECDSA_P256,
        Key::EcdsaP384 => alg_id::ECDSA_P384,
        Key::Ed25519 => alg_id::ED25519,
        Key::MlDsa44 => alg_id::ML_DSA_44,
        Key::MlDsa65 => alg_id::ML_DSA_65,
        Key::MlDsa87 => alg_id::ML_DSA_87,
    }
}

/// The content of the first DER element, and what follows it.
fn element(der: &[u8]) -> Option<(&[u8], &[u8])> {
    let (&[_tag, first], rest) = der.split_first_chunk()?;
    if first < 0x80 {
        return rest.split_at_checked(first.into());
    }
    let (length, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
    let length =
        length.iter().try_fold(0_usize, |sum, byte| Some(sum.checked_mul(256)? + usize::from(*byte)))?;
    rest.split_at_checked(length)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use rustls::pki_types::pem::PemObject;
    use tlstax_worker::Pki;

    use super::*;

    #[test]
    fn every_key_of_the_vocabulary_is_known_by_its_certificate() {
        let pki = Pki::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../pki"));
        for &wanted in Key::ALL {
            let pem = pki.server_chain(wanted, 1).unwrap();
            assert_eq!(key(&CertificateDer::from_pem_slice(&pem).unwrap()), Some(wanted));
        }
    }

    #[test]
    fn rubbish_has_no_key() {
        assert_eq!(key(&CertificateDer::from(&b"\x30\x82\xff\xff"[..])), None);
        assert_eq!(element(&[0x30, 0x84, 0xff, 0xff, 0xff, 0xff, 0]), None);
        assert_eq!(element(&[0x30]), None);
    }
}
