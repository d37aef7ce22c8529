//! Reading a capture, and what is looked at of a workload.

use tlstax_doc::{PassedOver, Tool, Workload};
use tlstax_traffic::capture::{self, Capture, CaptureFacts};
use tlstax_traffic::{Tally, Window};

pub fn tool() -> Tool {
    Tool { name: "tlstax".to_owned(), version: "0".to_owned(), reference_kernels: 0 }
}

/// What is counted of files that follow each other.
pub fn all(files: &[Vec<u8>]) -> (Workload, CaptureFacts) {
    let mut tally = Tally::new(Window::default());
    let class = |name: &[u8]| name.ends_with(b".test").then(|| "test".to_owned());
    let open = |file: usize| Ok(files[file].as_slice());
    let facts = capture::read_all(files.len(), open, &class, &mut tally).unwrap();
    (tally.into_workload(tool(), capture::FORMAT, capture::tells(true)), facts)
}

pub fn one(file: &[u8]) -> (Workload, CaptureFacts) {
    all(&[file.to_vec()])
}

/// What is counted of a file of any content, if it is a capture.
pub fn any(file: &[u8]) -> Option<Workload> {
    let mut tally = Tally::new(Window::default());
    let mut capture = Capture::new(&|_| None);
    let read = capture.read(file, &mut tally);
    capture.end(&mut tally);
    read.is_ok().then(|| tally.into_workload(tool(), capture::FORMAT, []))
}

/// A line for each kind: what it is, and how many connections, failed handshakes, and bytes from the server and from the client
/// there were of it.
pub fn shares(workload: &Workload) -> Vec<String> {
    let line = |share: &tlstax_doc::Share| {
        let kind = serde_json::to_value(&share.kind).unwrap();
        let fields = ["class", "protocol", "suite", "group", "key", "resumed", "http"];
        let words: Vec<&str> = fields.iter().filter_map(|field| kind.get(*field)?.as_str()).collect();
        let counts = share.counts;
        format!(
            "{}: {} and {} failed, {} out, {} in",
            words.join(" "),
            counts.connections,
            counts.failed_handshakes,
            counts.out.bytes,
            counts.into.bytes
        )
    };
    workload.shares.iter().map(line).collect()
}

/// How many packets were passed over for this reason.
pub fn passed_over(workload: &Workload, why: PassedOver) -> u64 {
    workload.sources[0].passed_over.get(&why).copied().unwrap_or(0)
}
