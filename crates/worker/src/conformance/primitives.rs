//! Whether a signature that is none is refused.

use std::io;

use tlstax_spec::known_answers::{name, operations};
use tlstax_spec::{Op, Pattern, Primitive};

use super::checks::{Checks, Miss};
use crate::adapter::Adapter;
use crate::inputs::Inputs;
use crate::job::JobError;
use crate::pki::Pki;

pub(super) fn check(checks: &mut Checks<'_>) -> io::Result<()> {
    for (algorithm, op) in operations() {
        let name = name(algorithm, op);
        if op == Op::Verify && checks.hello.primitives.contains(&name) {
            let primitive = Primitive { op, algorithm, size: 0, pattern: Pattern::Tls };
            checks
                .check(&format!("forgery {name}"), |adapter, pki| refuses_forgery(adapter, primitive, pki))?;
        }
    }
    Ok(())
}

/// A signature with one bit changed must not pass.
fn refuses_forgery(adapter: &dyn Adapter, primitive: Primitive, pki: &Pki) -> Result<(), Miss> {
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
