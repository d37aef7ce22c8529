//! A capture of packets: what is not refused is counted, each time alike.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tlstax_doc::{Tool, Workload};
use tlstax_traffic::capture::{self, Capture, CaptureFacts};
use tlstax_traffic::{Tally, Window};

fuzz_target!(|bytes: &[u8]| {
    let Some((workload, facts)) = read(bytes) else { return };
    let source = &workload.sources[0];
    assert_eq!(source.bytes, bytes.len() as u64);
    assert!(workload.shares.iter().all(|share| share.kind.class.as_deref().is_none_or(|class| class == "known")));
    let connections: u64 = workload.shares.iter().map(|share| share.counts.connections).sum();
    assert!(connections + facts.unfinished <= source.entries);
    assert_eq!(read(bytes), Some((workload, facts)));
});

fn read(bytes: &[u8]) -> Option<(Workload, CaptureFacts)> {
    let mut tally = Tally::new(Window::default());
    let class = |name: &[u8]| name.starts_with(b"server").then(|| "known".to_owned());
    let mut capture = Capture::new(&class);
    let result = capture.read(bytes, &mut tally);
    let facts = capture.end(&mut tally);
    assert_eq!(result.is_ok(), capture::first_packet(bytes).is_ok());
    result.ok()?;
    let tool = Tool { name: "tlstax".to_owned(), version: "0.0.0".to_owned(), reference_kernels: 0 };
    Some((tally.into_workload(tool, capture::FORMAT, capture::tells(true)), facts))
}
