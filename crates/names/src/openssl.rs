//! What OpenSSL calls the things that the IANA registries name otherwise: configurations and logs speak so.

use tlstax_spec::{Group, Params, Suite, Version};

/// OpenSSL's name of a cipher suite; those of TLS 1.3 have their IANA names.
pub fn suite(suite: Suite) -> String {
    let name = suite.name();
    let Some(rest) = name.strip_prefix("TLS_").filter(|rest| rest.contains("_WITH_")) else {
        return name.to_owned();
    };
    let (exchange, cipher) = rest.split_once("_WITH_").unwrap_or_else(|| unreachable!("looked for above"));
    let exchange = if exchange == "RSA" { String::new() } else { format!("{}-", exchange.replace('_', "-")) };
    let cipher = match cipher {
        "CHACHA20_POLY1305_SHA256" => "CHACHA20-POLY1305".to_owned(),
        "3DES_EDE_CBC_SHA" => "DES-CBC3-SHA".to_owned(),
        "RC4_128_MD5" => "RC4-MD5".to_owned(),
        "RC4_128_SHA" => "RC4-SHA".to_owned(),
        other => other
            .replace("AES_128", "AES128")
            .replace("AES_256", "AES256")
            .replace("_CBC_", "_")
            .replace('_', "-"),
    };
    format!("{exchange}{cipher}")
}

/// The suite of an OpenSSL name, of those that we know.
pub fn suite_of(name: &str) -> Option<Suite> {
    Suite::ALL.iter().copied().find(|known| suite(*known) == name || known.name() == name)
}

/// OpenSSL's name of a group, as its configuration takes it and as servers log it.
pub fn group(group: Group) -> &'static str {
    match group {
        Group::Secp256r1 => "prime256v1",
        other => other.name(),
    }
}

/// The groups to be offered, as OpenSSL takes a list of them; none where the suite needs none, or one of its own (DHE). In
/// TLS 1.2 the list must also hold the curve of an ECDSA key (RFC 8422 5.1), which comes last.
pub fn groups(params: Params) -> Option<String> {
    let wanted = params.group.filter(|group| !group.is_finite_field() || params.version.is_tls13())?;
    Some([Some(wanted), params.curve_of_key()].into_iter().flatten().map(group).collect::<Vec<_>>().join(":"))
}

/// OpenSSL's name of a version, which servers take and log as well.
pub fn protocol(version: Version) -> &'static str {
    match version {
        Version::Tls10 => "TLSv1",
        other => other.name(),
    }
}

/// What SSL_CONF_cmd(3) is to be told so that nothing but this can be negotiated in TLS 1.3, or among the suites of TLS 1.2, with
/// so many tickets in each handshake of TLS 1.3.
pub fn commands(params: Params, tickets: u8) -> Vec<(&'static str, String)> {
    let mut commands = match params.version {
        Version::Tls13 => {
            vec![("Ciphersuites", suite(params.suite)), ("NumTickets", tickets.to_string())]
        }
        // OpenSSL's own security level would refuse ciphers without encryption.
        _ => vec![("CipherString", format!("{}:@SECLEVEL=0", suite(params.suite)))],
    };
    commands.extend(groups(params).map(|groups| ("Curves", groups)));
    commands
}

/// The parameters that DHE needs in TLS 1.2, PEM; they are not negotiated there.
pub fn dh_parameters(params: Params) -> Option<&'static str> {
    match params.group.filter(|_| !params.version.is_tls13())? {
        Group::Ffdhe2048 => Some(include_str!("ffdhe2048.pem")),
        Group::Ffdhe3072 => Some(include_str!("ffdhe3072.pem")),
        _ => None,
    }
}

/// The group of a name in a log: OpenSSL's, the IANA's, or its code in hex.
pub fn group_of(name: &str) -> Option<Group> {
    let known = |known: &Group| group(*known) == name || known.name().eq_ignore_ascii_case(name);
    Group::ALL.iter().copied().find(known).or(match name {
        "P-256" => Some(Group::Secp256r1),
        "P-384" => Some(Group::Secp384r1),
        "P-521" => Some(Group::Secp521r1),
        "x25519" | "0x001d" => Some(Group::X25519),
        "0x11ec" => Some(Group::X25519MlKem768),
        "0x11eb" => Some(Group::Secp256r1MlKem768),
        "0x11ed" => Some(Group::Secp384r1MlKem1024),
        "0x0100" => Some(Group::Ffdhe2048),
        "0x0101" => Some(Group::Ffdhe3072),
        _ => None,
    })
}

/// The version of a name in a log: `TLSv1.3`, `TLSv1`.
pub fn version_of(name: &str) -> Option<Version> {
    Version::ALL.iter().copied().find(|known| protocol(*known) == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openssl_speaks_so() {
        for (known, name) in [
            (Suite::Aes128Gcm, "TLS_AES_128_GCM_SHA256"),
            (Suite::EcdheEcdsaAes128Gcm, "ECDHE-ECDSA-AES128-GCM-SHA256"),
            (Suite::EcdheRsaChaCha20Poly1305, "ECDHE-RSA-CHACHA20-POLY1305"),
            (Suite::EcdheRsaAes256CbcSha, "ECDHE-RSA-AES256-SHA"),
            (Suite::DheRsaAes256Gcm, "DHE-RSA-AES256-GCM-SHA384"),
            (Suite::RsaAes128Gcm, "AES128-GCM-SHA256"),
            (Suite::RsaAes128CbcSha, "AES128-SHA"),
            (Suite::RsaTripleDesCbcSha, "DES-CBC3-SHA"),
            (Suite::RsaRc4128Md5, "RC4-MD5"),
            (Suite::RsaNullMd5, "NULL-MD5"),
            (Suite::RsaNullSha256, "NULL-SHA256"),
        ] {
            assert_eq!(suite(known), name);
        }
    }

    #[test]
    fn every_name_comes_back() {
        for &known in Suite::ALL {
            assert_eq!(suite_of(&suite(known)), Some(known));
        }
        for &known in Group::ALL {
            assert_eq!(group_of(group(known)), Some(known));
        }
        assert_eq!((suite_of("NO-SUCH"), group_of("sect163k1")), (None, None));
    }
}
