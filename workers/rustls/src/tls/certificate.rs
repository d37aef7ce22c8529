//! What rustls does not tell of a certificate: the kind of key, and the serial number.

use rustls::pki_types::CertificateDer;
use rustls::server::ParsedCertificate;
use tlstax_spec::Key;

use crate::provider::key_algorithm;

/// The kind of key, if it is one of the vocabulary.
pub(super) fn key(certificate: &CertificateDer<'_>) -> Option<Key> {
    let info = ParsedCertificate::try_from(certificate).ok()?.subject_public_key_info();
    // SubjectPublicKeyInfo ::= SEQUENCE { algorithm AlgorithmIdentifier, subjectPublicKey BIT STRING }, RFC 5280 4.1
    let (info, _) = element(&info)?;
    let (algorithm, rest) = element(info)?;
    if algorithm == key_algorithm(Key::Rsa2048).as_ref() {
        let (bits, _) = element(rest)?;
        return rsa(bits);
    }
    Key::ALL.iter().copied().find(|key| key_algorithm(*key).as_ref() == algorithm)
}

/// The serial number, without leading zeros.
///
/// Certificate ::= SEQUENCE { tbsCertificate SEQUENCE { version [0] DEFAULT v1, serialNumber INTEGER, ... }, ... }
pub(crate) fn serial_number<'a>(certificate: &'a CertificateDer<'_>) -> Option<&'a [u8]> {
    const VERSION: u8 = 0xa0;
    let (certificate, _) = element(certificate)?;
    let (mut fields, _) = element(certificate)?;
    if fields.first() == Some(&VERSION) {
        (_, fields) = element(fields)?;
    }
    let (number, _) = element(fields)?;
    Some(positive(number))
}

/// The content of a BIT STRING that holds RSAPublicKey ::= SEQUENCE { modulus INTEGER, ... }, RFC 8017 A.1.1.
fn rsa(bits: &[u8]) -> Option<Key> {
    let (_unused_bits, public_key) = bits.split_first()?;
    let (public_key, _) = element(public_key)?;
    let (modulus, _) = element(public_key)?;
    match positive(modulus).len() * 8 {
        2048 => Some(Key::Rsa2048),
        3072 => Some(Key::Rsa3072),
        4096 => Some(Key::Rsa4096),
        _ => None,
    }
}

/// An INTEGER without the zeros in front, which keep it positive.
fn positive(number: &[u8]) -> &[u8] {
    &number[number.iter().take_while(|byte| **byte == 0).count()..]
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
