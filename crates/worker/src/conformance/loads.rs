//! Whether both ends of a load do in every batch what they say: on new connections, and on those that are kept alive.

use std::io;

use tlstax_spec::{Case, Id, Load, Resumption, Side, Version, Workload};

use super::{Checks, Miss, claimed};
use crate::adapter::Adapter;
use crate::job::{Job, prepare};
use crate::pki::Pki;

/// Connections that are kept alive outlast the first batch, so that the others make no handshake.
const BATCHES: usize = 3;

/// More than the connections, so that each is used several times.
const REQUESTS: u64 = 40;
const CONNECTIONS: u32 = 8;

/// More than a record.
const BODY: u32 = 20_000;

pub(super) fn check(checks: &mut Checks<'_>) -> io::Result<()> {
    let kinds: Vec<Resumption> = claimed(&checks.hello.resumptions);
    for version in claimed::<Version>(&checks.hello.versions) {
        let Some(params) = checks.hello.usual(version) else { continue };
        // The embedded server of a load takes no early data.
        let kinds = kinds.iter().filter(|kind| kind.fits(version) && **kind != Resumption::EarlyData);
        for &resumption in kinds {
            for (requests_per_connection, what) in
                [(0, "kept alive"), (1, "one request"), (3, "three requests")]
            {
                let load = Load {
                    resumption,
                    requests_per_connection,
                    connections: CONNECTIONS,
                    body: BODY,
                    ..Load::new(Id::nearest(&checks.hello.family), Some(params))
                };
                checks.check(&format!("load {version} {resumption} {what}"), |adapter, pki| {
                    serves(adapter, load, pki)
                })?;
            }
        }
    }
    Ok(())
}

fn serves(adapter: &dyn Adapter, load: Load, pki: &Pki) -> Result<(), Miss> {
    let case = Case { library: load.client.clone(), threads: 1, workload: Workload::Load(load) };
    let mut server = prepare(adapter, &case, Some(Side::Server), None, None, pki)?;
    let mut client = prepare(adapter, &case, Some(Side::Client), server.port, None, pki)?;
    (0..BATCHES).try_for_each(|_| batch(&case, &mut *server.job, &mut *client.job))
}

/// A batch must be proven by the client, and counted alike by both ends.
fn batch(case: &Case, server: &mut dyn Job, client: &mut dyn Job) -> Result<(), Miss> {
    let before = server.usage()?;
    let (_, proof) = client.run(REQUESTS, 0)?;
    let after = server.usage()?;
    proof.check(&case.workload).map_err(|mismatch| Miss::Failed(mismatch.to_string()))?;
    let told = (REQUESTS, proof.handshakes, proof.resumed);
    let counted = (
        after.requests - before.requests,
        after.handshakes - before.handshakes,
        after.resumed - before.resumed,
    );
    if counted != told {
        return Err(Miss::Failed(format!(
            "of requests, handshakes and resumptions the server counts {counted:?}, the client {told:?}"
        )));
    }
    match &case.workload {
        Workload::Load(load) if load.requests_per_connection == 0 && proof.handshakes > 0 => {
            Err(Miss::Failed(format!(
                "{} handshakes were made on connections that are kept alive",
                proof.handshakes
            )))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::Arc;

    use tlstax_spec::wire::Hello;
    use tlstax_spec::{Group, Key, Params, Primitive, Proof, Sample, Suite};

    use super::*;
    use crate::adapter::{Config, Endpoint, Operation, Order, Refusal};
    use crate::control::Control;
    use crate::inputs::Inputs;
    use crate::job::{JobError, Prepared};
    use crate::load::ClientJob;

    /// A client that knows what it has negotiated only in the batch in which it did.
    struct Forgetful;

    struct ForgetfulJob<'a>(Box<dyn Job + 'a>);

    impl Adapter for Forgetful {
        fn hello(&self) -> Hello {
            Control.hello()
        }

        fn primitive(&self, primitive: &Primitive, inputs: &Inputs) -> Result<Box<dyn Operation>, Refusal> {
            Control.primitive(primitive, inputs)
        }

        fn config(&self, side: Side, endpoint: &Endpoint<'_>) -> Result<Arc<dyn Config>, Refusal> {
            Control.config(side, endpoint)
        }

        fn client(&self, order: &Order<'_>) -> Option<Result<Prepared<'static>, JobError>> {
            let honest = ClientJob::prepare(&Control, order);
            Some(honest.map(|made| Prepared { job: Box::new(ForgetfulJob(made.job)), ..made }))
        }
    }

    impl Job for ForgetfulJob<'_> {
        fn run(&mut self, iterations: u64, warmup: u64) -> Result<(Sample, Proof), JobError> {
            let (sample, proof) = self.0.run(iterations, warmup)?;
            Ok((sample, if proof.handshakes == 0 { Proof::default() } else { proof }))
        }
    }

    fn outcome(adapter: &dyn Adapter, requests_per_connection: u32) -> Result<(), Miss> {
        let params = Params {
            version: Version::Tls13,
            suite: Suite::Aes128Gcm,
            group: Some(Group::X25519),
            key: Key::EcdsaP256,
        };
        let load = Load {
            requests_per_connection,
            connections: 2,
            ..Load::new(Id::literal("control"), Some(params))
        };
        serves(adapter, load, &Pki::new("pki"))
    }

    #[test]
    fn d20_a_client_that_forgets_what_its_kept_connections_negotiated_is_found() {
        for requests in [0, 1, 3] {
            outcome(&Control, requests).unwrap();
        }
        outcome(&Forgetful, 1).unwrap();
        let miss = outcome(&Forgetful, 0).unwrap_err();
        assert!(matches!(&miss, Miss::Failed(why) if why.contains("negotiated none")), "{miss:?}");
    }
}
