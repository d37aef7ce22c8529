//! The fixed inputs of primitives: the same bytes for every library, so that every library must give the same answer.

use tlstax_spec::known_answers::{fixed, message, signs, vector};
use tlstax_spec::{Algorithm, Primitive};

use crate::job::Refusal;
use crate::pki::Pki;

/// What a primitive works on. All bytes are fixed and public.
///
/// The whole output that [`crate::Operation::answer`] gives for them, with the call pattern of TLS:
/// - encryption: the ciphertext and, with an AEAD, the tag; CBC with HMAC: the ciphertext of message, MAC and padding,
///   as short as it can be, without an explicit initialisation vector; decryption: the message;
/// - digest, MAC, derived key (HKDF: with empty info, as many bytes as the hash gives), shared secret (of ECDH the x
///   coordinate); decapsulation: the shared secret;
/// - an Ed25519 signature;
/// - loading a CA bundle: how many certificates it held, 4 bytes, big-endian; parsing a certificate: its serial number,
///   big-endian, without leading zeros;
/// - all other signatures, every verification, key generation, encapsulation: `CHECKED`, after the library's own inverse.
#[derive(Debug, Clone)]
pub struct Inputs {
    /// The secret key; an algorithm takes as many bytes from its front as it needs. For CBC with HMAC the cipher key
    /// comes from the front and the MAC key from [`Inputs::mac_key`]; for HKDF this is the input keying material
    /// (its first 32 bytes) and `mac_key` the salt (as many bytes as the hash gives).
    pub key: [u8; 64],
    /// The key of a MAC: as many bytes from its front as the hash gives.
    pub mac_key: [u8; 64],
    /// The nonce (12 bytes, xor-ed with the record number in its last 8) or the initialisation vector (16 or 8). The
    /// first record has the number 0.
    pub iv: [u8; 16],
    /// The additional data of a TLS 1.2 record: sequence number 0, type, version, length of the message. It stays the
    /// same in every iteration.
    pub additional_data: [u8; 13],
    /// The message, of the size of the case; for CBC without a MAC, rounded up to whole blocks. For a signature: the
    /// 130 bytes that a TLS 1.3 server signs (RFC 8446 4.4.3). For a CA bundle its certificates, PEM; for a certificate
    /// itself, DER. Empty for a key derivation, agreement or KEM.
    pub message: Vec<u8>,
    /// For verification: a signature over `message` by the server key in `pki` made by another implementation: RSA-PSS
    /// with SHA-256 and 32 bytes of salt; ECDSA in DER. For ML-DSA and SLH-DSA by the key in `peer`.
    pub signature: Vec<u8>,
    /// For a Diffie-Hellman: our private key (PKCS#8 DER). For ML-KEM the decapsulation key, for signing with ML-DSA
    /// or SLH-DSA the private key, in the bytes of FIPS 203, 204 and 205.
    pub private_key: Vec<u8>,
    /// For a Diffie-Hellman: the peer's public value (uncompressed point, or 32 bytes for X25519). For ML-KEM the
    /// encapsulation key or, to decapsulate, the ciphertext; for ML-DSA and SLH-DSA the public key.
    pub peer: Vec<u8>,
    pub pki: Pki,
}

impl Inputs {
    /// The inputs for a primitive.
    ///
    /// # Errors
    /// A file of the PKI cannot be read.
    pub fn new(primitive: &Primitive, pki: &Pki) -> Result<Self, Refusal> {
        let vector = vector(primitive.algorithm, primitive.op);
        let message = match primitive.algorithm {
            Algorithm::CaBundle => pki.ca_bundle()?,
            Algorithm::Certificate => pki.certificate()?,
            signature if signs(signature) => signed_content(),
            other => message(other, primitive.size),
        };
        Ok(Self {
            key: array(29, 11),
            mac_key: array(53, 7),
            iv: array(19, 5),
            additional_data: additional_data(message.len()),
            message,
            signature: vector.signature.0,
            private_key: vector.private_key.0,
            peer: vector.peer.0,
            pki: pki.clone(),
        })
    }
}

fn array<const N: usize>(step: usize, start: usize) -> [u8; N] {
    std::array::from_fn(|at| (at * step + start) as u8)
}

fn additional_data(length: usize) -> [u8; 13] {
    // No record is longer than its length field; a longer message is one of the user's own sizes.
    let [high, low] = u16::try_from(length).unwrap_or(u16::MAX).to_be_bytes();
    [0, 0, 0, 0, 0, 0, 0, 0, 23, 3, 3, high, low]
}

fn signed_content() -> Vec<u8> {
    let mut content = vec![b' '; 64];
    content.extend_from_slice(b"TLS 1.3, server CertificateVerify\0");
    content.extend_from_slice(&fixed(32, 31, 17));
    content
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use tlstax_spec::{Op, Pattern};

    fn inputs(algorithm: Algorithm, op: Op, size: u32) -> Inputs {
        Inputs::new(&Primitive { op, algorithm, size, pattern: Pattern::Tls }, &Pki::new("pki")).unwrap()
    }

    #[test]
    fn messages_fit_their_algorithm() {
        assert_eq!(inputs(Algorithm::Aes128Gcm, Op::Encrypt, 61).message.len(), 61);
        assert_eq!(inputs(Algorithm::Aes128Cbc, Op::Encrypt, 61).message.len(), 64);
        assert_eq!(inputs(Algorithm::TripleDesCbc, Op::Encrypt, 57).message.len(), 64);
        assert_eq!(inputs(Algorithm::Aes128CbcHmacSha1, Op::Encrypt, 61).message.len(), 61);
        assert_eq!(inputs(Algorithm::Rsa2048, Op::Sign, 0).message.len(), 130);
        assert!(inputs(Algorithm::X25519, Op::Derive, 0).message.is_empty());
    }

    #[test]
    fn additional_data_ends_with_the_length() {
        assert_eq!(inputs(Algorithm::Aes128Gcm, Op::Encrypt, 1350).additional_data[8..], [23, 3, 3, 5, 70]);
        assert_eq!(inputs(Algorithm::Aes128Gcm, Op::Encrypt, 1 << 20).additional_data[11..], [255, 255]);
    }
}
