//! Whether every claimed combination of version, suite, group, key and resumption is negotiated, and nothing else.

use tlstax_spec::wire::members;
use tlstax_spec::{
    Contexts, Group, Handshake, Key, Load, Params, Proof, Resumption, Suite, Version, Workload,
};

use super::checks::{Checks, Extent};
use super::subject::{Miss, Subject};
use tlstax_peers::Refused;

/// Threads that make connections from the same contexts.
const THREADS: u16 = 2;

/// So many threads have as many connections at the same time, and a client must keep as many sessions: they are got by
/// connections that all begin before the first is complete.
const AT_ONCE: u16 = 32;

/// What is asked of a worker that claims no handshakes.
const USUAL: Params = Params {
    version: Version::Tls13,
    suite: Suite::Aes128Gcm,
    group: Some(Group::X25519),
    key: Key::EcdsaP256,
};

/// Fewer bytes than a certificate takes on the wire.
const CERTIFICATE: u64 = 200;

/// Fewer bytes than a ticket has more than a session id.
const TICKET: u64 = 64;

pub(super) fn check(checks: &mut Checks<'_>) {
    let hello = checks.subject.hello.clone();
    if hello.versions.is_empty() {
        checks.check("unclaimed handshakes", |subject| subject.refuses(Workload::Handshake(full(USUAL))));
    }
    let kinds: Vec<Resumption> = members(&hello.resumptions);
    let all = hello.combinations();
    let tried = if checks.extent == Extent::Short { once_each(&all) } else { all.clone() };
    for params in tried {
        for &resumption in kinds.iter().filter(|kind| kind.fits(params.version)) {
            let handshake = Handshake { resumption, ..full(params) };
            checks.check(&name(&handshake), |subject| negotiates(subject, handshake, 1));
        }
    }
    for version in members::<Version>(&hello.versions) {
        for key in members::<Key>(&hello.keys) {
            let is_it = |params: &&Params| params.version == version && params.key == key;
            if let Some(&params) = all.iter().find(is_it) {
                certificates(checks, full(params));
            }
        }
        if let Some(params) = hello.usual(version) {
            of_version(checks, params, &kinds);
            refusals(checks, params, &all);
        }
    }
}

/// What is tried with one combination of a version.
fn of_version(checks: &mut Checks<'_>, params: Params, kinds: &[Resumption]) {
    for &resumption in kinds.iter().filter(|kind| kind.fits(params.version)) {
        threads(checks, Handshake { resumption, ..full(params) });
    }
    let both = [Resumption::SessionId, Resumption::Ticket];
    if both.iter().all(|kind| kind.fits(params.version) && kinds.contains(kind)) {
        checks.check("session id and ticket differ", |subject| tickets_are_sent(subject, params));
    }
}

/// Those that have a suite, group or key of their version that none before them has.
fn once_each(all: &[Params]) -> Vec<Params> {
    let mut chosen: Vec<Params> = Vec::new();
    for params in all {
        let mut before = chosen.iter().filter(|before| before.version == params.version);
        let seen = |same: fn(&Params, &Params) -> bool| before.clone().any(|before| same(before, params));
        let (suite, group) = (seen(|a, b| a.suite == b.suite), seen(|a, b| a.group == b.group));
        if !(suite && group && before.any(|before| before.key == params.key)) {
            chosen.push(*params);
        }
    }
    chosen
}

pub(super) const fn full(params: Params) -> Handshake {
    Handshake { params, chain: 1, resumption: Resumption::Full, mutual: false, contexts: Contexts::Shared }
}

fn name(handshake: &Handshake) -> String {
    let Params { version, suite, group, key } = handshake.params;
    let group = group.map_or("no group", Group::name);
    let mutual = if handshake.mutual { " mutual" } else { "" };
    format!(
        "handshake {version} {suite} {group} {key} chain-{} {}{mutual}",
        handshake.chain, handshake.resumption
    )
}

fn negotiates(subject: &mut Subject<'_>, handshake: Handshake, threads: u16) -> Result<(), Miss> {
    subject.tried(threads, Workload::Handshake(handshake), 2).map(drop)
}

fn trial(subject: &mut Subject<'_>, handshake: Handshake) -> Result<Proof, Miss> {
    Ok(subject.prepare(1, Workload::Handshake(handshake))?.proof)
}

/// Chains of every length, and a client with a certificate; each certificate must take bytes.
fn certificates(checks: &mut Checks<'_>, full: Handshake) {
    let mut longer = |shorter: Handshake, handshake: Handshake, sent: fn(&Proof) -> u64, problem: &str| {
        checks.check(&name(&handshake), |subject| {
            let fewer = sent(&trial(subject, shorter)?);
            if sent(&trial(subject, handshake)?) < fewer + CERTIFICATE {
                return Err(problem.into());
            }
            negotiates(subject, handshake, 1)
        });
    };
    for chain in 2..=3 {
        let problem = "one certificate more does not make the server's flight longer";
        let shorter = Handshake { chain: chain - 1, ..full };
        longer(shorter, Handshake { chain, ..full }, |proof| proof.server_bytes, problem);
    }
    let problem = "a certificate of the client does not make its flight longer";
    longer(full, Handshake { mutual: true, ..full }, |proof| proof.client_bytes, problem);
}

/// Threads with one pair of contexts, with one for each and with none; many connections at the same time; round trips.
fn threads(checks: &mut Checks<'_>, handshake: Handshake) {
    let name = name(&handshake);
    for &contexts in Contexts::ALL {
        checks.check(&format!("{name} {THREADS} threads, contexts {contexts}"), |subject| {
            negotiates(subject, Handshake { contexts, ..handshake }, THREADS)
        });
    }
    checks.check(&format!("{name} {AT_ONCE} at once"), |subject| negotiates(subject, handshake, AT_ONCE));
    let (version, resumption) = (handshake.params.version, handshake.resumption);
    checks.check(&format!("round trips {version} {resumption}"), |subject| round_trips(subject, handshake));
}

/// As many round trips as the standards have: RFC 5246 7.3, RFC 8446 2.
fn round_trips(subject: &mut Subject<'_>, handshake: Handshake) -> Result<(), Miss> {
    if subject.is_control() {
        return Err(Miss::Skipped("without crypto two of the flights are one".to_owned()));
    }
    let wanted = match (handshake.params.version, handshake.resumption) {
        (_, Resumption::EarlyData) => 0,
        (version, Resumption::Full) if !version.is_tls13() => 2,
        _ => 1,
    };
    let Proof { round_trips, flights, .. } = trial(subject, handshake)?;
    if round_trips != Some(wanted) {
        return Err(format!("{round_trips:?} round trips were counted, there are {wanted}").into());
    }
    // Each round trip is a flight of the client and one of the server.
    if !flights.is_empty() && flights.len() < 2 * wanted as usize {
        return Err(format!("{wanted} round trips have no flights of {flights:?} bytes").into());
    }
    Ok(())
}

/// A ticket goes over the wire, a session id leaves the state with the server: else one is measured as the other.
fn tickets_are_sent(subject: &mut Subject<'_>, params: Params) -> Result<(), Miss> {
    let mut bytes = |resumption| trial(subject, Handshake { resumption, ..full(params) });
    let id = bytes(Resumption::SessionId)?.client_bytes;
    let ticket = bytes(Resumption::Ticket)?.client_bytes;
    if ticket < id + TICKET {
        return Err(
            format!("the client sends {id} bytes with a session id and {ticket} with a ticket").into()
        );
    }
    Ok(())
}

/// A client must not come to a connection with a server of another suite, group, root or version.
fn refusals(checks: &mut Checks<'_>, params: Params, all: &[Params]) {
    let versions: Vec<Version> = members(&checks.subject.hello.versions);
    let others = versions.into_iter().filter(|&version| version != params.version);
    let usual = others.filter_map(|version| checks.subject.hello.usual(version));
    let same = all.iter().filter(|theirs| theirs.version == params.version).copied();
    let theirs: Vec<_> = same.chain(usual).collect();
    for theirs in theirs {
        if let Some(what) = difference(params, theirs) {
            let name = format!("refused {} {what}", params.version);
            checks.check(&name, |subject| is_refused(subject, params, theirs));
        }
    }
}

/// The one thing in which two combinations of a version differ, or the version; none where more differs. The roots of RSA
/// keys differ with the key.
fn difference(ours: Params, theirs: Params) -> Option<String> {
    let Params { version, suite, group, key } = theirs;
    if version != ours.version {
        return Some(format!("version {version}"));
    }
    match (suite != ours.suite, group != ours.group, key != ours.key) {
        (true, false, false) => Some(format!("suite {suite}")),
        (false, true, false) => Some(format!("group {}", group.map_or("none", Group::name))),
        (false, false, true) if key.is_rsa() && ours.key.is_rsa() => Some(format!("root {key}")),
        _ => None,
    }
}

/// A client of `params` must not come to a connection with a server of `theirs`.
fn is_refused(subject: &mut Subject<'_>, params: Params, theirs: Params) -> Result<(), Miss> {
    if subject.is_control() {
        return Err(Miss::Skipped("without crypto nothing is verified".to_owned()));
    }
    let id = subject.entry.id.clone();
    let load = |params| Load { connections: 1, ..Load::new(id.clone(), Some(params)) };
    match subject.meet(&load(theirs), &load(params)) {
        Ok(proof) => Err(format!("it was accepted: {proof:?}").into()),
        Err(Refused::Failed(failure)) if !failure.lost => Ok(()),
        Err(refused) => Err(refused.into()),
    }
}
