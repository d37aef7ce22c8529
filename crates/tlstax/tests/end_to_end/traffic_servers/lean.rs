//! The lean client, asked by the protocol itself: what it has offered is known to the last connection.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use super::known::{Kind, Known};
use crate::stage::{root, worker};

/// Places for connections of a load, each of which has one after another.
const CONNECTIONS: u64 = 4;

/// Sessions that a load collects beside one for each place, each by a full handshake and a request: `SPARE_SESSIONS` of the client.
const SPARE_SESSIONS: u64 = 16;

const GROUP: &str = "X25519";

/// Requests on connections that have a version, a suite and a way to resume in common.
pub struct Offer {
    pub version: &'static str,
    pub suite: &'static str,
    /// `full`, or what sessions are resumed by.
    pub resumption: &'static str,
    /// Of a hundred connections so many resume.
    pub resumed_percent: u64,
    pub requests_per_connection: u64,
    pub requests: u64,
    /// A file of the server and its size.
    pub file: (&'static str, u64),
}

pub struct Lean {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Lean {
    pub fn start() -> Self {
        let mut child =
            Command::new(worker("lean")).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut lean = Self { child, input, output };
        lean.ask(&json!({ "do": "hello", "protocol": 2, "pki": root().join("pki") }), "hello");
        lean
    }

    /// Makes a load on a port of loopback, and notes what it was.
    pub fn offer(&mut self, port: u16, offer: &Offer, known: &mut Known) {
        let ready = self.ask(&prepare(port, offer), "ready");
        let run = json!({ "do": "run", "slot": 1, "iterations": offer.requests, "warmup": 0 });
        let sample = self.ask(&run, "sampled");
        assert_eq!(sample["iterations"], offer.requests, "{sample}");
        self.ask(&json!({ "do": "release", "slot": 1 }), "released");
        let primes = if offer.resumption == "full" { 0 } else { CONNECTIONS + SPARE_SESSIONS };
        let sum = |field: &str| [&ready, &sample].map(|answer| answer[field].as_u64().unwrap()).iter().sum();
        let (handshakes, resumed): (u64, u64) = (sum("handshakes"), sum("resumed"));
        let kind = |resumed: &str| Kind::of([offer.version, offer.suite, GROUP, resumed]);
        known.connect(kind("full"), primes + handshakes - resumed);
        known.connect(kind(offer.resumption), resumed);
        // The trial makes one on each connection.
        let requests = primes + CONNECTIONS + offer.requests;
        known.request([offer.version, offer.suite], offer.file.1, requests);
    }

    fn ask(&mut self, request: &Value, wanted: &str) -> Value {
        writeln!(self.input, "{request}").unwrap();
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap_or_default();
        assert_eq!(answer["is"], wanted, "{request}: {line}");
        answer
    }
}

impl Drop for Lean {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn prepare(port: u16, offer: &Offer) -> Value {
    let (path, body) = offer.file;
    let mut request = json!({
        "do": "prepare", "slot": 1, "end": "client", "port": port, "address": "127.0.0.1", "server_name": "server.test",
        "path": path, "library": "external", "kind": "load", "version": offer.version, "suite": offer.suite,
        "group": GROUP, "key": "ecdsa-p256", "resumption": offer.resumption, "connections": CONNECTIONS, "client": "lean",
        "requests_per_connection": offer.requests_per_connection, "body": body, "work_us": 0,
    });
    if offer.resumption != "full" {
        request["resumed_percent"] = offer.resumed_percent.into();
    }
    request
}
