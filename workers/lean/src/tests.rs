//! Loads on servers that are rustls with real cryptography, and on some that misbehave.
#![allow(clippy::unwrap_used)]

mod faults;
mod loads;
mod looks;
pub(crate) mod server;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::Deserializer;
use tlstax_spec::wire::{Target, members};
use tlstax_spec::{Group, Id, Key, Load, Method, Nanos, Params, Sample, Suite, Version};
use tlstax_worker::conformance;
use tlstax_worker::{Adapter as _, JobError, Order, Pki, Prepared, USUAL as PARAMS};

use crate::adapter::Lean;
use crate::job::LeanJob;
use crate::recipe::Recipe;

const PARAMS12: Params = Params { version: Version::Tls12, suite: Suite::EcdheEcdsaAes128Gcm, ..PARAMS };

pub(crate) fn pki() -> Pki {
    Pki::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../pki"))
}

fn load(params: Option<Params>) -> Load {
    Load { connections: 3, requests_per_connection: 1, body: 100, ..Load::new(Id::literal("lean"), params) }
}

fn prepare(load: &Load, threads: u16, port: u16) -> Result<Prepared<'static>, JobError> {
    prepare_for(load, threads, port, None)
}

/// Long enough for a busy machine, short enough for a test of a server that says nothing.
const PATIENCE: Nanos = Nanos::from_millis(1_500);

fn prepare_for(
    load: &Load,
    threads: u16,
    port: u16,
    target: Option<&Target>,
) -> Result<Prepared<'static>, JobError> {
    let pki = pki();
    let order = Order { load, threads, port, target, pki: &pki };
    LeanJob::prepare(Recipe::new(&order)?.impatient(PATIENCE), &order)
}

/// A server of the user's at this address.
pub(crate) fn target(address: &str) -> Target {
    let (address, name) = (address.to_owned(), "server.test".to_owned());
    Target { address, name, path: "/".to_owned(), method: Method::Post }
}

/// Why a load cannot be made.
fn refused(load: &Load, port: u16) -> String {
    prepare(load, 1, port).err().unwrap().to_string()
}

fn latencies(sample: &Sample) -> Histogram<u64> {
    let bytes = STANDARD.decode(sample.latency.as_ref().unwrap()).unwrap();
    Deserializer::new().deserialize(&mut bytes.as_slice()).unwrap()
}

#[test]
fn claims_are_in_the_words_of_the_project() {
    let mut lines = Vec::new();
    let report = conformance::run(&Lean, &pki(), &mut lines).unwrap();
    assert_eq!(report.failed, 0, "{}", String::from_utf8(lines).unwrap());
    let hello = Lean.hello();
    assert!(hello.version.starts_with("rustls 0.23.") && !hello.omits.is_empty());
    assert!(hello.primitives.is_empty());
    assert_eq!(members::<Version>(&hello.versions).len(), hello.versions.len());
    assert_eq!(members::<Suite>(&hello.suites).len(), hello.suites.len());
    assert_eq!(members::<Group>(&hello.groups).len(), hello.groups.len());
    assert_eq!(members::<Key>(&hello.keys).len(), hello.keys.len());
}
