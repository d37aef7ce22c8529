//! The client as the SDK sees it: a worker that has nothing to measure but loads.

use std::collections::BTreeSet;
use std::sync::Arc;

use tlstax_spec::wire::{Hello, PROTOCOL, Sight, Target};
use tlstax_spec::{Group, Key, Primitive, Resumption, Side, Version};
use tlstax_worker::{
    Adapter, Config, Endpoint, Inputs, JobError, Operation, Order, Prepared, Refusal, names,
};

use crate::job::LeanJob;
use crate::recipe::Recipe;
use crate::{look, provider};

pub(crate) struct Lean;

/// Everything beyond downloads over HTTP/1.1 in a closed loop.
const LOADS: [&str; 6] = ["h2", "rate", "early-data", "mix", "threads", "target"];

/// What a full client does and this one does not.
const OMITS: [&str; 10] = [
    "its private key is 1 in every group, so that neither a key pair nor a shared secret has to be computed; the server's \
     work is the usual",
    "in ML-KEM its secret and error vectors are zero, so that decapsulation is one hash",
    "certificates are compared with those in pki/, byte by byte, and not verified, and signatures are not verified, except \
     on one connection in TLSTAX_VERIFY_SAMPLE (1000; 0 is none), and never for ML-DSA",
    "of a server that the user named, any first certificate with the key of the case is taken, and later ones must be the \
     same",
    "over HTTP/1.1, records behind the one with the response's head are counted by their headers and thrown away in the \
     kernel, neither decrypted nor authenticated",
    "it sleeps through up to a quarter of a megabyte of a body that it throws away (SO_RCVLOWAT)",
    "on a connection that the server closes behind a response of up to 32 KiB it sleeps until the close, so that the latency \
     of that response contains the close",
    "it looks for responses awake instead of sleeping, where it has a core to itself, and leaves the CPU time of looking in vain out: what \
     sleeping and being woken costs a client is not in its figures",
    "its random numbers are predictable",
    "without a resumption in the case it drops session tickets unread",
];

impl Adapter for Lean {
    fn hello(&self) -> Hello {
        let suites: Vec<_> = provider::suites().collect();
        let versions: BTreeSet<_> = suites.iter().map(|suite| suite.version()).collect();
        Hello {
            protocol: PROTOCOL,
            family: "lean".into(),
            version: format!(
                "rustls {} with unit key shares and ring {}",
                env!("TLSTAX_RUSTLS_VERSION"),
                env!("TLSTAX_RING_VERSION")
            ),
            build: format!("{}, opt-level {}", env!("TLSTAX_COMPILER"), env!("TLSTAX_OPT_LEVEL")),
            versions: names(versions),
            suites: names(suites),
            groups: names(Group::ALL),
            // A signature that is not checked can be of any kind.
            keys: names(Key::ALL),
            resumptions: names(Resumption::ALL),
            loads: names(LOADS),
            omits: names(OMITS),
            ..Hello::default()
        }
    }

    fn primitive(&self, _: &Primitive, _: &Inputs) -> Result<Box<dyn Operation>, Refusal> {
        Err(no_library())
    }

    fn config(&self, _: Side, _: &Endpoint<'_>) -> Result<Arc<dyn Config>, Refusal> {
        Err(no_library())
    }

    fn look(&self, port: u16, target: &Target, version: Option<Version>) -> Result<Sight, Refusal> {
        look::look(port, target, version)
    }

    fn client(&self, order: &Order<'_>) -> Option<Result<Prepared<'static>, JobError>> {
        Some(Recipe::new(order).and_then(|recipe| LeanJob::prepare(recipe, order)))
    }
}

fn no_library() -> Refusal {
    Refusal::Unsupported("the lean client only makes loads; it is no library".to_owned())
}
