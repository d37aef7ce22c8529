//! What words and code points are called.

use tlstax_names::openssl;
use tlstax_spec::Suite;

use super::*;

/// `openssl ciphers -V ALL:COMPLEMENTOFALL:@SECLEVEL=0` of OpenSSL 3.0.20: code point and name.
const OPENSSL: &str = include_str!("tests/openssl-3.0.txt");

fn name_of(word: &str) -> String {
    suite(word.as_bytes()).unwrap_or_default()
}

#[test]
fn every_name_that_openssl_logs_is_known() {
    assert!(OPENSSL.lines().count() > 150);
    for line in OPENSSL.lines() {
        let (code, name) = line.split_once(' ').unwrap();
        let code = u16::from_str_radix(code, 16).unwrap();
        assert!(suite_of_code(code).is_some(), "{line}");
        assert_eq!(suite(name.as_bytes()), suite_of_code(code), "{line}");
    }
}

#[test]
fn gnutls_and_go_call_suites_otherwise() {
    for (word, name) in [
        ("ECDHE_RSA_AES_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"),
        ("TLS_RSA_AES_256_CBC_SHA1", "TLS_RSA_WITH_AES_256_CBC_SHA"),
        ("ECDHE_ECDSA_CHACHA20_POLY1305", "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"),
        ("TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305", "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"),
        ("RSA_ARCFOUR_128_SHA1", "TLS_RSA_WITH_RC4_128_SHA"),
        ("GNUTLS_AES_256_GCM_SHA384", "TLS_AES_256_GCM_SHA384"),
        ("0x1303", "TLS_CHACHA20_POLY1305_SHA256"),
        ("NO-SUCH", ""),
        ("", ""),
    ] {
        assert_eq!(name_of(word), name, "{word}");
    }
}

#[test]
fn groups_go_by_many_names() {
    for (word, name) in [
        ("prime256v1", Some("secp256r1")),
        ("SECP384R1", Some("secp384r1")),
        ("P-521", Some("secp521r1")),
        ("x25519", Some("X25519")),
        ("X25519", Some("X25519")),
        ("0x001d", Some("X25519")),
        ("0x11ec", Some("X25519MLKEM768")),
        ("x448", Some("x448")),
        ("brainpoolP256r1", Some("brainpoolP256r1")),
        ("ffdhe8192", Some("ffdhe8192")),
        ("0xfafa", None),
        ("-", None),
        ("somebody", None),
    ] {
        assert_eq!(group(word.as_bytes()).as_deref(), name, "{word}");
    }
}

#[test]
fn what_cases_have_is_in_the_registries() {
    for known in Suite::ALL {
        assert_eq!(name_of(known.name()), known.name());
        assert_eq!(name_of(&openssl::suite(*known)), known.name());
    }
    for known in Group::ALL {
        assert_eq!(group(known.name().as_bytes()).as_deref(), Some(known.name()));
    }
}

#[test]
fn registries_are_whole() {
    for registry in [SUITES, GROUPS] {
        let lines = registry.lines().filter(|line| !line.starts_with('#')).count();
        let codes: Vec<u16> = entries(registry).map(|(code, _)| code).collect();
        assert_eq!(codes.len(), lines);
        assert!(codes.is_sorted_by(|one, next| one < next));
    }
    assert!(entries(SUITES).count() > 340);
}

#[test]
fn grease_has_no_name() {
    for high in 0..16u16 {
        let code = (high << 12) | 0x0a00 | (high << 4) | 0x000a;
        assert_eq!((suite_of_code(code), group_of_code(code)), (None, None));
    }
}

#[test]
fn a_suite_before_tls_1_3_tells_the_kind_of_key() {
    for (suite, key) in [
        ("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", Some("rsa")),
        ("TLS_RSA_WITH_AES_128_CBC_SHA", Some("rsa")),
        ("TLS_DHE_RSA_WITH_AES_256_CCM_8", Some("rsa")),
        ("TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", Some("ecdsa")),
        ("TLS_DHE_DSS_WITH_AES_128_CBC_SHA", Some("dsa")),
        ("TLS_AES_128_GCM_SHA256", None),
        ("TLS_PSK_WITH_AES_128_CCM", None),
        ("TLS_ECDH_anon_WITH_AES_128_CBC_SHA", None),
    ] {
        assert_eq!(key_of_suite(suite), key, "{suite}");
    }
}
