//! Whether connections that come and go leave no memory behind.

use tlstax_measure::accounting::pss;
use tlstax_spec::wire::members;
use tlstax_spec::{Key, Params, Version, Workload};

use super::checks::{Checks, Extent};
use super::handshakes::full;
use super::subject::{Miss, Subject};

/// Connections in a batch.
const BATCH: u64 = 500;

/// Batches between two readings: 1,000 connections.
const BATCHES: u64 = 2;

/// What the process may grow by meanwhile, in bytes: far less than so many connections, far more than the allocator's
/// noise.
const SLACK: u64 = 400 << 10;

/// A leak shows each time; a heap that is collected, or a cache that fills, settles.
const TIMES: usize = 20;

pub(super) fn check(checks: &mut Checks<'_>) {
    // Sanitizers keep what is freed, and find leaks by themselves.
    if checks.extent == Extent::Short {
        return;
    }
    let hello = checks.subject.hello.clone();
    let all = hello.combinations();
    for version in members::<Version>(&hello.versions) {
        let Some(params) = hello.usual(version) else { continue };
        // So many signatures by RSA would take a minute, and leak no more.
        let is_cheap =
            |other: &&Params| Params { suite: other.suite, key: Key::EcdsaP256, ..params } == **other;
        let params = all.iter().find(is_cheap).copied().unwrap_or(params);
        checks.check(&format!("memory of {} connections {version}", BATCH * BATCHES), |subject| {
            does_not_grow(subject, params)
        });
    }
}

fn does_not_grow(subject: &mut Subject<'_>, params: Params) -> Result<(), Miss> {
    let handshake = Workload::Handshake(full(params));
    let case = subject.case(1, handshake.clone());
    subject.prepare(1, handshake)?;
    // After these everything that is made once is there.
    subject.batch(&case, BATCH)?;
    let pid = subject.worker()?.pid();
    let resident = || pss(pid).map(|pss| pss.0).map_err(|error| Miss::Skipped(error.to_string()));
    let mut growth = 0;
    for _ in 0..TIMES {
        let before = resident()?;
        for _ in 0..BATCHES {
            subject.batch(&case, BATCH)?;
        }
        growth = resident()?.saturating_sub(before);
        if growth <= SLACK {
            return Ok(());
        }
    }
    let each = growth / (BATCH * BATCHES);
    Err(format!("the process grew {TIMES} times, at last by {growth} bytes, {each} each").into())
}
