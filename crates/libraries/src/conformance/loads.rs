//! Whether both ends of a load do in every batch what they report: on new connections, and on those that are kept alive.

use tlstax_spec::wire::members;
use tlstax_spec::{Cpu, Direction, Load, PARTS, Resumption, UPLOAD, Version, Workload};

use super::checks::Checks;
use super::subject::{Miss, SLOT, Subject};
use crate::verify::{self, Allowed};

/// Connections that are kept alive outlast the first batch, so that the others make no handshake.
const BATCHES: usize = 3;

/// More than the connections, so that each is used several times.
const REQUESTS: u64 = 40;
const CONNECTIONS: u32 = 8;

/// Requests in a part, where parts are told.
const PART: u64 = 10;

/// Bytes in a response: more than a record.
const BODY: u32 = 20_000;

pub(super) fn check(checks: &mut Checks<'_>) {
    let hello = checks.subject.hello.clone();
    let id = checks.subject.entry.id.clone();
    let kinds: Vec<Resumption> = members(&hello.resumptions);
    for version in members::<Version>(&hello.versions) {
        let Some(params) = hello.usual(version) else { continue };
        // The embedded server of a load takes no early data.
        let kinds = kinds.iter().filter(|kind| kind.fits(version) && **kind != Resumption::EarlyData);
        for &resumption in kinds {
            for requests in [0, 1, 3] {
                let load = Load {
                    resumption,
                    requests_per_connection: requests,
                    connections: CONNECTIONS,
                    body: BODY,
                    ..Load::new(id.clone(), Some(params))
                };
                let name = format!("load {version} {resumption} {requests} requests on a connection");
                checks.check(&name, |subject| serves(subject, &load));
            }
        }
    }
    if !hello.versions.is_empty() {
        let plain = Load { requests_per_connection: 1, body: 1, work_us: 100, ..Load::new(id.clone(), None) };
        checks.check("load without TLS", |subject| serves(subject, &plain));
        let upload = Load { direction: Direction::Upload, body: BODY, ..Load::new(id, None) };
        checks.check("load upload", |subject| takes(subject, &upload));
    }
}

/// Uploads are done by both ends of a worker that claims them, and refused by any other: it must not take them for downloads.
fn takes(subject: &mut Subject<'_>, upload: &Load) -> Result<(), Miss> {
    if subject.hello.loads.iter().any(|word| word == UPLOAD) {
        return serves(subject, upload);
    }
    subject.meet(upload, upload)?;
    Err("takes an upload that it does not claim".into())
}

fn serves(subject: &mut Subject<'_>, load: &Load) -> Result<(), Miss> {
    subject.meet(load, load)?.check(&Workload::Load(load.clone()))?;
    (0..BATCHES).try_for_each(|_| batch(subject, load))
}

/// A batch must be proved by the client, and counted alike by both ends.
fn batch(subject: &mut Subject<'_>, load: &Load) -> Result<(), Miss> {
    let case = subject.case(1, Workload::Load(load.clone()));
    let part = if subject.hello.loads.iter().any(|word| word == PARTS) { PART } else { 0 };
    let before = subject.server()?.usage(SLOT, part)?;
    let (mut sample, proof) = subject.batch_in_parts(&case, REQUESTS, part)?;
    let after = subject.server()?.usage(SLOT, 0)?;
    sample.server = Some(Cpu { total: after.cpu_ns.since(before.cpu_ns), ..Cpu::default() });
    sample.parts.server.clone_from(&after.parts_ns);
    if part > 0 && (sample.parts.client.is_empty() || sample.parts.server.is_empty()) {
        return Err("an end does not tell the parts that it claims to tell".into());
    }
    verify::parts(&case, REQUESTS, part, &sample)?;
    verify::load(load, REQUESTS, Allowed::default(), &before, &after)?;
    if sample.bytes.0 != REQUESTS * u64::from(load.body) {
        return Err(
            format!("{REQUESTS} bodies of {} bytes cannot be {} bytes", load.body, sample.bytes.0).into()
        );
    }
    let served = (after.handshakes - before.handshakes, after.resumed - before.resumed);
    if served != (proof.handshakes, proof.resumed) {
        let asked = (proof.handshakes, proof.resumed);
        return Err(format!(
            "of handshakes and resumptions the server counts {served:?}, the client {asked:?}"
        )
        .into());
    }
    if load.requests_per_connection == 0 && proof.handshakes > 0 {
        let made = proof.handshakes;
        return Err(format!("{made} handshakes were made on connections that are kept alive").into());
    }
    Ok(())
}
