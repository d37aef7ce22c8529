//! [`Case`]: a load that stands for connections of a kind.

use tlstax_doc::{HttpVersion, Kind, Protocol, Resumed, Total, Workload};
use tlstax_spec::{Authentication, Group, Http, Key, Params, Resumption, Suite, Version};

use super::assumed::{Assumed, What};
use super::kinds::Gathered;
use super::rate::{Rates, float};

/// A load that stands for connections of a kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// None without TLS.
    pub tls: Option<Params>,
    pub resumption: Resumption,
    /// Of a hundred connections so many resume.
    pub resumed_percent: u8,
    pub http: Http,
    pub requests_per_connection: u64,
    pub body: u64,
    /// Requests a second; 0 is a closed loop.
    pub rate: u64,
}

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

/// Limits of studies.
const MOST_BYTES: f64 = 2_147_483_648.0;
const MOST_REQUESTS: f64 = 1_000_000.0;

/// The size of a response where none is known, as in loads without one.
const BODY: u64 = 1_024;

impl Case {
    pub fn of(
        kind: &Gathered,
        workload: &Workload,
        rates: &Rates,
        assumed: &mut Assumed,
    ) -> Result<Self, Impossible> {
        let tls = match kind.kind.protocol {
            Some(Protocol::None) => None,
            _ => Some(params(&kind.kind, assumed)?),
        };
        let (resumption, resumed_percent) =
            tls.map_or((Resumption::Full, 0), |params| resumption(kind, params.version, assumed));
        let requests = kind.counts.requests.max(kind.counts.connections_without_requests);
        Ok(Self {
            tls,
            resumption,
            resumed_percent,
            http: http(&kind.kind, assumed),
            requests_per_connection: requests_per_connection(kind, assumed),
            body: body(kind, workload, assumed),
            rate: rates.of_part(requests),
        })
    }

    /// Whether another one differs in nothing but sizes and numbers.
    pub fn is_same(&self, other: &Self) -> bool {
        (self.tls, self.http, self.resumption, self.requests_per_connection, self.body, self.resumed_percent)
            == (
                other.tls,
                other.http,
                other.resumption,
                other.requests_per_connection,
                other.body,
                other.resumed_percent,
            )
    }

    /// Adds the requests of another.
    pub const fn merge(&mut self, other: &Self) {
        self.rate = self.rate.saturating_add(other.rate);
    }
}

fn params(kind: &Kind, assumed: &mut Assumed) -> Result<Params, Impossible> {
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

/// The way that most of those take that resume, and how many percent of all do.
fn resumption(kind: &Gathered, version: Version, assumed: &mut Assumed) -> (Resumption, u8) {
    let resumed = kind.begun.iter().filter_map(|(how, weight)| Some(((*how)?, *weight)));
    let resumed: Vec<(Resumed, f64)> = resumed.filter(|(how, _)| how.is_resumption()).collect();
    if kind.begun.get(&None).is_some_and(|weight| *weight > 0.0) {
        assumed.add(What::Resumed, "a full handshake");
    }
    let sum: f64 = resumed.iter().map(|(_, weight)| weight).sum();
    // A share of a whole is a percentage.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let percent = (sum / kind.weight() * 100.0).round().clamp(0.0, 100.0) as u8;
    let most = resumed.iter().max_by(|(_, one), (_, other)| one.total_cmp(other));
    let Some((how, _)) = most.filter(|_| percent > 0) else { return (Resumption::Full, 0) };
    let way = match how {
        Resumed::SessionId => Some(Resumption::SessionId),
        Resumed::Ticket => Some(Resumption::Ticket),
        Resumed::Psk => Some(Resumption::Psk),
        Resumed::EarlyData => Some(Resumption::EarlyData),
        Resumed::Full | Resumed::Resumed => None,
    };
    let way = way.filter(|way| way.fits(version)).unwrap_or_else(|| {
        let usual = if version.is_tls13() { Resumption::Psk } else { Resumption::Ticket };
        assumed.add(What::Resumption, usual.name());
        usual
    });
    (way, percent)
}

fn http(kind: &Kind, assumed: &mut Assumed) -> Http {
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

fn requests_per_connection(kind: &Gathered, assumed: &mut Assumed) -> u64 {
    let counts = &kind.counts;
    let placed = counts.requests.saturating_sub(counts.requests_without_connection);
    if counts.connections == 0 || placed == 0 {
        assumed.add(What::RequestsPerConnection, "1");
        return 1;
    }
    whole((float(placed) / float(counts.connections)).clamp(1.0, MOST_REQUESTS))
}

fn body(kind: &Gathered, workload: &Workload, assumed: &mut Assumed) -> u64 {
    let mean = |total: Total| (total.of > 0).then(|| float(total.bytes) / float(total.of));
    let mean = mean(kind.counts.out).or_else(|| workload.response_bytes.mean());
    let Some(mean) = mean else {
        assumed.add(What::Body, format!("{BODY} bytes"));
        return BODY;
    };
    whole(mean.clamp(0.0, MOST_BYTES))
}

/// The next whole number; it is known to be within the limits of a study.
fn whole(number: f64) -> u64 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let whole = number.round() as u64;
    whole
}
