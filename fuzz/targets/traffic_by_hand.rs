//! Workloads by hand: an error names the file; what is none adds up.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tlstax_traffic::by_hand;

#[path = "../shared/traffic.rs"]
#[allow(dead_code)]
mod traffic;

fuzz_target!(|text: &str| {
    match by_hand(text, "given.toml", traffic::tool()) {
        Ok(workload) => {
            let requests: u64 = workload.shares.iter().map(|share| share.counts.requests).sum();
            let dated: u64 = workload.series.buckets.iter().map(|bucket| bucket.requests).sum();
            assert_eq!(requests, dated);
            traffic::check_document(&workload);
        }
        Err(error) => assert!(error.to_string().starts_with("given.toml: "), "{error}"),
    }
});
