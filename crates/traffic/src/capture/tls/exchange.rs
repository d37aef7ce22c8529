//! What a key exchange before TLS 1.3 tells of the group, and of the server's key.

use tlstax_spec::{Authentication, Key, Suite};

use super::fields::Fields;

/// ServerKeyExchange names its curve: RFC 8422, 5.4.
const NAMED_CURVE: u8 = 3;

/// The lengths of the primes of RFC 7919 in bytes, each with the code point of its group.
const PRIMES: [(usize, u16); 5] = [(256, 256), (384, 257), (512, 258), (768, 259), (1024, 260)];
/// What they begin with; the other primes that servers use (RFC 3526) begin otherwise from the ninth byte on.
const PRIME: [u8; 16] =
    [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xad, 0xf8, 0x54, 0x58, 0xa2, 0xbb, 0x4a, 0x9a];

const ED25519: u16 = 0x0807;

/// What a key exchange tells.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Exchange {
    /// The group, by its code point.
    pub group: Option<u16>,
    /// The server's key, as documents have it.
    pub key: Option<&'static str>,
}

/// What the body of a `ServerKeyExchange` tells.
pub fn of_server(body: &[u8], suite: u16, version: u16) -> Exchange {
    let mut fields = Fields(body);
    let group = match Suite::from_code(suite).map(Suite::authentication) {
        Some(Authentication::EcdheRsa | Authentication::EcdheEcdsa) => curve(&mut fields),
        Some(Authentication::DheRsa) => finite_field(&mut fields),
        _ => return Exchange::default(),
    };
    let scheme = if version == 0x0303 { fields.u16() } else { None };
    // The length stands before the signature, which may be cut.
    let length = fields.u16().filter(|_| group.is_some());
    let key = match scheme {
        Some(ED25519) => Some(Key::Ed25519.name()),
        _ => length.and_then(|length| of_signature(length.into(), suite)),
    };
    Exchange { group: group.flatten(), key }
}

/// The named curve of a key exchange, none where it names none; none at all where it is cut.
fn curve(fields: &mut Fields<'_>) -> Option<Option<u16>> {
    let kind = fields.u8()?;
    let curve = fields.u16()?;
    fields.short()?;
    Some((kind == NAMED_CURVE).then_some(curve))
}

fn finite_field(fields: &mut Fields<'_>) -> Option<Option<u16>> {
    let prime = fields.long()?;
    fields.long()?;
    fields.long()?;
    let known = PRIMES.iter().find(|(length, _)| prime.len() == *length && prime.starts_with(&PRIME));
    Some(known.map(|(_, code)| *code))
}

/// The key by the length of a signature: that of an RSA key is as long as its modulus; one of ECDSA is two numbers of the length
/// of the curve's, each rarely more than a byte or two shorter, in 6 to 9 bytes of DER.
fn of_signature(length: usize, suite: u16) -> Option<&'static str> {
    match (of_suite(suite)?, length) {
        ("rsa", length) => Some(of_modulus(length)),
        (_, 64..=72) => Some(Key::EcdsaP256.name()),
        (_, 96..=104) => Some(Key::EcdsaP384.name()),
        (family, _) => Some(family),
    }
}

const fn of_modulus(bytes: usize) -> &'static str {
    match bytes {
        256 => Key::Rsa2048.name(),
        384 => Key::Rsa3072.name(),
        512 => Key::Rsa4096.name(),
        _ => "rsa",
    }
}

/// What the length of a `ClientKeyExchange` tells: key transport has a secret in it, encrypted with the server's key.
pub fn of_client(length: u32, suite: u16) -> Option<&'static str> {
    let is_transport = Suite::from_code(suite)?.authentication() == Authentication::Rsa;
    is_transport.then(|| of_modulus((length as usize).saturating_sub(2)))
}

/// The family of keys that a suite before TLS 1.3 says.
pub fn of_suite(suite: u16) -> Option<&'static str> {
    match Suite::from_code(suite)?.authentication() {
        Authentication::Any => None,
        Authentication::EcdheEcdsa => Some("ecdsa"),
        Authentication::EcdheRsa | Authentication::DheRsa | Authentication::Rsa => Some("rsa"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ECDHE_RSA: u16 = 0xc02f;
    const ECDHE_ECDSA: u16 = 0xc02b;
    const DHE_RSA: u16 = 0x009e;

    fn ecdhe(scheme: &[u8], length: u16) -> Vec<u8> {
        [&[3, 0, 29, 2, 7, 7][..], scheme, &length.to_be_bytes()].concat()
    }

    #[test]
    fn the_length_of_a_signature_tells_the_key() {
        let key = |body: &[u8], suite, version| of_server(body, suite, version).key;
        assert_eq!(key(&ecdhe(&[8, 4], 256), ECDHE_RSA, 0x0303), Some("rsa-2048"));
        assert_eq!(key(&ecdhe(&[], 512), ECDHE_RSA, 0x0302), Some("rsa-4096"));
        assert_eq!(key(&ecdhe(&[8, 4], 128), ECDHE_RSA, 0x0303), Some("rsa"));
        assert_eq!(key(&ecdhe(&[4, 3], 71), ECDHE_ECDSA, 0x0303), Some("ecdsa-p256"));
        assert_eq!(key(&ecdhe(&[5, 3], 103), ECDHE_ECDSA, 0x0303), Some("ecdsa-p384"));
        assert_eq!(key(&ecdhe(&[8, 7], 64), ECDHE_ECDSA, 0x0303), Some("ed25519"));
        assert_eq!(of_server(&ecdhe(&[4, 3], 71), ECDHE_ECDSA, 0x0303).group, Some(29));
        let cut = ecdhe(&[4, 3], 71);
        assert_eq!(of_server(&cut[..5], ECDHE_ECDSA, 0x0303), Exchange::default());
    }

    #[test]
    fn a_prime_of_rfc_7919_is_a_group() {
        let number = |bytes: &[u8]| [&u16::try_from(bytes.len()).unwrap().to_be_bytes()[..], bytes].concat();
        let prime = [&PRIME[..], &[1; 240]].concat();
        let body = |prime: &[u8]| [number(prime), number(&[2]), number(&[9; 256]), vec![8, 4, 1, 0]].concat();
        let known = Exchange { group: Some(256), key: Some("rsa-2048") };
        assert_eq!(of_server(&body(&prime), DHE_RSA, 0x0303), known);
        assert_eq!(of_server(&body(&[0xff; 256]), DHE_RSA, 0x0303), Exchange { group: None, ..known });
    }

    #[test]
    fn key_transport_is_as_long_as_the_modulus() {
        assert_eq!(of_client(258, 0x009c), Some("rsa-2048"));
        assert_eq!(of_client(66, ECDHE_RSA), None);
    }
}
