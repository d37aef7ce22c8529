//! What the tests of all clients need.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use tlstax_measure::program::Finished;
use tlstax_spec::{Group, Id, Key, Load, Nanos, Params, Suite, Version};

use super::client::{Client, Order, Summary};
use super::running;

/// A program that ended with this exit code and this output.
pub fn finished(status: i32, stdout: &str, stderr: &str) -> Finished {
    Finished {
        status: ExitStatus::from_raw(status << 8),
        stdout: stdout.to_owned(),
        stderr: stderr.to_owned(),
        wall: Nanos(1),
        cpu: Default::default(),
    }
}

pub fn order(load: &Load, requests: u64) -> Order<'_> {
    Order { load, port: 8443, requests, expected: Nanos(1), root: "root.pem".into(), upload: "body".into() }
}

/// Bodies of 1024 bytes over plain HTTP, on so many connections.
pub fn load(connections: u32) -> Load {
    Load { connections, body: 1024, ..Load::new(Id::literal("client"), None) }
}

/// What is read of a client that was to make so many requests.
///
/// # Errors
/// What the client printed is not understood.
pub fn summary_of(
    client: &Client,
    load: &Load,
    requests: u64,
    finished: Finished,
) -> Result<Summary, String> {
    running::checked_summary(client, &order(load, requests), &finished)
}

/// The same of one that printed this and ended well.
pub fn read(client: &Client, requests: u64, stdout: &str) -> Result<Summary, String> {
    summary_of(client, &load(1), requests, finished(0, stdout, ""))
}

pub fn params(version: Version) -> Params {
    let suite = match version {
        Version::Tls13 => Suite::Aes128Gcm,
        _ => Suite::EcdheEcdsaAes128Gcm,
    };
    Params { version, suite, group: Some(Group::X25519), key: Key::EcdsaP256 }
}
