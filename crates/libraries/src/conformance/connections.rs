//! Whether established connections carry data both ways, and can be kept.

use tlstax_spec::wire::{Hello, members};
use tlstax_spec::{Bulk, Compression, Content, Direction, Idle, Params, Side, Suite, Version, Workload};

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
        for bulk in compressed(&hello, params) {
            let Bulk { direction, compression, content, .. } = bulk;
            let name = format!("bulk {version} {direction} {compression} {content}");
            checks.check(&name, |subject| compresses(subject, bulk));
        }
        for &side in Side::ALL {
            checks.check(&format!("idle {version} {side}"), |subject| idles(subject, params, side, smallest));
        }
    }
}

fn carries(subject: &mut Subject<'_>, params: Params, direction: Direction) -> Result<(), Miss> {
    for [record, write, buffer] in SHAPES {
        let sent = sent(subject, Bulk { direction, record, write, buffer, ..Bulk::usual(params) })?;
        if sent <= u64::from(buffer) {
            return Err(format!("a buffer of {buffer} bytes took {sent} bytes on the wire").into());
        }
    }
    Ok(())
}

/// Bulk data of each content with each compression that the library has in this version, both ways.
fn compressed(hello: &Hello, params: Params) -> Vec<Bulk> {
    let methods = members::<Compression>(&hello.compressions);
    let methods =
        methods.into_iter().filter(|method| *method != Compression::None && method.fits(params.version));
    let with = |compression| {
        let contents =
            Content::ALL.iter().flat_map(|content| Direction::ALL.iter().map(move |way| (*content, *way)));
        contents.map(move |(content, direction)| Bulk {
            compression,
            content,
            direction,
            ..Bulk::usual(params)
        })
    };
    methods.flat_map(with).collect()
}

/// The bytes that a buffer of the sender took on the wire.
fn sent(subject: &mut Subject<'_>, bulk: Bulk) -> Result<u64, Miss> {
    let proof = subject.tried(1, Workload::Bulk(bulk), BUFFERS)?.proof;
    Ok(match bulk.direction {
        Direction::Download => proof.server_bytes,
        Direction::Upload => proof.client_bytes,
    })
}

/// Text becomes less than half, what looks random hardly less, and nothing next to nothing.
fn compresses(subject: &mut Subject<'_>, bulk: Bulk) -> Result<(), Miss> {
    for [record, write, buffer] in SHAPES {
        let sent = sent(subject, Bulk { record, write, buffer, ..bulk })?;
        let (least, most) = match bulk.content {
            Content::Text => (buffer / 10, buffer / 2),
            Content::Random => (buffer / 10 * 9, buffer / 10 * 15),
            Content::Zeros => (1, buffer / 4),
        };
        if !(u64::from(least)..=u64::from(most)).contains(&sent) {
            return Err(
                format!("a buffer of {buffer} bytes, {}, took {sent} on the wire", bulk.content).into()
            );
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
