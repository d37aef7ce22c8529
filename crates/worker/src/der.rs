//! The little of certificates that TLS libraries do not tell: the kind of key, and the serial number.

use tlstax_spec::Key;

/// How a certificate names a kind of key: the content of its AlgorithmIdentifier (RFC 3279, 5480, 8410 and 9881).
pub const fn algorithm(key: Key) -> &'static [u8] {
    match key {
        Key::Rsa2048 | Key::Rsa3072 | Key::Rsa4096 => RSA,
        Key::EcdsaP256 => b"\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07",
        Key::EcdsaP384 => b"\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x05\x2b\x81\x04\x00\x22",
        Key::Ed25519 => b"\x06\x03\x2b\x65\x70",
        Key::MlDsa44 => b"\x06\x09\x60\x86\x48\x01\x65\x03\x04\x03\x11",
        Key::MlDsa65 => b"\x06\x09\x60\x86\x48\x01\x65\x03\x04\x03\x12",
        Key::MlDsa87 => b"\x06\x09\x60\x86\x48\x01\x65\x03\x04\x03\x13",
    }
}

/// rsaEncryption, with the NULL that RFC 3279 2.3.1 demands.
const RSA: &[u8] = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01\x05\x00";

/// The kind of key in a SubjectPublicKeyInfo, if it is one of the vocabulary.
pub fn key(info: &[u8]) -> Option<Key> {
    // SubjectPublicKeyInfo ::= SEQUENCE { algorithm AlgorithmIdentifier, subjectPublicKey BIT STRING }, RFC 5280 4.1
    let (info, _) = element(info)?;
    let (named, rest) = element(info)?;
    if named != RSA {
        return Key::ALL.iter().copied().find(|key| algorithm(*key) == named);
    }
    // RSAPublicKey ::= SEQUENCE { modulus INTEGER, ... } in a BIT STRING, RFC 8017 A.1.1
    let (_unused_bits, public_key) = element(rest)?.0.split_first()?;
    let (modulus, _) = element(element(public_key)?.0)?;
    match positive(modulus).len() * 8 {
        2048 => Some(Key::Rsa2048),
        3072 => Some(Key::Rsa3072),
        4096 => Some(Key::Rsa4096),
        _ => None,
    }
}

/// The serial number of a certificate, without leading zeros.
///
/// Certificate ::= SEQUENCE { tbsCertificate SEQUENCE { version [0] DEFAULT v1, serialNumber INTEGER, ... }, ... }
pub fn serial_number(certificate: &[u8]) -> Option<&[u8]> {
    const VERSION: u8 = 0xa0;
    let (mut fields, _) = element(element(certificate)?.0)?;
    if fields.first() == Some(&VERSION) {
        (_, fields) = element(fields)?;
    }
    let (number, _) = element(fields)?;
    Some(positive(number))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rubbish_has_no_key() {
        assert_eq!(key(b"\x30\x82\xff\xff"), None);
        assert_eq!(element(&[0x30, 0x84, 0xff, 0xff, 0xff, 0xff, 0]), None);
        assert_eq!(element(&[0x30]), None);
    }
}
