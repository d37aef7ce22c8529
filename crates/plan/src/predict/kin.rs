//! The nearest kin of a term that a model has no cost of, and the bounds that follow from it.

use tlstax_doc::model::{Bounds, Path, Term};
use tlstax_spec::{Group, Http, Key, Resumption, Suite, SuiteFacts, Version};

use crate::costs::Costs;

/// A cost that stands for another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kin {
    pub of: Term,
    /// Nanoseconds.
    pub ns: Bounds,
}

/// How many times as much a term may cost as its nearest kin, or as little, where nothing tells more.
const MARGIN: f64 = 2.0;

/// The same where the kin is of another sort: RSA of 4096 bits signs sixteen times as long as P-256 and longer, CBC with HMAC takes
/// several times as long as AES-GCM.
const FAR: f64 = 16.0;

/// What stands for a term; none where nothing does.
pub fn kin(costs: &Costs<'_>, term: Term) -> Option<Kin> {
    match term {
        Term::Handshake { version, key } => handshake(costs, version, key),
        Term::Resumption { version, way } => resumption(costs, version, way),
        Term::Session { version, way } => session(costs, version, way),
        Term::Group { group } => {
            let term = |group| Term::Group { group };
            // X25519 itself adds nothing.
            between(costs, &GROUPS, group, term).or_else(|| dearest(costs, GROUPS.map(term)))
        }
        Term::KeyTransport { key } => first(costs, keys_like(key).map(|key| Term::KeyTransport { key })),
        Term::SuiteByte { suite } => of_suite(costs, suite, |suite| Term::SuiteByte { suite }),
        Term::SuiteRecord { suite } => of_suite(costs, suite, |suite| Term::SuiteRecord { suite }),
        Term::Request { http, tls } => {
            let near = [(other(http), tls), (http, !tls), (other(http), !tls)];
            first(costs, near.map(|(http, tls)| Term::Request { http, tls }))
        }
        Term::Body { path, http, bytes } => {
            let (same, others): (Vec<Term>, Vec<Term>) =
                body(path, http, bytes).into_iter().partition(|term| is_on(*term, path));
            first(costs, same).or_else(|| first_far(costs, others))
        }
        // It opens no connection, and adds a few frames to one.
        Term::Http2Connection => {
            let of = Term::Connection;
            costs.of_term(of).map(|ns| Kin { of, ns: Bounds { value: ns / MARGIN, low: 0.0, high: ns } })
        }
        Term::Connection => connection(costs),
        Term::Record | Term::Buffer => None,
    }
}

fn is_on(term: Term, path: Path) -> bool {
    matches!(term, Term::Body { path: on, .. } if on == path)
}

/// The terms that may stand for a body, the nearest first.
pub fn body(path: Path, http: Http, bytes: u32) -> [Term; 5] {
    let sibling = match path {
        Path::Sendfile => Path::Copy,
        Path::Copy => Path::Sendfile,
        Path::Tls => Path::Copy,
    };
    let far = if path == Path::Tls { Path::Sendfile } else { Path::Tls };
    let near =
        [(path, other(http)), (sibling, http), (sibling, other(http)), (far, http), (far, other(http))];
    near.map(|(path, http)| Term::Body { path, http, bytes })
}

const fn other(http: Http) -> Http {
    match http {
        Http::Http1 => Http::Http2,
        Http::Http2 => Http::Http1,
    }
}

/// Groups from the cheapest to the dearest of a server, as the libraries that are measured have them.
const GROUPS: [Group; 9] = [
    Group::X25519,
    Group::Secp256r1,
    Group::X25519MlKem768,
    Group::Secp256r1MlKem768,
    Group::Secp384r1,
    Group::Ffdhe2048,
    Group::Secp521r1,
    Group::Secp384r1MlKem1024,
    Group::Ffdhe3072,
];

/// Keys from the cheapest to the dearest to sign with; RSA, whose cost follows from its bits, apart.
const KEYS: [Key; 6] =
    [Key::EcdsaP256, Key::Ed25519, Key::MlDsa44, Key::MlDsa65, Key::MlDsa87, Key::EcdsaP384];

const RSA: [(Key, f64); 3] = [(Key::Rsa2048, 2_048.0), (Key::Rsa3072, 3_072.0), (Key::Rsa4096, 4_096.0)];

/// The same key in another version, or the key beside it.
fn handshake(costs: &Costs<'_>, version: Version, key: Key) -> Option<Kin> {
    let versions = match version {
        Version::Tls13 => [Version::Tls12, Version::Tls11, Version::Tls10],
        Version::Tls12 => [Version::Tls13, Version::Tls11, Version::Tls10],
        Version::Tls11 => [Version::Tls10, Version::Tls12, Version::Tls13],
        Version::Tls10 => [Version::Tls11, Version::Tls12, Version::Tls13],
    };
    let all = || std::iter::once(version).chain(versions);
    let same_key = first(costs, versions.map(|version| Term::Handshake { version, key }));
    let of_kind = |version: Version| {
        let term = |key| Term::Handshake { version, key };
        rsa(costs, key, term)
            .or_else(|| between(costs, &KEYS, key, term))
            .or_else(|| first(costs, keys_like(key).map(term)))
    };
    let of_another = |version: Version| {
        first_far(
            costs,
            every_key().filter(|other| *other != key).map(|key| Term::Handshake { version, key }),
        )
    };
    same_key.or_else(|| all().find_map(of_kind)).or_else(|| all().find_map(of_another))
}

fn every_key() -> impl Iterator<Item = Key> {
    KEYS.into_iter().chain(RSA.map(|(key, _)| key))
}

/// Where calibration could not tell it, it is a part of what begins on it.
fn connection(costs: &Costs<'_>) -> Option<Kin> {
    let resumptions = Version::ALL.iter().flat_map(|version| {
        Resumption::ALL.iter().map(|way| Term::Resumption { version: *version, way: *way })
    });
    let handshakes = Version::ALL
        .iter()
        .flat_map(|version| every_key().map(|key| Term::Handshake { version: *version, key }));
    let (of, ns) = resumptions.chain(handshakes).find_map(|term| Some((term, costs.of_term(term)?)))?;
    Some(Kin { of, ns: Bounds { value: ns / (2.0 * MARGIN), low: 0.0, high: ns } })
}

/// Between two RSA keys, or from one: what a signature costs grows at most with the third power of the bits.
fn rsa(costs: &Costs<'_>, key: Key, term: impl Fn(Key) -> Term) -> Option<Kin> {
    let bits = |key| RSA.into_iter().find(|(other, _)| *other == key).map(|(_, bits)| bits);
    let own = bits(key)?;
    let known = RSA.into_iter().filter_map(|(key, bits)| Some((bits, term(key), costs.of_term(term(key))?)));
    let known: Vec<(f64, Term, f64)> = known.collect();
    let below = known.iter().rfind(|(bits, ..)| *bits < own);
    let above = known.iter().find(|(bits, ..)| *bits > own);
    Some(match (below, above) {
        (Some((_, of, low)), Some((.., high))) => Kin { of: *of, ns: mean(*low, *high) },
        (Some((bits, of, low)), None) => Kin { of: *of, ns: mean(*low, low * (own / bits).powi(3)) },
        (None, Some((bits, of, high))) => Kin { of: *of, ns: mean(high * (own / bits).powi(3), *high) },
        (None, None) => return None,
    })
}

fn resumption(costs: &Costs<'_>, version: Version, way: Resumption) -> Option<Kin> {
    let versions = Version::ALL.iter().filter(|other| other.is_tls13() == version.is_tls13());
    let mut near: Vec<Term> = versions
        .flat_map(|version| Resumption::ALL.iter().map(|way| (*version, *way)))
        .filter(|near| *near != (version, way))
        .map(|(version, way)| Term::Resumption { version, way })
        .collect();
    near.sort_by_key(|term| !matches!(term, Term::Resumption { version: other, .. } if *other == version));
    // It is a handshake without the signature.
    let of_full = || {
        let mut full = every_key().map(|key| Term::Handshake { version, key });
        let (of, ns) = full.find_map(|term| Some((term, costs.of_term(term)?)))?;
        Some(Kin { of, ns: Bounds { value: ns / MARGIN, low: 0.0, high: ns } })
    };
    first(costs, near).or_else(of_full)
}

/// Issuing a session is a part of what resuming it takes.
fn session(costs: &Costs<'_>, version: Version, way: Resumption) -> Option<Kin> {
    let others = Resumption::ALL.iter().filter(|other| **other != way);
    let near = first(costs, others.map(|way| Term::Session { version, way: *way }));
    near.or_else(|| {
        let of = Term::Resumption { version, way };
        let ns = costs.of_term(of)?;
        Some(Kin { of, ns: Bounds { value: ns / (2.0 * MARGIN), low: 0.0, high: ns / MARGIN } })
    })
}

/// By a suite of the same sort, AEAD or not; else by the dearest.
fn of_suite(costs: &Costs<'_>, suite: Suite, term: impl Fn(Suite) -> Term) -> Option<Kin> {
    let sort = |suite: Suite| SuiteFacts::of(suite.name()).mac == "AEAD";
    let known = Suite::ALL.iter().filter_map(|other| Some((*other, costs.of_term(term(*other))?)));
    let known: Vec<(Suite, f64)> = known.collect();
    let same = known.iter().filter(|(other, _)| sort(*other) == sort(suite));
    let most = |one: &&(Suite, f64), other: &&(Suite, f64)| one.1.total_cmp(&other.1);
    let of = |(near, ns): &(Suite, f64), open: fn(f64) -> Bounds| Kin { of: term(*near), ns: open(*ns) };
    let near = same.max_by(most).map(|near| of(near, around));
    near.or_else(|| known.iter().max_by(most).map(|other| of(other, far)))
}

/// Between the neighbours of a list in order of their cost.
fn between<T: Copy + PartialEq>(
    costs: &Costs<'_>,
    order: &[T],
    own: T,
    term: impl Fn(T) -> Term,
) -> Option<Kin> {
    let place = order.iter().position(|other| *other == own)?;
    let known = |other: &T| Some((term(*other), costs.of_term(term(*other))?));
    let below = order[..place].iter().rev().find_map(known);
    let above = order[place + 1..].iter().find_map(known);
    let ((of, low), (_, high)) = (below?, above?);
    Some(Kin { of, ns: mean(low.min(high), high.max(low)) })
}

/// The first that has a cost.
fn first(costs: &Costs<'_>, near: impl IntoIterator<Item = Term>) -> Option<Kin> {
    let (of, ns) = near.into_iter().find_map(|term| Some((term, costs.of_term(term)?)))?;
    Some(Kin { of, ns: around(ns) })
}

/// The same of kin of another sort.
fn first_far(costs: &Costs<'_>, others: impl IntoIterator<Item = Term>) -> Option<Kin> {
    first(costs, others).and_then(|kin| Some(Kin { ns: far(costs.of_term(kin.of)?), ..kin }))
}

/// The dearest of a sort, whose members lie far apart.
fn dearest(costs: &Costs<'_>, sort: impl IntoIterator<Item = Term>) -> Option<Kin> {
    let known = sort.into_iter().filter_map(|term| Some((term, costs.of_term(term)?)));
    let (of, ns) = known.max_by(|one, other| one.1.total_cmp(&other.1))?;
    Some(Kin { of, ns: far(ns) })
}

fn keys_like(key: Key) -> impl Iterator<Item = Key> {
    Key::ALL.iter().copied().filter(move |other| other.is_rsa() == key.is_rsa() && *other != key)
}

fn mean(low: f64, high: f64) -> Bounds {
    // Costs lie far apart, so that the mean of their logarithms is nearer.
    let value = if low > 0.0 && high > 0.0 { (low * high).sqrt() } else { low.midpoint(high) };
    Bounds { value, low: low.min(high), high: high.max(low) }
}

fn around(ns: f64) -> Bounds {
    let ends = [ns / MARGIN, ns * MARGIN];
    Bounds { value: ns, low: ends[0].min(ends[1]), high: ends[0].max(ends[1]) }
}

/// What is added may be less than nothing.
fn far(ns: f64) -> Bounds {
    Bounds { value: ns, low: ns.min(0.0) * FAR, high: ns.abs() * FAR }
}
