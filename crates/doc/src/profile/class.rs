//! [`Class`]: what CPU time is spent on, as observe finds it in samples and plan predicts it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Makes an enum of words: the variants in the order of tables, each with its word in documents and its title for people.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal, $title:literal;)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum $name { $($(#[$variant_doc])* #[serde(rename = $word)] $variant,)+ }

        impl $name {
            /// All of them, in the order of tables.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// The word in documents and rules.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            /// What tables and sentences call it.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)+ }
            }
        }
    };
}

words! {
    /// What CPU time is spent on.
    Cost {
        /// Making a signature: `CertificateVerify` or `ServerKeyExchange`, and decryption by RSA key transport.
        Signature = "signature", "signature";
        /// Checking a signature, in a handshake or in a chain of certificates.
        Verification = "verification", "verification of signatures";
        /// Key generation and agreement, encapsulation and decapsulation.
        KeyExchange = "key-exchange", "key exchange";
        /// HKDF, the PRF of TLS 1.2, `Finished`, and the hash of the transcript.
        KeySchedule = "key-schedule", "key schedule and transcript";
        /// Parsing and matching of X.509 certificates.
        Certificate = "certificate", "X.509";
        /// Session tickets and caches: sealing, opening, looking up.
        Session = "session", "session tickets and caches";
        /// Protection of records: AEAD, or cipher and MAC.
        RecordCipher = "record-cipher", "record protection";
        /// Moving the bytes of records within the TLS library.
        RecordCopy = "record-copy", "record copy";
        /// Random numbers.
        Random = "random", "random numbers";
        /// The state machine: messages, extensions, buffers of records.
        Protocol = "protocol", "protocol machine";
        /// Looking up implementations of algorithms (providers of OpenSSL 3).
        Provider = "provider", "provider fetch";
        /// Locks and reference counts within TLS.
        Locks = "locks", "locks and reference counts";
        /// Memory that TLS allocates and frees.
        Allocation = "allocation", "allocation";
        /// TLS without anything to tell what for.
        OtherTls = "other-tls", "TLS, not told apart";
        /// System calls on sockets and the network stack below them, on behalf of the process.
        Socket = "socket", "sockets in the kernel";
        /// Work of the network stack in interrupts.
        SoftIrq = "softirq", "softirq";
        /// Anything else in the kernel.
        Kernel = "kernel", "other kernel work";
        /// HTTP/2 framing and HPACK.
        Http2 = "http2", "HTTP/2 framing";
        /// Compression of content.
        Compression = "compression", "compression of content";
        /// Cryptography that a program asks for itself, and not for TLS.
        Cryptography = "cryptography", "cryptography outside of TLS";
        /// The server program and what it calls.
        Application = "application", "application";
        /// Samples that nobody can place.
        Unknown = "unknown", "unknown";
    }
}

impl Cost {
    /// Whether it is spent because of TLS.
    pub const fn is_tls(self) -> bool {
        !matches!(
            self,
            Self::Socket
                | Self::SoftIrq
                | Self::Kernel
                | Self::Http2
                | Self::Compression
                | Self::Cryptography
                | Self::Application
                | Self::Unknown
        )
    }
}

words! {
    /// The algorithm that a cost is of.
    Algorithm {
        AesGcm = "aes-gcm", "AES-GCM";
        AesCcm = "aes-ccm", "AES-CCM";
        Chacha20Poly1305 = "chacha20-poly1305", "ChaCha20-Poly1305";
        AesCbc = "aes-cbc", "AES-CBC";
        Aes = "aes", "AES, mode not told";
        Camellia = "camellia", "Camellia";
        TripleDes = "3des", "3DES";
        Rc4 = "rc4", "RC4";
        Rsa = "rsa", "RSA, size not told";
        Rsa2048 = "rsa-2048", "RSA-2048";
        Rsa3072 = "rsa-3072", "RSA-3072";
        Rsa4096 = "rsa-4096", "RSA-4096";
        P256 = "p256", "P-256";
        P384 = "p384", "P-384";
        P521 = "p521", "P-521";
        Ed25519 = "ed25519", "Ed25519";
        Ed448 = "ed448", "Ed448";
        X25519 = "x25519", "X25519";
        X448 = "x448", "X448";
        Ffdhe = "ffdhe", "finite-field DH";
        MlKem = "ml-kem", "ML-KEM";
        MlDsa = "ml-dsa", "ML-DSA";
        SlhDsa = "slh-dsa", "SLH-DSA";
        Md5 = "md5", "MD5";
        Sha1 = "sha1", "SHA-1";
        /// SHA-224 and SHA-256.
        Sha256 = "sha256", "SHA-256";
        /// SHA-384 and SHA-512.
        Sha512 = "sha512", "SHA-384 and SHA-512";
        /// SHA-3 and SHAKE.
        Sha3 = "sha3", "SHA-3";
        Hmac = "hmac", "HMAC";
        Hkdf = "hkdf", "HKDF";
        Zlib = "zlib", "zlib";
        Brotli = "brotli", "Brotli";
        Zstd = "zstd", "Zstandard";
    }
}

/// A cost, and the algorithm where that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Class {
    pub cost: Cost,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<Algorithm>,
}

impl Class {
    pub const fn of(cost: Cost, algorithm: Option<Algorithm>) -> Self {
        Self { cost, algorithm }
    }
}

impl From<Cost> for Class {
    fn from(cost: Cost) -> Self {
        Self { cost, algorithm: None }
    }
}
