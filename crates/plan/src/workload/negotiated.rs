//! What connections of a kind negotiate, with what is usual where that is not known.

use tlstax_doc::{HttpVersion, Kind, Protocol, Resumed};
use tlstax_spec::{Authentication, Group, Http, Key, Params, Resumption, Suite, SuiteFacts, Version};

use super::assumed::{Assumed, What};
use super::kinds::Gathered;

/// Why connections of a kind cannot be offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Impossible {
    Protocol,
    Suite,
    Group,
    Key,
    Together,
}

impl Impossible {
    pub const ALL: [Self; 5] = [Self::Protocol, Self::Suite, Self::Group, Self::Key, Self::Together];

    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Protocol => "a version of TLS that no load has",
            Self::Suite => "a cipher suite that no load has",
            Self::Group => "a group that no load has",
            Self::Key => "a key that no load has",
            Self::Together => "a suite, a group and a key that do not go together",
        }
    }
}

/// Version, suite, group and key.
pub fn params(kind: &Kind, assumed: &mut Assumed) -> Result<Params, Impossible> {
    let suite = kind.suite.as_deref().map(|name| named(Suite::ALL, name, Suite::name));
    let suite = suite.transpose().map_err(|()| Impossible::Suite)?;
    let version = version(kind.protocol, suite, assumed)?;
    let suite = suite.unwrap_or_else(|| usual_suite(version, kind.key.as_deref(), assumed));
    let key = key(kind.key.as_deref(), suite, assumed)?;
    let group = match suite.authentication() {
        Authentication::Rsa => None,
        authentication => Some(group(kind.group.as_deref(), authentication, assumed)?),
    };
    let params = Params { version, suite, group, key };
    params.is_coherent().then_some(params).ok_or(Impossible::Together)
}

/// The member of a vocabulary that goes by a name.
fn named<T: Copy>(all: &[T], name: &str, of: impl Fn(T) -> &'static str) -> Result<T, ()> {
    all.iter().copied().find(|member| of(*member) == name).ok_or(())
}

fn version(
    protocol: Option<Protocol>,
    suite: Option<Suite>,
    assumed: &mut Assumed,
) -> Result<Version, Impossible> {
    match (protocol, suite) {
        (Some(Protocol::Tls13), _) => Ok(Version::Tls13),
        (Some(Protocol::Tls12), _) => Ok(Version::Tls12),
        (Some(Protocol::Tls11), _) => Ok(Version::Tls11),
        (Some(Protocol::Tls10), _) => Ok(Version::Tls10),
        (Some(Protocol::Ssl3 | Protocol::None), _) => Err(Impossible::Protocol),
        (None, Some(suite)) => Ok(suite.version()),
        (None, None) => {
            assumed.add(What::Protocol, Version::Tls13.name());
            Ok(Version::Tls13)
        }
    }
}

fn usual_suite(version: Version, key: Option<&str>, assumed: &mut Assumed) -> Suite {
    let is_ecdsa = key.is_some_and(|key| key.starts_with("ec") || key.starts_with("ed"));
    let suite = match (version, is_ecdsa) {
        (Version::Tls13, _) => Suite::Aes128Gcm,
        (Version::Tls12, true) => Suite::EcdheEcdsaAes128Gcm,
        (Version::Tls12, false) => Suite::EcdheRsaAes128Gcm,
        (_, true) => Suite::EcdheEcdsaAes128CbcSha,
        (_, false) => Suite::EcdheRsaAes128CbcSha,
    };
    assumed.add(What::Suite, suite.name());
    suite
}

fn key(name: Option<&str>, suite: Suite, assumed: &mut Assumed) -> Result<Key, Impossible> {
    // Of the usual keys RSA's is the dearer one for a server.
    let usual = match (name, suite.authentication()) {
        (Some("ecdsa"), _) | (None, Authentication::EcdheEcdsa) => Key::EcdsaP256,
        (Some("rsa") | None, _) => Key::Rsa2048,
        (Some(name), _) => return named(Key::ALL, name, Key::name).map_err(|()| Impossible::Key),
    };
    assumed.add(What::Key, usual.name());
    Ok(usual)
}

fn group(
    name: Option<&str>,
    authentication: Authentication,
    assumed: &mut Assumed,
) -> Result<Group, Impossible> {
    if let Some(name) = name {
        return named(Group::ALL, name, Group::name).map_err(|()| Impossible::Group);
    }
    let usual = match authentication {
        Authentication::DheRsa => Group::Ffdhe2048,
        _ => Group::X25519,
    };
    assumed.add(What::Group, usual.name());
    Ok(usual)
}

/// Whether HTTP/2 goes with what is negotiated: it forbids all suites of TLS 1.2 that have a MAC of their own or transport the key by
/// RSA (RFC 9113, 9.2.2 and appendix A).
pub fn allows_http2(params: Params) -> bool {
    SuiteFacts::of(params.suite.name()).mac == "AEAD" && params.suite.authentication() != Authentication::Rsa
}

/// How connections of a kind begin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Beginning {
    /// The way that most of those take that resume; none where none is known to.
    pub way: Option<Resumption>,
    /// The share of connections that are known to resume, 0 to 1.
    pub resumed: f64,
    /// The share of which nothing is known.
    pub untold: f64,
}

pub fn beginning(kind: &Gathered, version: Version, assumed: &mut Assumed) -> Beginning {
    let resumed = kind.begun.iter().filter_map(|(how, weight)| Some(((*how)?, *weight)));
    let resumed: Vec<(Resumed, f64)> = resumed.filter(|(how, _)| how.is_resumption()).collect();
    let untold = kind.begun.get(&None).copied().unwrap_or_default();
    if untold > 0.0 {
        assumed.add(What::Resumed, "a full handshake");
    }
    // Of none the sum would be a negative zero.
    let sum = resumed.iter().fold(0.0, |sum, (_, weight)| sum + weight);
    let most = resumed.iter().max_by(|(_, one), (_, other)| one.total_cmp(other));
    let most = most.filter(|(_, weight)| *weight > 0.0);
    let way = most.map(|(how, _)| way(*how).filter(|way| way.fits(version)));
    let way = way.map(|way| {
        way.unwrap_or_else(|| {
            let usual = usual_way(version);
            assumed.add(What::Resumption, usual.name());
            usual
        })
    });
    Beginning { way, resumed: sum / kind.weight(), untold: untold / kind.weight() }
}

const fn way(how: Resumed) -> Option<Resumption> {
    match how {
        Resumed::SessionId => Some(Resumption::SessionId),
        Resumed::Ticket => Some(Resumption::Ticket),
        Resumed::Psk => Some(Resumption::Psk),
        Resumed::EarlyData => Some(Resumption::EarlyData),
        Resumed::Full | Resumed::Resumed => None,
    }
}

/// The way in which sessions of a version are resumed where nothing is known of it.
pub const fn usual_way(version: Version) -> Resumption {
    if version.is_tls13() { Resumption::Psk } else { Resumption::Ticket }
}

pub fn http(kind: &Kind, assumed: &mut Assumed) -> Http {
    match kind.http {
        Some(HttpVersion::Http11) => Http::Http1,
        Some(HttpVersion::Http2) => Http::Http2,
        Some(HttpVersion::Http10) => Http::Http1,
        Some(HttpVersion::Http3) => {
            assumed.add(What::Http, "for HTTP/3, which no load has, h2");
            Http::Http2
        }
        None => {
            assumed.add(What::Http, Http::Http1.name());
            Http::Http1
        }
    }
}
