//! Which kind of key is in a certificate.

use rustls::pki_types::{CertificateDer, alg_id};
use rustls::server::ParsedCertificate;
use tlstax_spec::Key;

/// The kind of key, if it is one of the vocabulary.
pub(super) fn key(certificate: &CertificateDer<'_>) -> Option<Key> {
    let info = ParsedCertificate::try_from(certificate).ok()?.subject_public_key_info();
    // SubjectPublicKeyInfo ::= SEQUENCE { algorithm AlgorithmIdentifier, subjectPublicKey BIT STRING }, RFC 5280 4.1
    let (info, _) = element(&info)?;
    let (algorithm, rest) = element(info)?;
    if algorithm == alg_id::RSA_ENCRYPTION.as_ref() {
        let (bits, _) = element(rest)?;
        return rsa(bits);
    }
    let known = [
        (alg_id::ECDSA_P256, Key::EcdsaP256),
        (alg_id::ECDSA_P384, Key::EcdsaP384),
        (alg_id::ED25519, Key::Ed25519),
    ];
    known.into_iter().find_map(|(id, key)| (id.as_ref() == algorithm).then_some(key))
}

/// The content of a BIT STRING that holds RSAPublicKey ::= SEQUENCE { modulus INTEGER, ... }, RFC 8017 A.1.1.
fn rsa(bits: &[u8]) -> Option<Key> {
    let (_unused_bits, public_key) = bits.split_first()?;
    let (public_key, _) = element(public_key)?;
    let (modulus, _) = element(public_key)?;
    // A leading zero keeps the number positive.
    let leading = modulus.iter().take_while(|byte| **byte == 0).count();
    match (modulus.len() - leading) * 8 {
        2048 => Some(Key::Rsa2048),
        3072 => Some(Key::Rsa3072),
        4096 => Some(Key::Rsa4096),
        _ => None,
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
