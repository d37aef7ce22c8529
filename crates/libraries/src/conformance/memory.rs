//! Whether connections that come and go leave no memory behind.

use tlstax_measure::accounting::pss;
use tlstax_spec::wire::members;
use tlstax_spec::{Key, Params, Version, Workload};

use super::checks::{Checks, Extent};
use super::handshakes::full;
use super::subject::{Miss, Subject};

/// Connections in a batch.
const BATCH: u64 = 250;

/// What the process may grow by meanwhile, in bytes: far less than so many connections, far more than the allocator's
/// noise.
const SLACK: u64 = 100 << 10;

/// A leak shows each time; a heap that is collected, or a cache that fills, settles.
const TIMES: usize = 80;

/// Heaps grow in steps, of 132 KiB by glibc: one batch without growth says nothing, so many in a row do.
const QUIET: u32 = 3;

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
        checks.check(&format!("memory of {} connections {version}", BATCH * u64::from(QUIET)), |subject| {
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
    let (mut growth, mut quiet) = (0, 0);
    for _ in 0..TIMES {
        let before = resident()?;
        subject.batch(&case, BATCH)?;
        growth = resident()?.saturating_sub(before);
        quiet = if growth <= SLACK { quiet + 1 } else { 0 };
        if quiet == QUIET {
            return Ok(());
        }
    }
    let each = growth / BATCH;
    Err(format!("the process grew again and again, at last by {growth} bytes, {each} each").into())
}
