//! The conformance suite itself: an honest adapter passes, and each lie is found.
#![allow(clippy::unwrap_used)]

use std::io;
use std::sync::Arc;

use tlstax_spec::wire::Hello;
use tlstax_spec::{Primitive, Side, Suite};

use tlstax_worker::conformance::run;
use tlstax_worker::{
    Adapter, Config, Connection, Control, Endpoint, Inputs, Negotiated, Operation, Pki, Refusal, Transport,
};

/// The control, with one thing wrong; claims little, so that the suite is short.
#[derive(Clone, Copy)]
struct Liar {
    /// What read() gives instead.
    reads: fn(io::Result<usize>) -> io::Result<usize>,
}

const HONEST: Liar = Liar { reads: |result| result };

impl Adapter for Liar {
    fn hello(&self) -> Hello {
        let one = |name: &str| vec![name.to_owned()];
        Hello {
            suites: one(Suite::Aes128Gcm.name()),
            groups: one("X25519"),
            keys: one("rsa-2048"),
            resumptions: vec!["full".to_owned(), "psk".to_owned()],
            ..Control.hello()
        }
    }

    fn primitive(&self, primitive: &Primitive, inputs: &Inputs) -> Result<Box<dyn Operation>, Refusal> {
        Control.primitive(primitive, inputs)
    }

    fn config(&self, side: Side, endpoint: &Endpoint<'_>) -> Result<Arc<dyn Config>, Refusal> {
        Ok(Arc::new(LiarConfig { honest: Control.config(side, endpoint)?, liar: *self }))
    }
}

struct LiarConfig {
    honest: Arc<dyn Config>,
    liar: Liar,
}

impl Config for LiarConfig {
    fn connect(&self, transport: Box<dyn Transport>) -> io::Result<Box<dyn Connection>> {
        Ok(Box::new(LiarConnection { honest: self.honest.connect(transport)?, liar: self.liar }))
    }
}

struct LiarConnection {
    honest: Box<dyn Connection>,
    liar: Liar,
}

impl Connection for LiarConnection {
    fn handshake(&mut self) -> io::Result<()> {
        self.honest.handshake()
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (self.liar.reads)(self.honest.read(buffer))
    }

    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.honest.write(data)
    }

    fn close(&mut self) -> io::Result<()> {
        self.honest.close()
    }

    fn negotiated(&self) -> Negotiated {
        self.honest.negotiated()
    }
}

/// The names of the checks that fail.
fn failures(adapter: &dyn Adapter) -> Vec<String> {
    let mut output = Vec::new();
    let report =
        run(adapter, &Pki::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../pki")), &mut output).unwrap();
    let text = String::from_utf8(output).unwrap();
    let failures: Vec<String> =
        text.lines().filter_map(|line| line.strip_prefix("FAIL  ")).map(str::to_owned).collect();
    assert_eq!(report.failed, failures.len(), "{text}");
    let total = format!("{} passed, {} failed, {} skipped", report.passed, report.failed, report.skipped);
    assert_eq!(text.lines().last(), Some(total.as_str()));
    assert!(report.passed > 5, "{text}");
    failures
}

#[test]
fn an_honest_adapter_passes() {
    assert_eq!(failures(&HONEST), [""; 0]);
}

#[test]
fn a_truncation_that_passes_for_a_close_is_found() {
    let reads = |result: io::Result<usize>| match result {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(0),
        other => other,
    };
    let failures = failures(&Liar { reads });
    assert_eq!(failures.len(), 2, "{failures:?}");
    assert!(failures.iter().all(|failure| failure.starts_with("truncation")), "{failures:?}");
}

#[test]
fn damage_that_goes_unnoticed_is_found() {
    let reads = |result: io::Result<usize>| match result {
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Ok(9),
        other => other,
    };
    let failures = failures(&Liar { reads });
    assert_eq!(failures.len(), 4, "{failures:?}");
    assert!(
        failures[0].starts_with("damaged record") && failures[1].starts_with("oversized record"),
        "{failures:?}"
    );
}
