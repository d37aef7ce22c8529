//! The TLS vocabulary, by the names of the IANA "TLS Parameters" registry.

use crate::named::named;

named! {
    /// A protocol version.
    "TLS version" Version {
        /// RFC 2246.
        Tls10 = "TLSv1.0",
        /// RFC 4346.
        Tls11 = "TLSv1.1",
        /// RFC 5246.
        Tls12 = "TLSv1.2",
        /// RFC 8446.
        Tls13 = "TLSv1.3",
    }
}

named! {
    /// A key exchange group (IANA "TLS Supported Groups").
    "group" Group {
        /// X25519, RFC 7748.
        X25519 = "X25519",
        /// NIST P-256.
        Secp256r1 = "secp256r1",
        /// NIST P-384.
        Secp384r1 = "secp384r1",
        /// NIST P-521.
        Secp521r1 = "secp521r1",
        /// X25519 with ML-KEM-768 (draft-ietf-tls-ecdhe-mlkem).
        X25519MlKem768 = "X25519MLKEM768",
        /// P-256 with ML-KEM-768 (draft-ietf-tls-ecdhe-mlkem).
        Secp256r1MlKem768 = "SecP256r1MLKEM768",
        /// P-384 with ML-KEM-1024 (draft-ietf-tls-ecdhe-mlkem).
        Secp384r1MlKem1024 = "SecP384r1MLKEM1024",
        /// 2048-bit finite field, RFC 7919.
        Ffdhe2048 = "ffdhe2048",
        /// 3072-bit finite field, RFC 7919.
        Ffdhe3072 = "ffdhe3072",
    }
}

named! {
    /// The kind of key in an end-entity certificate; it decides what the server signs with.
    "certificate key" Key {
        /// RSA, 2048 bits.
        Rsa2048 = "rsa-2048",
        /// RSA, 3072 bits.
        Rsa3072 = "rsa-3072",
        /// RSA, 4096 bits.
        Rsa4096 = "rsa-4096",
        /// ECDSA on P-256.
        EcdsaP256 = "ecdsa-p256",
        /// ECDSA on P-384.
        EcdsaP384 = "ecdsa-p384",
        /// Ed25519, RFC 8032.
        Ed25519 = "ed25519",
        /// ML-DSA-44 (draft-ietf-tls-mldsa): TLS 1.3 only.
        MlDsa44 = "ml-dsa-44",
        /// ML-DSA-65.
        MlDsa65 = "ml-dsa-65",
        /// ML-DSA-87.
        MlDsa87 = "ml-dsa-87",
    }
}

named! {
    /// The method of HTTP that an upload is sent with.
    #[derive(Default)]
    "method" Method {
        /// The usual one.
        #[default]
        Post = "POST",
        /// What servers of files understand.
        Put = "PUT",
    }
}

named! {
    /// A feature of the CPU, or a way to build a library, that a library may be told to do without.
    "switch" Switch {
        /// The AES instructions, and what cannot exist without them (vector AES).
        Aes = "aes",
        /// Carry-less multiplication, and what cannot exist without it (vector carry-less multiplication).
        Clmul = "clmul",
        /// Vector AES and vector carry-less multiplication; the AES instructions stay.
        Vaes = "vaes",
        /// AVX2, and what cannot exist without it (AVX-512).
        Avx2 = "avx2",
        /// AVX-512.
        Avx512 = "avx512",
        /// The SHA extensions.
        Sha = "sha",
        /// All assembly: a build of its own.
        Asm = "asm",
    }
}

impl Version {
    /// Whether this is TLS 1.0 or 1.1, whose suites have MACs with SHA-1 or MD5, and whose signatures are not negotiated.
    pub const fn is_before_tls12(self) -> bool {
        matches!(self, Self::Tls10 | Self::Tls11)
    }

    /// Whether this is TLS 1.3, which is another protocol than those before it.
    pub const fn is_tls13(self) -> bool {
        matches!(self, Self::Tls13)
    }
}

impl Key {
    /// Whether this is an RSA key, which TLS 1.2 names in the cipher suite.
    pub const fn is_rsa(self) -> bool {
        matches!(self, Self::Rsa2048 | Self::Rsa3072 | Self::Rsa4096)
    }

    /// Whether this is a post-quantum key, which exists in TLS 1.3 only.
    pub const fn is_post_quantum(self) -> bool {
        matches!(self, Self::MlDsa44 | Self::MlDsa65 | Self::MlDsa87)
    }
}

/// How a TLS 1.2 suite authenticates the server and exchanges keys; TLS 1.3 suites leave both open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Authentication {
    /// TLS 1.3: decided by group and certificate.
    Any,
    /// ECDHE signed with an ECDSA or EdDSA key.
    EcdheEcdsa,
    /// ECDHE signed with an RSA key.
    EcdheRsa,
    /// Finite-field DHE signed with an RSA key.
    DheRsa,
    /// RSA key transport: no forward secrecy and no group.
    Rsa,
}

macro_rules! suites {
    ($($member:ident = $name:literal, $code:literal, $authentication:ident;)+) => {
        named! {
            /// A cipher suite by its IANA name.
            "cipher suite" Suite { $(#[doc = $name] $member = $name),+ }
        }

        impl Suite {
            /// The two-byte code point of the IANA registry.
            pub const fn code(self) -> u16 {
                match self { $(Self::$member => $code),+ }
            }

            /// What the suite says about key exchange and authentication.
            pub const fn authentication(self) -> Authentication {
                match self { $(Self::$member => Authentication::$authentication),+ }
            }
        }
    };
}

suites! {
    Aes128Gcm = "TLS_AES_128_GCM_SHA256", 0x1301, Any;
    Aes256Gcm = "TLS_AES_256_GCM_SHA384", 0x1302, Any;
    ChaCha20Poly1305 = "TLS_CHACHA20_POLY1305_SHA256", 0x1303, Any;
    Aes128Ccm = "TLS_AES_128_CCM_SHA256", 0x1304, Any;
    EcdheEcdsaAes128Gcm = "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", 0xc02b, EcdheEcdsa;
    EcdheEcdsaAes256Gcm = "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", 0xc02c, EcdheEcdsa;
    EcdheEcdsaChaCha20Poly1305 = "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", 0xcca9, EcdheEcdsa;
    EcdheEcdsaAes128CbcSha = "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA", 0xc009, EcdheEcdsa;
    EcdheEcdsaAes256CbcSha = "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA", 0xc00a, EcdheEcdsa;
    EcdheEcdsaAes128CbcSha256 = "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256", 0xc023, EcdheEcdsa;
    EcdheEcdsaAes256CbcSha384 = "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384", 0xc024, EcdheEcdsa;
    EcdheEcdsaTripleDesCbcSha = "TLS_ECDHE_ECDSA_WITH_3DES_EDE_CBC_SHA", 0xc008, EcdheEcdsa;
    EcdheRsaAes128Gcm = "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", 0xc02f, EcdheRsa;
    EcdheRsaAes256Gcm = "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", 0xc030, EcdheRsa;
    EcdheRsaChaCha20Poly1305 = "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", 0xcca8, EcdheRsa;
    EcdheRsaAes128CbcSha = "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", 0xc013, EcdheRsa;
    EcdheRsaAes256CbcSha = "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA", 0xc014, EcdheRsa;
    EcdheRsaAes128CbcSha256 = "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256", 0xc027, EcdheRsa;
    EcdheRsaAes256CbcSha384 = "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384", 0xc028, EcdheRsa;
    EcdheRsaTripleDesCbcSha = "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA", 0xc012, EcdheRsa;
    DheRsaAes128Gcm = "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256", 0x009e, DheRsa;
    DheRsaAes256Gcm = "TLS_DHE_RSA_WITH_AES_256_GCM_SHA384", 0x009f, DheRsa;
    DheRsaChaCha20Poly1305 = "TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256", 0xccaa, DheRsa;
    DheRsaAes128CbcSha = "TLS_DHE_RSA_WITH_AES_128_CBC_SHA", 0x0033, DheRsa;
    DheRsaAes256CbcSha = "TLS_DHE_RSA_WITH_AES_256_CBC_SHA", 0x0039, DheRsa;
    DheRsaAes128CbcSha256 = "TLS_DHE_RSA_WITH_AES_128_CBC_SHA256", 0x0067, DheRsa;
    DheRsaAes256CbcSha256 = "TLS_DHE_RSA_WITH_AES_256_CBC_SHA256", 0x006b, DheRsa;
    DheRsaTripleDesCbcSha = "TLS_DHE_RSA_WITH_3DES_EDE_CBC_SHA", 0x0016, DheRsa;
    RsaAes128Gcm = "TLS_RSA_WITH_AES_128_GCM_SHA256", 0x009c, Rsa;
    RsaAes256Gcm = "TLS_RSA_WITH_AES_256_GCM_SHA384", 0x009d, Rsa;
    RsaAes128CbcSha = "TLS_RSA_WITH_AES_128_CBC_SHA", 0x002f, Rsa;
    RsaAes256CbcSha = "TLS_RSA_WITH_AES_256_CBC_SHA", 0x0035, Rsa;
    RsaAes128CbcSha256 = "TLS_RSA_WITH_AES_128_CBC_SHA256", 0x003c, Rsa;
    RsaAes256CbcSha256 = "TLS_RSA_WITH_AES_256_CBC_SHA256", 0x003d, Rsa;
    RsaTripleDesCbcSha = "TLS_RSA_WITH_3DES_EDE_CBC_SHA", 0x000a, Rsa;
    RsaRc4128Md5 = "TLS_RSA_WITH_RC4_128_MD5", 0x0004, Rsa;
    RsaRc4128Sha = "TLS_RSA_WITH_RC4_128_SHA", 0x0005, Rsa;
    RsaNullMd5 = "TLS_RSA_WITH_NULL_MD5", 0x0001, Rsa;
    RsaNullSha256 = "TLS_RSA_WITH_NULL_SHA256", 0x003b, Rsa;
}

impl Suite {
    /// The latest protocol version that has the suite.
    pub const fn version(self) -> Version {
        match self.authentication() {
            Authentication::Any => Version::Tls13,
            _ => Version::Tls12,
        }
    }

    /// Whether a version has the suite: those that are older than TLS 1.2 remain in it.
    pub const fn exists_in(self, version: Version) -> bool {
        if version.is_before_tls12() {
            return matches!(
                self.name().as_bytes(),
                [.., b'_', b'S', b'H', b'A'] | [.., b'_', b'M', b'D', b'5']
            );
        }
        self.version() as u8 == version as u8
    }

    /// Whether a server with this certificate key can use the suite.
    pub const fn fits(self, key: Key) -> bool {
        match self.authentication() {
            Authentication::Any => true,
            Authentication::EcdheEcdsa => !key.is_rsa() && !key.is_post_quantum(),
            Authentication::EcdheRsa | Authentication::DheRsa | Authentication::Rsa => key.is_rsa(),
        }
    }

    /// The member with this code point.
    pub fn from_code(code: u16) -> Option<Self> {
        Self::ALL.iter().copied().find(|suite| suite.code() == code)
    }
}
