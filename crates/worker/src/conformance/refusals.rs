//! Whether a signature that is none is refused, and a client without the certificate that the server wants.

use std::io;

use tlstax_spec::known_answers::{name, operations};
use tlstax_spec::wire::members;
use tlstax_spec::{Op, Params, Pattern, Primitive, Version};

use super::checks::{Checks, Miss};
use crate::adapter::{Adapter, Endpoint};
use crate::control::CONTROL;
use crate::inputs::Inputs;
use crate::job::JobError;
use crate::laps::Laps;
use crate::pair::{Ends, Pair, endpoint};
use crate::pipe::Wire;
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
    for version in members::<Version>(&checks.hello.versions) {
        let Some(params) = checks.hello.usual(version) else { continue };
        checks.check(&format!("refused {version} client without certificate"), |adapter, pki| {
            if adapter.hello().family == CONTROL {
                return Err(Miss::Skipped("without crypto nothing is verified".to_owned()));
            }
            refuses_client(adapter, params, pki)
        })?;
    }
    Ok(())
}

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

fn refuses_client(adapter: &dyn Adapter, params: Params, pki: &Pki) -> Result<(), Miss> {
    let mut ends = Ends::new(adapter, &endpoint(params, pki))?;
    ends.server = Ends::new(adapter, &Endpoint { mutual: true, ..endpoint(params, pki) })?.server;
    match Pair::connect(&ends, &Wire::default(), &mut Laps::start(1)) {
        Err(_) => Ok(()),
        Ok(pair) => Err(Miss::failed(format!("it was accepted: {:?}", pair.client.negotiated()))),
    }
}
