//! Whether a server that wants a certificate refuses a client that has none.

use std::io;

use tlstax_spec::wire::members;
use tlstax_spec::{Params, Version};

use super::checks::{Checks, Miss};
use crate::adapter::{Adapter, Endpoint};
use crate::control::CONTROL;
use crate::laps::Laps;
use crate::pair::{Ends, Pair, endpoint};
use crate::pipe::Wire;
use crate::pki::Pki;

pub(super) fn check(checks: &mut Checks<'_>) -> io::Result<()> {
    for version in members::<Version>(&checks.hello.versions) {
        let Some(params) = checks.hello.usual(version) else { continue };
        checks.check(&format!("refused {version} client without certificate"), |adapter, pki| {
            if adapter.hello().family == CONTROL {
                return Err(Miss::Skipped("without crypto nothing is verified".to_owned()));
            }
            is_refused(adapter, params, pki)
        })?;
    }
    Ok(())
}

fn is_refused(adapter: &dyn Adapter, params: Params, pki: &Pki) -> Result<(), Miss> {
    let mut ends = Ends::new(adapter, &endpoint(params, pki))?;
    ends.server = Ends::new(adapter, &Endpoint { mutual: true, ..endpoint(params, pki) })?.server;
    match Pair::connect(&ends, &Wire::default(), &mut Laps::start(1)) {
        Err(_) => Ok(()),
        Ok(pair) => Err(Miss::failed(format!("it was accepted: {:?}", pair.client.negotiated()))),
    }
}
