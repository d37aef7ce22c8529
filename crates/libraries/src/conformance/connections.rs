//! Whether established connections carry data both ways, and can be kept.

use tlstax_spec::wire::members;
use tlstax_spec::{Bulk, Direction, Idle, Params, Side, Suite, Version, Workload};

use super::checks::{Checks, Extent};
use super::subject::{Miss, Subject};

/// The record, write and buffer of bulk data in bytes. Sizes that fit nothing: the last write, the last record and the last
/// read are all partial.
const SHAPES: [[u32; 3]; 3] = [[16_384, 16_384, 65_536], [1024, 1000, 70_001], [16_384, 100_000, 250_007]];

/// Buffers in a batch.
const BUFFERS: u64 = 2;

/// Connections that are kept at the same time.
const KEPT: u32 = 200;

/// The fewest bytes of memory that a connection can take.
const SMALLEST: u64 = 1024;

pub(super) fn check(checks: &mut Checks<'_>) {
    // Sanitizers give memory out that the process has had before.
    let smallest = if checks.extent == Extent::Short { 0 } else { u64::from(KEPT) * SMALLEST };
    let hello = checks.subject.hello.clone();
    let all = hello.combinations();
    for suite in members::<Suite>(&hello.suites) {
        let Some(&params) = all.iter().find(|params| params.suite == suite) else { continue };
        for &direction in Direction::ALL {
            checks.check(&format!("bulk {suite} {direction}"), |subject| carries(subject, params, direction));
        }
    }
    for version in members::<Version>(&hello.versions) {
        let Some(params) = hello.usual(version) else { continue };
        for &side in Side::ALL {
            checks.check(&format!("idle {version} {side}"), |subject| idles(subject, params, side, smallest));
        }
    }
}

fn carries(subject: &mut Subject<'_>, params: Params, direction: Direction) -> Result<(), Miss> {
    for [record, write, buffer] in SHAPES {
        let bulk = Workload::Bulk(Bulk { params, direction, record, write, buffer });
        let proof = subject.tried(1, bulk, BUFFERS)?.proof;
        let sent = match direction {
            Direction::Download => proof.server_bytes,
            Direction::Upload => proof.client_bytes,
        };
        if sent <= u64::from(buffer) {
            return Err(format!("a buffer of {buffer} bytes took {sent} bytes on the wire").into());
        }
    }
    Ok(())
}

fn idles(subject: &mut Subject<'_>, params: Params, side: Side, smallest: u64) -> Result<(), Miss> {
    let idle = Workload::Idle(Idle { params, side, connections: KEPT });
    let bytes = subject.tried(1, idle, 1)?.sample.bytes.0;
    if bytes < smallest && !subject.is_control() {
        return Err(format!("{KEPT} connections took {bytes} bytes of memory").into());
    }
    Ok(())
}
