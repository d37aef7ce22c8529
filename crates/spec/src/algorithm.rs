//! Cryptographic primitives and the operations on them.

use crate::named::named;

named! {
    /// A cryptographic primitive, or something that is set up before a connection. Sizes of keys are part of the name.
    "algorithm" Algorithm {
        /// AES-128 in Galois/counter mode.
        Aes128Gcm = "aes-128-gcm",
        /// AES-256 in Galois/counter mode.
        Aes256Gcm = "aes-256-gcm",
        /// AES-128 in counter mode with CBC-MAC, 16-byte tag.
        Aes128Ccm = "aes-128-ccm",
        /// ChaCha20-Poly1305, RFC 8439.
        ChaCha20Poly1305 = "chacha20-poly1305",
        /// AES-128 in cipher block chaining mode, without a MAC.
        Aes128Cbc = "aes-128-cbc",
        /// AES-256 in cipher block chaining mode, without a MAC.
        Aes256Cbc = "aes-256-cbc",
        /// AES-128-CBC with HMAC-SHA-1, MAC-then-encrypt as in RFC 5246 6.2.3.2.
        Aes128CbcHmacSha1 = "aes-128-cbc-hmac-sha1",
        /// AES-256-CBC with HMAC-SHA-1.
        Aes256CbcHmacSha1 = "aes-256-cbc-hmac-sha1",
        /// AES-128-CBC with HMAC-SHA-256.
        Aes128CbcHmacSha256 = "aes-128-cbc-hmac-sha256",
        /// AES-256-CBC with HMAC-SHA-256.
        Aes256CbcHmacSha256 = "aes-256-cbc-hmac-sha256",
        /// Triple DES, three keys, CBC.
        TripleDesCbc = "3des-cbc",
        /// RC4 with a 128-bit key.
        Rc4 = "rc4",
        /// MD5.
        Md5 = "md5",
        /// SHA-1.
        Sha1 = "sha1",
        /// SHA-256.
        Sha256 = "sha256",
        /// SHA-384.
        Sha384 = "sha384",
        /// SHA-512.
        Sha512 = "sha512",
        /// HMAC-SHA-1.
        HmacSha1 = "hmac-sha1",
        /// HMAC-SHA-256.
        HmacSha256 = "hmac-sha256",
        /// HMAC-SHA-384.
        HmacSha384 = "hmac-sha384",
        /// HKDF (RFC 5869) with SHA-256: extract and expand to 32 bytes.
        HkdfSha256 = "hkdf-sha256",
        /// HKDF with SHA-384: extract and expand to 48 bytes.
        HkdfSha384 = "hkdf-sha384",
        /// RSA, 2048 bits.
        Rsa2048 = "rsa-2048",
        /// RSA, 3072 bits.
        Rsa3072 = "rsa-3072",
        /// RSA, 4096 bits.
        Rsa4096 = "rsa-4096",
        /// ECDSA on P-256 with SHA-256.
        EcdsaP256 = "ecdsa-p256",
        /// ECDSA on P-384 with SHA-384.
        EcdsaP384 = "ecdsa-p384",
        /// Ed25519.
        Ed25519 = "ed25519",
        /// ML-DSA-44, FIPS 204.
        MlDsa44 = "ml-dsa-44",
        /// ML-DSA-65, FIPS 204.
        MlDsa65 = "ml-dsa-65",
        /// ML-DSA-87, FIPS 204.
        MlDsa87 = "ml-dsa-87",
        /// SLH-DSA-SHA2-128f, FIPS 205: the fast one of the smallest.
        SlhDsaSha2128f = "slh-dsa-sha2-128f",
        /// Elliptic curve Diffie-Hellman on P-256.
        EcdhP256 = "ecdh-p256",
        /// Elliptic curve Diffie-Hellman on P-384.
        EcdhP384 = "ecdh-p384",
        /// X25519.
        X25519 = "x25519",
        /// ML-KEM-768, FIPS 203.
        MlKem768 = "ml-kem-768",
        /// A server's context (configuration): certificate chain, private key, one version, one suite, one group.
        ServerContext = "server-context",
        /// A client's context: one trusted root, one version, one suite, one group.
        ClientContext = "client-context",
        /// The roots that a client trusts, read from PEM into whatever the library verifies with.
        CaBundle = "ca-bundle",
        /// One certificate, from DER.
        Certificate = "certificate",
    }
}

named! {
    /// What is done with a primitive.
    "operation" Op {
        /// Encrypt a message, and authenticate it where the algorithm does.
        Encrypt = "encrypt",
        /// Decrypt a message, and check it where the algorithm does.
        Decrypt = "decrypt",
        /// Hash a message.
        Digest = "digest",
        /// Authenticate a message.
        Mac = "mac",
        /// Derive a key (HKDF) or a shared secret (Diffie-Hellman).
        Derive = "derive",
        /// Sign a message.
        Sign = "sign",
        /// Verify a signature.
        Verify = "verify",
        /// Make a key pair.
        Keygen = "keygen",
        /// Make a shared secret for the holder of a KEM key.
        Encapsulate = "encapsulate",
        /// Recover the shared secret of a KEM.
        Decapsulate = "decapsulate",
        /// Make a context and drop it.
        Create = "create",
        /// Load many certificates and drop them.
        Load = "load",
        /// Parse a certificate and drop it.
        Parse = "parse",
    }
}

named! {
    /// How the calls of one operation are laid out.
    "call pattern" Pattern {
        /// As a TLS stack does it: per record a new nonce and 13 bytes of additional data; per signature a hash of
        /// the transcript and the padding of TLS 1.3.
        Tls = "tls",
        /// As `openssl speed` does it: see docs/method.md for each class.
        Speed = "speed",
    }
}

/// Families of primitives that share their operations and their unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    Aead,
    /// Encryption alone, or with a MAC composed as TLS 1.2 does.
    Cipher,
    Hash,
    Mac,
    Kdf,
    Signature,
    KeyAgreement,
    Kem,
    /// What is done once, before connections: hidden when it is done for each of them.
    Setup,
}

impl Class {
    /// Whether a message of some size is worked on, so that the unit is MB/s.
    pub const fn is_sized(self) -> bool {
        matches!(self, Self::Aead | Self::Cipher | Self::Hash | Self::Mac)
    }
}

impl Algorithm {
    pub const fn class(self) -> Class {
        use Algorithm::*;
        match self {
            Aes128Gcm | Aes256Gcm | Aes128Ccm | ChaCha20Poly1305 => Class::Aead,
            Aes128Cbc | Aes256Cbc | Aes128CbcHmacSha1 | Aes256CbcHmacSha1 | Aes128CbcHmacSha256
            | Aes256CbcHmacSha256 | TripleDesCbc | Rc4 => Class::Cipher,
            Md5 | Sha1 | Sha256 | Sha384 | Sha512 => Class::Hash,
            HmacSha1 | HmacSha256 | HmacSha384 => Class::Mac,
            HkdfSha256 | HkdfSha384 => Class::Kdf,
            Rsa2048 | Rsa3072 | Rsa4096 | EcdsaP256 | EcdsaP384 | Ed25519 | MlDsa44 | MlDsa65 | MlDsa87
            | SlhDsaSha2128f => Class::Signature,
            EcdhP256 | EcdhP384 | X25519 => Class::KeyAgreement,
            MlKem768 => Class::Kem,
            ServerContext | ClientContext | CaBundle | Certificate => Class::Setup,
        }
    }

    /// The operations that exist for the algorithm, in the order tables show them.
    pub const fn ops(self) -> &'static [Op] {
        match self.class() {
            Class::Aead | Class::Cipher => &[Op::Encrypt, Op::Decrypt],
            Class::Hash => &[Op::Digest],
            Class::Mac => &[Op::Mac],
            Class::Kdf => &[Op::Derive],
            Class::Signature => &[Op::Sign, Op::Verify],
            Class::KeyAgreement => &[Op::Keygen, Op::Derive],
            Class::Kem => &[Op::Keygen, Op::Encapsulate, Op::Decapsulate],
            Class::Setup => match self {
                Self::CaBundle => &[Op::Load],
                Self::Certificate => &[Op::Parse],
                _ => &[Op::Create],
            },
        }
    }

    /// The length that a message must be a multiple of.
    pub const fn block(self) -> u32 {
        use Algorithm::*;
        match self {
            Aes128Cbc | Aes256Cbc => 16,
            TripleDesCbc => 8,
            _ => 1,
        }
    }
}
