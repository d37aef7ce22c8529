//! Whether primitives compute what they must.

use std::io;

use tlstax_spec::known_answers::name;
use tlstax_spec::{Algorithm, Class, Op, Pattern, Primitive};

use super::{Checks, Miss, claimed};
use crate::adapter::{Adapter, Refusal};
use crate::inputs::Inputs;
use crate::job::JobError;
use crate::pki::Pki;
use crate::primitive::{PrimitiveJob, check_known_answers};
use crate::setup;

/// Sizes around which libraries change their code path: one block, a packet, a whole record.
const SIZES: [u32; 3] = [16, 1350, 16_384];

/// Calls in a batch: enough to run through several nonces.
const CALLS: u64 = 5;

pub(super) fn check(checks: &mut Checks<'_>) -> io::Result<()> {
    let hello = checks.hello.clone();
    let patterns: Vec<Pattern> = claimed(&hello.patterns);
    for (algorithm, op) in every() {
        let name = name(algorithm, op);
        let primitive = Primitive { op, algorithm, size: 0, pattern: Pattern::Tls };
        if !hello.primitives.contains(&name) {
            checks.check(&format!("unclaimed {name}"), |adapter, pki| is_refused(adapter, primitive, pki))?;
            continue;
        }
        checks.check(&format!("known answer {name}"), |adapter, pki| {
            check_known_answers(adapter, primitive, pki).map_err(|error| Miss::Failed(error.to_string()))
        })?;
        for &pattern in &patterns {
            let primitive = Primitive { pattern, ..primitive };
            checks.check(&format!("runs {name} {pattern}"), |adapter, pki| runs(adapter, primitive, pki))?;
        }
        if op == Op::Verify {
            checks
                .check(&format!("forgery {name}"), |adapter, pki| refuses_forgery(adapter, primitive, pki))?;
        }
    }
    Ok(())
}

/// The first claim that names no operation.
pub(super) fn unknown_names(claims: &[String]) -> Result<(), Miss> {
    let known = |claim: &&String| every().any(|(algorithm, op)| name(algorithm, op) == **claim);
    match claims.iter().find(|claim| !known(claim)) {
        Some(claim) => Err(Miss::Failed(format!("claims '{claim}', which is no operation of any algorithm"))),
        None => Ok(()),
    }
}

fn every() -> impl Iterator<Item = (Algorithm, Op)> {
    Algorithm::ALL.iter().flat_map(|&algorithm| algorithm.ops().iter().map(move |&op| (algorithm, op)))
}

/// What is not claimed is a hole with a reason, and no failure.
fn is_refused(adapter: &dyn Adapter, primitive: Primitive, pki: &Pki) -> Result<(), Miss> {
    let primitive =
        Primitive { size: if primitive.algorithm.class().is_sized() { 64 } else { 0 }, ..primitive };
    let inputs = Inputs::new(&primitive, pki).map_err(JobError::preparing)?;
    match setup::operation(adapter, &primitive, &inputs) {
        Err(Refusal::Unsupported(reason)) => Err(Miss::Skipped(reason)),
        Err(Refusal::Failed(message)) => {
            Err(Miss::Failed(format!("must be refused as unsupported: {message}")))
        }
        Ok(_) => Err(Miss::Skipped("the library has it and does not claim it".to_owned())),
    }
}

/// It runs at several sizes and on two threads.
fn runs(adapter: &dyn Adapter, primitive: Primitive, pki: &Pki) -> Result<(), Miss> {
    let sizes: &[u32] = if primitive.algorithm.class().is_sized() { &SIZES } else { &[0] };
    for &size in sizes {
        let primitive = Primitive { size, ..primitive };
        let mut prepared = PrimitiveJob::prepare(adapter, primitive, 2, pki)?;
        prepared.job.run(CALLS, 1)?;
    }
    Ok(())
}

/// A signature with one bit changed must not pass.
fn refuses_forgery(adapter: &dyn Adapter, primitive: Primitive, pki: &Pki) -> Result<(), Miss> {
    debug_assert_eq!(primitive.algorithm.class(), Class::Signature);
    let mut inputs = Inputs::new(&primitive, pki).map_err(JobError::preparing)?;
    // The last byte belongs to a number in every format, never to a tag or a length.
    if let Some(last) = inputs.signature.last_mut() {
        *last ^= 1;
    }
    let Ok(mut operation) = adapter.primitive(&primitive, &inputs) else { return Ok(()) };
    if operation.answer().is_ok() && operation.run(1).is_ok() {
        return Err(Miss::failed("a signature with one bit changed passes"));
    }
    Ok(())
}
