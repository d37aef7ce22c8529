//! Whether a worker tells what the parts of a batch took, as it was asked for.

use tlstax_spec::{Bulk, Case, Nanos, Params, Parts, Sample, Workload};

use super::checks::Checks;
use super::conversation::primitive;
use super::handshakes::full;
use super::subject::{Miss, Subject};
use crate::session::PARTS_PROTOCOL;
use crate::verify;

/// Parts of a batch.
const PARTS: u64 = 8;

/// A part takes no less: beside the whole, one more reading of the clock is nothing.
const LONG: Nanos = Nanos(500_000);

/// However short an iteration is, a part has no more of them.
const MOST: u64 = 1 << 20;

/// What is interrupted between the end of the last part and that of the batch is no fault of the worker's, and rare.
const TRIES: u32 = 5;

pub(super) fn check(checks: &mut Checks<'_>) {
    let hello = &checks.subject.hello;
    let params = hello.combinations().first().copied();
    let works = [
        ("a primitive", primitive(hello).map(Workload::Primitive)),
        ("handshakes", params.map(|params| Workload::Handshake(full(params)))),
        ("bulk", params.map(|params| Workload::Bulk(bulk(params)))),
    ];
    for (name, workload) in works {
        let Some(workload) = workload else { continue };
        checks.check(&format!("parts of {name}"), |subject| tells_parts(subject, workload));
    }
}

fn bulk(params: Params) -> Bulk {
    Bulk { buffer: 65_536, ..Bulk::usual(params) }
}

fn tells_parts(subject: &mut Subject<'_>, workload: Workload) -> Result<(), Miss> {
    let protocol = subject.hello.protocol;
    if protocol < PARTS_PROTOCOL {
        return Err(Miss::Skipped(format!("its worker speaks protocol {protocol}, which has no parts")));
    }
    subject.prepare(1, workload.clone())?;
    let case = subject.case(1, workload);
    let part = long_enough(subject, &case)?;
    let mut problem = String::new();
    for _ in 0..TRIES {
        let sample = subject.batch_in_parts(&case, PARTS * part, part)?.0;
        are_of_its_kind(&case, &sample.parts)?;
        match verify::parts(&case, PARTS * part, part, &sample) {
            Ok(()) => return Ok(subject.worker()?.release(super::subject::SLOT)?),
            Err(wrong) => problem = wrong,
        }
    }
    Err(problem.into())
}

/// So many iterations that a part of them is long. None of these batches is asked for in parts, so none may have any.
fn long_enough(subject: &mut Subject<'_>, case: &Case) -> Result<u64, Miss> {
    let mut iterations = 1;
    loop {
        let Sample { wall, parts, .. } = subject.batch(case, iterations)?.0;
        if !parts.is_empty() {
            return Err("tells parts of a batch that was not asked for in parts".into());
        }
        if wall >= LONG || iterations >= MOST {
            return Ok(iterations);
        }
        iterations *= 4;
    }
}

/// Work with two sides has the parts of both, other work those of the whole.
fn are_of_its_kind(case: &Case, parts: &Parts) -> Result<(), Miss> {
    if parts.is_empty() {
        return Err(Miss::Skipped("it tells no parts of a batch".to_owned()));
    }
    let told = [&parts.whole, &parts.client, &parts.server].map(|parts| !parts.is_empty());
    match (&case.workload, told) {
        (Workload::Primitive(_), [true, false, false]) => Ok(()),
        (Workload::Primitive(_), _) => {
            Err("the parts of a primitive have no sides: they are parts_ns".into())
        }
        (_, [false, true, true]) => Ok(()),
        _ => Err("the parts of both sides are asked for: client_parts_ns and server_parts_ns".into()),
    }
}
