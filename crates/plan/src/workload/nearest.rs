//! What stands for connections of a kind of which no load is: the nearest that can be measured.

use tlstax_doc::{Kind, Protocol};
use tlstax_spec::{Authentication, Group, Key, Suite, SuiteFacts};

/// The nearest kind that can be measured, with a sentence for each thing that is another; none where nothing is near.
pub fn nearest(kind: &Kind) -> Option<(Kind, Vec<String>)> {
    let mut said = Vec::new();
    let mut near = kind.clone();
    if kind.protocol == Some(Protocol::Ssl3) {
        near.protocol = Some(Protocol::Tls10);
        said.push(sentence("SSLv3", "TLSv1.0"));
    }
    near.suite = instead(kind.suite.as_deref(), Suite::ALL, Suite::name, nearest_suite, &mut said)?;
    near.group = instead(kind.group.as_deref(), Group::ALL, Group::name, nearest_group, &mut said)?;
    let words = ["rsa", "ecdsa"];
    let key = kind.key.as_deref().filter(|key| !words.contains(key));
    let key = instead(key, Key::ALL, Key::name, nearest_key, &mut said)?;
    near.key = key.or(near.key);
    (!said.is_empty()).then_some((near, said))
}

fn sentence(one: &str, other: &str) -> String {
    format!("{one}, which no load has, is counted as {other}, the nearest that can be measured")
}

/// A name of the vocabulary as it is, another as its nearest; none where it has none.
#[allow(clippy::option_option)]
fn instead<T: Copy>(
    name: Option<&str>,
    all: &[T],
    of: impl Fn(T) -> &'static str,
    nearest: impl Fn(&str) -> Option<T>,
    said: &mut Vec<String>,
) -> Option<Option<String>> {
    let Some(name) = name else { return Some(None) };
    if all.iter().any(|member| of(*member) == name) {
        return Some(Some(name.to_owned()));
    }
    let near = of(nearest(name)?);
    said.push(sentence(name, near));
    Some(Some(near.to_owned()))
}

/// One that exchanges keys and authenticates alike: of AEADs AES-256-GCM, else AES-256-CBC; what it costs to encrypt is another
/// matter.
fn nearest_suite(name: &str) -> Option<Suite> {
    let facts = SuiteFacts::of(name);
    let authentication = match (facts.exchange.as_str(), facts.authentication.as_str()) {
        ("(EC)DHE", _) => Authentication::Any,
        ("ECDHE", "ECDSA") => Authentication::EcdheEcdsa,
        ("ECDHE", "RSA") => Authentication::EcdheRsa,
        ("DHE", "RSA") => Authentication::DheRsa,
        ("RSA", "RSA") => Authentication::Rsa,
        _ => return None,
    };
    let cipher = if facts.mac == "AEAD" { "AES-256-GCM" } else { "AES-256-CBC" };
    let is_near = |suite: &&Suite| {
        suite.authentication() == authentication && SuiteFacts::of(suite.name()).cipher == cipher
    };
    // An unknown name of TLS 1.3 could be anything that begins with TLS_.
    let is_known = !facts.tls13 || facts.mac == "AEAD";
    Suite::ALL.iter().find(is_near).copied().filter(|_| is_known)
}

fn nearest_group(name: &str) -> Option<Group> {
    let name = name.to_ascii_lowercase();
    let near = [
        ("kem", Group::X25519MlKem768),
        ("kyber", Group::X25519MlKem768),
        ("ffdhe", Group::Ffdhe3072),
        ("x448", Group::Secp384r1),
        ("brainpool", Group::Secp384r1),
        ("sec", Group::Secp384r1),
    ];
    near.into_iter().find(|(part, _)| name.contains(part)).map(|(_, group)| group)
}

fn nearest_key(name: &str) -> Option<Key> {
    let bits = |kind: &str| name.strip_prefix(kind)?.parse::<u32>().ok();
    match (bits("rsa-"), bits("ecdsa-p")) {
        (Some(bits), _) if bits < 2_560 => Some(Key::Rsa2048),
        (Some(bits), _) if bits < 3_584 => Some(Key::Rsa3072),
        (Some(_), _) => Some(Key::Rsa4096),
        (_, Some(bits)) if bits < 320 => Some(Key::EcdsaP256),
        (_, Some(_)) => Some(Key::EcdsaP384),
        _ if name == "ed448" => Some(Key::EcdsaP384),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unknown_has_kin_or_none() {
        let suite = |name: &str| nearest_suite(name).map(Suite::name);
        assert_eq!(
            suite("TLS_ECDHE_RSA_WITH_CAMELLIA_128_CBC_SHA256"),
            Some("TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA")
        );
        assert_eq!(suite("TLS_RSA_WITH_ARIA_128_GCM_SHA256"), Some("TLS_RSA_WITH_AES_256_GCM_SHA384"));
        assert_eq!(suite("TLS_AES_128_CCM_8_SHA256"), Some("TLS_AES_256_GCM_SHA384"));
        assert_eq!(suite("TLS_PSK_WITH_AES_128_CBC_SHA"), None);
        assert_eq!(suite("NO-SUITE"), None);
        assert_eq!(nearest_group("ffdhe4096"), Some(Group::Ffdhe3072));
        assert_eq!(nearest_group("x25519kyber768draft00"), Some(Group::X25519MlKem768));
        assert_eq!(nearest_key("rsa-1024"), Some(Key::Rsa2048));
        assert_eq!(nearest_key("dsa"), None);
    }

    #[test]
    fn only_what_is_unknown_is_another() {
        let kind = Kind {
            protocol: Some(Protocol::Ssl3),
            group: Some("X25519".to_owned()),
            key: Some("rsa".to_owned()),
            ..Kind::default()
        };
        let (near, said) = nearest(&kind).unwrap();
        assert_eq!((near.protocol, said.len()), (Some(Protocol::Tls10), 1));
        assert_eq!((near.group, near.key), (kind.group, kind.key));
    }
}
