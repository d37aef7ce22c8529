//! Whether every claimed combination of version, suite, group, key and resumption is negotiated, and nothing else.

use std::io;

use tlstax_spec::{Contexts, Group, Handshake, Key, Params, Resumption, Version, Workload};

use super::{Checks, Extent, Miss, claimed};
use crate::adapter::{Adapter, Endpoint};
use crate::control::CONTROL;
use crate::handshake::HandshakeJob;
use crate::laps::Laps;
use crate::pair::{Ends, Pair, endpoint};
use crate::pipe::Wire;
use crate::pki::Pki;

/// Connections that are made at the same time: a client must keep as many sessions.
const AT_ONCE: u16 = 32;

pub(super) fn check(checks: &mut Checks<'_>) -> io::Result<()> {
    let kinds: Vec<Resumption> = claimed(&checks.hello.resumptions);
    let mut all = checks.hello.combinations();
    if checks.extent == Extent::Short {
        all = once_each(&all);
    }
    for params in all {
        for &resumption in kinds.iter().filter(|kind| kind.fits(params.version)) {
            let handshake = Handshake { resumption, ..full(params) };
            checks.check(&name(&handshake), |adapter, pki| negotiates(adapter, handshake, 1, pki))?;
        }
    }
    for version in claimed::<Version>(&checks.hello.versions) {
        for params in one_per_key(checks, version) {
            certificates(checks, params)?;
        }
        if let Some(params) = checks.hello.usual(version) {
            for &resumption in kinds.iter().filter(|kind| kind.fits(version)) {
                at_once(checks, params, resumption)?;
                checks.check(&format!("round trips {version} {resumption}"), |adapter, pki| {
                    round_trips(adapter, Handshake { resumption, ..full(params) }, pki)
                })?;
            }
            if version == Version::Tls12
                && [Resumption::SessionId, Resumption::Ticket].iter().all(|kind| kinds.contains(kind))
            {
                checks.check("session id and ticket differ", |adapter, pki| {
                    tickets_are_sent(adapter, params, pki)
                })?;
            }
            refusals(checks, params)?;
        }
    }
    Ok(())
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

/// One combination for each claimed key, by preference with a group.
fn one_per_key(checks: &Checks<'_>, version: Version) -> Vec<Params> {
    let all = checks.hello.combinations();
    let of = |key| all.iter().find(|params| params.version == version && params.key == key).copied();
    claimed::<Key>(&checks.hello.keys).into_iter().filter_map(of).collect()
}

fn full(params: Params) -> Handshake {
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

fn negotiates(adapter: &dyn Adapter, handshake: Handshake, threads: u16, pki: &Pki) -> Result<(), Miss> {
    let mut prepared = HandshakeJob::prepare(adapter, handshake, threads, pki)?;
    let (_, proof) = prepared.job.run(2, 0)?;
    proof.check(&Workload::Handshake(handshake)).map_err(|mismatch| Miss::Failed(mismatch.to_string()))
}

/// As many round trips as the standards have: RFC 5246 7.3, RFC 8446 2.
fn round_trips(adapter: &dyn Adapter, handshake: Handshake, pki: &Pki) -> Result<(), Miss> {
    if adapter.hello().family == CONTROL {
        return Err(Miss::Skipped("without crypto two of the flights are one".to_owned()));
    }
    let wanted = match (handshake.params.version, handshake.resumption) {
        (_, Resumption::EarlyData) => 0,
        (Version::Tls12, Resumption::Full) => 2,
        _ => 1,
    };
    let prepared = HandshakeJob::prepare(adapter, handshake, 1, pki)?;
    match prepared.proof.round_trips {
        Some(counted) if counted == wanted => Ok(()),
        other => Err(Miss::failed(format!("{other:?} round trips were counted, there are {wanted}"))),
    }
}

/// Chains of every length, and a client with a certificate; a longer chain must take more bytes.
fn certificates(checks: &mut Checks<'_>, params: Params) -> io::Result<()> {
    let full = full(params);
    for chain in 2..=3 {
        let handshake = Handshake { chain, ..full };
        checks.check(&name(&handshake), |adapter, pki| {
            let shorter = HandshakeJob::prepare(adapter, Handshake { chain: chain - 1, ..full }, 1, pki)?;
            let longer = HandshakeJob::prepare(adapter, handshake, 1, pki)?;
            if longer.proof.server_bytes < shorter.proof.server_bytes + 200 {
                return Err(Miss::failed("one certificate more does not make the server's flight longer"));
            }
            negotiates(adapter, handshake, 1, pki)
        })?;
    }
    let mutual = Handshake { mutual: true, ..full };
    checks.check(&name(&mutual), |adapter, pki| {
        let alone = HandshakeJob::prepare(adapter, full, 1, pki)?;
        let both = HandshakeJob::prepare(adapter, mutual, 1, pki)?;
        if both.proof.client_bytes < alone.proof.client_bytes + 200 {
            return Err(Miss::failed("a certificate of the client does not make its flight longer"));
        }
        negotiates(adapter, mutual, 1, pki)
    })
}

/// A ticket goes over the wire, a session id leaves the state with the server: else one is measured as the other.
fn tickets_are_sent(adapter: &dyn Adapter, params: Params, pki: &Pki) -> Result<(), Miss> {
    let bytes = |resumption| {
        let handshake = Handshake { resumption, ..full(params) };
        HandshakeJob::prepare(adapter, handshake, 1, pki).map(|prepared| prepared.proof.client_bytes)
    };
    let (id, ticket) = (bytes(Resumption::SessionId)?, bytes(Resumption::Ticket)?);
    if ticket < id + 64 {
        return Err(Miss::failed(format!(
            "the client sends {id} bytes with a session id and {ticket} with a ticket"
        )));
    }
    Ok(())
}

/// Two threads share both configurations; many connections share them at the same time.
fn at_once(checks: &mut Checks<'_>, params: Params, resumption: Resumption) -> io::Result<()> {
    let handshake = Handshake { resumption, ..full(params) };
    let name = name(&handshake);
    checks.check(&format!("{name} 2 threads"), |adapter, pki| negotiates(adapter, handshake, 2, pki))?;
    checks.check(&format!("{name} {AT_ONCE} at once"), |adapter, pki| {
        let ends = Ends::new(adapter, &Endpoint { resumption, ..endpoint(params, pki) })?;
        ends.prime(AT_ONCE)?;
        let resumed = ends.connect_at_once(AT_ONCE)?;
        let wanted = if resumption == Resumption::Full { 0 } else { AT_ONCE };
        if resumed == usize::from(wanted) {
            return Ok(());
        }
        Err(Miss::failed(format!(
            "{resumed} of {AT_ONCE} connections that began together were resumed, not {wanted}"
        )))
    })
}

/// What must not come to a connection.
fn refusals(checks: &mut Checks<'_>, params: Params) -> io::Result<()> {
    let (all, version, control) =
        (checks.hello.combinations(), params.version, checks.hello.family == CONTROL);
    let without_crypto = || Err(Miss::Skipped("without crypto nothing is verified".to_owned()));
    let other = |differs: &dyn Fn(&Params) -> bool| all.iter().find(|other| differs(other)).copied();

    let suite =
        other(&|other| other.suite != params.suite && Params { suite: params.suite, ..*other } == params);
    checks.check(&format!("refused {version} other suite"), |adapter, pki| {
        if control { without_crypto() } else { is_refused(adapter, params, suite, false, pki) }
    })?;
    let group =
        other(&|other| other.group != params.group && Params { group: params.group, ..*other } == params);
    checks.check(&format!("refused {version} other group"), |adapter, pki| {
        if control { without_crypto() } else { is_refused(adapter, params, group, false, pki) }
    })?;
    let is_other_rsa = |key: Key| key.is_rsa() && params.key.is_rsa() && key != params.key;
    let key = other(&|other| is_other_rsa(other.key) && Params { key: params.key, ..*other } == params);
    checks.check(&format!("refused {version} other root"), |adapter, pki| {
        if control { without_crypto() } else { is_refused(adapter, params, key, false, pki) }
    })?;
    checks.check(&format!("refused {version} client without certificate"), |adapter, pki| {
        if control { without_crypto() } else { is_refused(adapter, params, Some(params), true, pki) }
    })
}

/// A client of `params` must not come to a connection with a server of `theirs`.
fn is_refused(
    adapter: &dyn Adapter,
    params: Params,
    theirs: Option<Params>,
    mutual: bool,
    pki: &Pki,
) -> Result<(), Miss> {
    let theirs = theirs.ok_or_else(|| Miss::Skipped("the library claims no other".to_owned()))?;
    let mut ends = Ends::new(adapter, &endpoint(params, pki))?;
    ends.server = Ends::new(adapter, &Endpoint { mutual, ..endpoint(theirs, pki) })?.server;
    match Pair::connect(&ends, &Wire::default(), &mut Laps::start(1)) {
        Err(_) => Ok(()),
        Ok(pair) => Err(Miss::failed(format!("it was accepted: {:?}", pair.client.negotiated()))),
    }
}
