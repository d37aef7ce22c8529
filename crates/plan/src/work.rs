//! [`Work`]: how many times each term is done for what is asked of a server.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use tlstax_doc::model::{Model, Path, Term};
use tlstax_spec::{Authentication, Group, Http, Load, Params, Resumption, Suite, SuiteFacts};

use crate::demand::Exact;

/// How many times each term is done.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Work(BTreeMap<Term, f64>);

/// How the server is set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setup {
    /// Whether plain HTTP uses sendfile(2).
    pub sendfile: bool,
    /// The most bytes that it encrypts into a record.
    pub record: u32,
}

/// The most bytes that a record holds (RFC 8446, 5.1).
pub const RECORD: u32 = 16_384;

/// The bytes of a file that nginx reads at a time to encrypt them (output_buffers, since 1.9.5).
pub const BUFFER: f64 = 32_768.0;

/// The line of the status and the fields of a usual response, encrypted with its body.
pub const RESPONSE_HEAD: f64 = 250.0;

impl Default for Setup {
    fn default() -> Self {
        Self { sendfile: true, record: RECORD }
    }
}

impl Setup {
    /// That of a load's server.
    pub const fn of_load(load: &Load) -> Self {
        Self::with(load.tuning.sendfile, load.tuning.tls_buffer)
    }

    /// As the server of a model was set up.
    pub const fn of(model: &Model) -> Self {
        Self::with(model.regime.sendfile, model.regime.tls_buffer)
    }

    /// Where a server chooses the size of records itself, it makes the largest.
    const fn with(sendfile: bool, tls_buffer: u32) -> Self {
        let record = if tls_buffer == 0 || tls_buffer > RECORD { RECORD } else { tls_buffer };
        Self { sendfile, record }
    }
}

impl Work {
    pub fn add(&mut self, term: Term, times: f64) {
        if times != 0.0 {
            *self.0.entry(term).or_default() += times;
        }
    }

    /// Adds the work of another.
    pub fn extend(&mut self, other: &Self) {
        other.iter().for_each(|(term, times)| self.add(term, times));
    }

    /// So many times as much.
    pub fn scaled(&self, factor: f64) -> Self {
        Self(self.0.iter().map(|(term, times)| (*term, times * factor)).collect())
    }

    /// What this is more than another; of terms that are done less often, less than nothing.
    pub fn minus(&self, other: &Self) -> Self {
        let mut difference = self.clone();
        difference.extend(&other.scaled(-1.0));
        difference.0.retain(|_, times| *times != 0.0);
        difference
    }

    pub fn iter(&self) -> impl Iterator<Item = (Term, f64)> + '_ {
        self.0.iter().map(|(term, times)| (*term, *times))
    }

    pub fn times(&self, term: Term) -> f64 {
        self.0.get(&term).copied().unwrap_or_default()
    }
}

impl FromIterator<(Term, f64)> for Work {
    fn from_iter<I: IntoIterator<Item = (Term, f64)>>(terms: I) -> Self {
        let mut work = Self::default();
        terms.into_iter().for_each(|(term, times)| work.add(term, times));
        work
    }
}

/// Whether a term is a part of handshakes.
pub const fn is_handshake(term: Term) -> bool {
    matches!(
        term,
        Term::Handshake { .. }
            | Term::Resumption { .. }
            | Term::Session { .. }
            | Term::Group { .. }
            | Term::KeyTransport { .. }
    )
}

/// Whether a term is a part of bodies and their protection.
pub const fn is_bulk(term: Term) -> bool {
    matches!(
        term,
        Term::Body { .. } | Term::SuiteByte { .. } | Term::SuiteRecord { .. } | Term::Record | Term::Buffer
    )
}

/// The work of a demand. Bodies are split over the sizes in `knots`, those of which the model knows the cost or is to find it, in
/// order.
pub fn work(demand: &Exact<'_>, setup: Setup, knots: &dyn Fn(Path, Http) -> Vec<u32>) -> Work {
    let mut work = Work::default();
    work.add(Term::Connection, demand.connections);
    if demand.http == Http::Http2 {
        work.add(Term::Http2Connection, demand.connections);
    }
    if let Some(params) = demand.tls {
        add_handshakes(&mut work, demand, params);
        add_protection(&mut work, demand, params, setup);
    }
    work.add(Term::Request { http: demand.http, tls: demand.tls.is_some() }, demand.requests);
    let path = match (demand.tls, setup.sendfile) {
        (Some(_), _) => Path::Tls,
        (None, true) => Path::Sendfile,
        (None, false) => Path::Copy,
    };
    add_bodies(&mut work, demand, path, &knots(path, demand.http));
    work
}

fn add_handshakes(work: &mut Work, demand: &Exact<'_>, params: Params) {
    let Params { version, suite, group, key } = params;
    let resumed = demand.connections * demand.share_resumed();
    let full = demand.connections - resumed;
    work.add(Term::Handshake { version, key }, full);
    work.add(Term::Resumption { version, way: demand.resumption }, resumed);
    if demand.resumption != Resumption::Full {
        work.add(Term::Session { version, way: demand.resumption }, full);
    }
    // A resumption of TLS 1.3 exchanges keys as a full handshake does (psk_dhe_ke); one of TLS 1.2 does not.
    let exchanges = if version.is_tls13() { full + resumed } else { full };
    match group {
        Some(Group::X25519) => {}
        Some(group) => work.add(Term::Group { group }, exchanges),
        None if suite.authentication() == Authentication::Rsa => work.add(Term::KeyTransport { key }, full),
        None => {}
    }
}

/// What records cost by another suite or in other sizes than usual.
fn add_protection(work: &mut Work, demand: &Exact<'_>, params: Params, setup: Setup) {
    let records = |most: f64| -> f64 {
        let of = |(bytes, share): &(f64, f64)| share * ((bytes + RESPONSE_HEAD) / most).ceil();
        demand.bodies.iter().map(of).sum()
    };
    let made = records(f64::from(setup.record));
    // A response is written record by record, so a body of a few bytes more than a record takes a step. The first record is the request's.
    work.add(Term::Record, demand.requests * (made - 1.0));
    let behind = |(bytes, share): &(f64, f64)| share * ((bytes / BUFFER).ceil() - 1.0).max(0.0);
    work.add(Term::Buffer, demand.requests * demand.bodies.iter().map(behind).sum::<f64>());
    let suite = base_of(params.suite);
    if suite == Suite::Aes128Gcm {
        return;
    }
    let bytes: f64 = demand.bodies.iter().map(|(bytes, share)| (bytes + RESPONSE_HEAD) * share).sum();
    work.add(Term::SuiteByte { suite }, demand.requests * bytes);
    // One for the request, too.
    work.add(Term::SuiteRecord { suite }, demand.requests * (made + 1.0));
}

/// The first suite that protects records in the same way, those of TLS 1.3 first: what a record costs does not depend on the key
/// exchange.
pub fn base_of(suite: Suite) -> Suite {
    // Advice asks a hundred thousand times.
    static BASES: LazyLock<BTreeMap<Suite, Suite>> =
        LazyLock::new(|| Suite::ALL.iter().map(|suite| (*suite, found_base(*suite))).collect());
    BASES.get(&suite).copied().unwrap_or(suite)
}

fn found_base(suite: Suite) -> Suite {
    let protection = |suite: Suite| {
        let facts = SuiteFacts::of(suite.name());
        (facts.cipher, facts.mac)
    };
    let wanted = protection(suite);
    let same = |other: &&Suite| protection(**other) == wanted;
    let is_new = |other: &&Suite| SuiteFacts::of(other.name()).tls13;
    let mut all = Suite::ALL.iter().filter(same);
    all.clone().find(is_new).or_else(|| all.next()).copied().unwrap_or(suite)
}

fn add_bodies(work: &mut Work, demand: &Exact<'_>, path: Path, knots: &[u32]) {
    for (bytes, share) in demand.bodies {
        for (knot, part) in split(*bytes, knots) {
            work.add(Term::Body { path, http: demand.http, bytes: knot }, demand.requests * share * part);
        }
    }
}

/// A size as parts of the sizes beside it, so that its cost is on the line between theirs; before the first it is on the line from
/// nothing, and behind the last on that through the last two.
fn split(bytes: f64, knots: &[u32]) -> Vec<(u32, f64)> {
    let at = |index: usize| f64::from(knots[index]);
    let above = knots.partition_point(|knot| f64::from(*knot) < bytes);
    match (knots.len(), above) {
        (0, _) => Vec::new(),
        (_, 0) => vec![(knots[0], bytes / at(0))],
        (1, _) => vec![(knots[0], bytes / at(0))],
        (len, above) => {
            let right = above.min(len - 1);
            let part = (bytes - at(right - 1)) / (at(right) - at(right - 1));
            vec![(knots[right - 1], 1.0 - part), (knots[right], part)]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_on_the_line_between_those_beside_it() {
        let knots = [1_024, 16_384, 65_536];
        assert_eq!(split(512.0, &knots), [(1_024, 0.5)]);
        assert_eq!(split(1_024.0, &knots), [(1_024, 1.0)]);
        assert_eq!(split(40_960.0, &knots), [(16_384, 0.5), (65_536, 0.5)]);
        assert_eq!(split(114_688.0, &knots), [(16_384, -1.0), (65_536, 2.0)]);
        assert_eq!(split(10.0, &[]), []);
    }

    /// On nginx with OpenSSL 3.0 and P-256, one request a connection, a half resumed, that is 34 us of 193 (TLS 1.3), 23 of 187 (tickets of 1.2)
    /// and 16 (its cache).
    #[test]
    fn full_handshakes_beside_resumptions_make_sessions() {
        let params = Params {
            version: tlstax_spec::Version::Tls13,
            suite: Suite::Aes128Gcm,
            group: Some(Group::X25519),
            key: tlstax_spec::Key::EcdsaP256,
        };
        let full = Exact {
            tls: Some(params),
            http: Http::Http1,
            connections: 10.0,
            resumed: 0.2,
            resumption: Resumption::Psk,
            requests: 10.0,
            bodies: &[],
        };
        let session = Term::Session { version: params.version, way: Resumption::Psk };
        let sessions = |demand: &Exact<'_>| work(demand, Setup::default(), &|_, _| Vec::new()).times(session);
        assert!((sessions(&full) - 8.0).abs() < 1e-9);
        assert_eq!(sessions(&Exact { resumption: Resumption::Full, ..full }), 0.0);
    }

    #[test]
    fn suites_with_the_same_records_are_one() {
        assert_eq!(base_of(Suite::EcdheRsaAes256Gcm), Suite::Aes256Gcm);
        assert_eq!(base_of(Suite::EcdheEcdsaAes128Gcm), Suite::Aes128Gcm);
        assert_eq!(base_of(Suite::EcdheRsaAes128CbcSha), base_of(Suite::EcdheEcdsaAes128CbcSha));
    }
}
