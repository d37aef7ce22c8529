//! Whether established connections end as they should, and fail where they must.

use std::io::{self, ErrorKind};

use tlstax_spec::wire::members;
use tlstax_spec::{Params, Side, Version};

use super::checks::{Checks, Miss};
use crate::adapter::{Adapter, Endpoint};
use crate::laps::Laps;
use crate::pair::{Ends, Pair, endpoint};
use crate::pipe::Wire;
use crate::pki::Pki;

/// Header, explicit nonce or initialisation vector, MAC and padding of the largest suites: RFC 5246 6.2.3 allows 2048
/// bytes, RFC 8446 5.2 allows 256; all suites here stay below this.
const EXPANSION: usize = 256;

pub(super) fn check(checks: &mut Checks<'_>) -> io::Result<()> {
    for version in members::<Version>(&checks.hello.versions) {
        let Some(params) = checks.hello.usual(version) else { continue };
        for &side in Side::ALL {
            let mut named = |what: &str, act: fn(&mut Open, Side) -> Result<(), Miss>| {
                let name = format!("{what} {version} from {side}");
                checks.check(&name, |adapter, pki| act(&mut Open::new(adapter, params, pki)?, side))
            };
            named("close_notify", close_notify)?;
            named("truncation", truncation)?;
            named("damaged record", damaged_record)?;
            named("oversized record", oversized_record)?;
            checks.check(&format!("record size {version} from {side}"), |adapter, pki| {
                record_size(adapter, params, side, pki)
            })?;
        }
    }
    Ok(())
}

struct Open {
    pair: Pair,
    wire: Wire,
}

impl Open {
    fn new(adapter: &dyn Adapter, params: Params, pki: &Pki) -> Result<Self, Miss> {
        Self::with(adapter, &endpoint(params, pki))
    }

    fn with(adapter: &dyn Adapter, endpoint: &Endpoint<'_>) -> Result<Self, Miss> {
        let ends = Ends::new(adapter, endpoint)?;
        let wire = Wire::default();
        let pair = Pair::connect(&ends, &wire, &mut Laps::start(1))?;
        Ok(Self { pair, wire })
    }
}

fn close_notify(open: &mut Open, side: Side) -> Result<(), Miss> {
    let (sender, receiver) = open.pair.from(side);
    sender.write(b"last words")?;
    sender.close()?;
    let mut buffer = [0; 64];
    let first = receiver.read(&mut buffer);
    if !matches!(first, Ok(10)) || buffer[..10] != *b"last words" {
        return Err(Miss::failed(format!("before the close_notify, reading gave {first:?}")));
    }
    for time in ["once", "again"] {
        match receiver.read(&mut buffer) {
            Ok(0) => {}
            other => return Err(Miss::failed(format!("reading {time} after a close_notify gave {other:?}"))),
        }
    }
    Ok(())
}

fn truncation(open: &mut Open, side: Side) -> Result<(), Miss> {
    open.wire.end_of(side);
    let (_, receiver) = open.pair.from(side);
    match receiver.read(&mut [0; 64]) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(()),
        other => Err(Miss::failed(format!("the end of the transport without close_notify gave {other:?}"))),
    }
}

fn damaged_record(open: &mut Open, side: Side) -> Result<(), Miss> {
    let (sender, _) = open.pair.from(side);
    sender.write(b"something")?;
    if let Some(last) = open.wire.in_flight(side).last_mut() {
        *last ^= 1;
    }
    must_fail(open, side, "a record with one bit changed")
}

fn oversized_record(open: &mut Open, side: Side) -> Result<(), Miss> {
    // Application data of 2^15 bytes: RFC 8446 5.2 allows 2^14 + 256, RFC 5246 6.2.3 allows 2^14 + 2048.
    let mut record = vec![23, 3, 3, 0x80, 0];
    record.resize(5 + (1 << 15), 0);
    open.wire.in_flight(side).extend_from_slice(&record);
    must_fail(open, side, "a record of 2^15 bytes")
}

fn must_fail(open: &mut Open, side: Side, what: &str) -> Result<(), Miss> {
    let (_, receiver) = open.pair.from(side);
    match receiver.read(&mut [0; 64]) {
        Err(error) if error.kind() != ErrorKind::WouldBlock => Ok(()),
        other => Err(Miss::failed(format!("{what} gave {other:?}"))),
    }
}

/// No record that is sent is larger than the endpoint says, and there are no more of them than it takes.
fn record_size(adapter: &dyn Adapter, params: Params, side: Side, pki: &Pki) -> Result<(), Miss> {
    const RECORD: usize = 1024;
    const PAYLOAD: usize = 10 * RECORD;
    let mut open = Open::with(adapter, &Endpoint { record: RECORD as u32, ..endpoint(params, pki) })?;
    let (sender, _) = open.pair.from(side);
    let mut rest: &[u8] = &[7; PAYLOAD];
    while !rest.is_empty() {
        let written = sender.write(rest)?;
        rest = &rest[written..];
    }
    sender.write(&[])?;
    let wire = open.wire.in_flight(side);
    let (mut at, mut records) = (0, 0);
    while let Some([_, _, _, high, low]) = wire.get(at..at + 5) {
        let length = usize::from(u16::from_be_bytes([*high, *low]));
        if length > RECORD + EXPANSION {
            let message = format!("a record is {length} bytes long, its plaintext may be {RECORD}");
            return Err(Miss::Failed(message));
        }
        at += 5 + length;
        records += 1;
    }
    // Some libraries split off the first byte of a CBC record, and one record may be short. In TLS 1.0, where the vector of a record
    // is known before it is sent, OpenSSL sends an empty one before each.
    let full = PAYLOAD / RECORD;
    let most = if params.version == Version::Tls10 { 2 * full } else { full + 2 };
    if records > most {
        return Err(Miss::failed(format!("{records} records for {full} that are full")));
    }
    Ok(())
}
