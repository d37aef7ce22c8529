//! A line that the orchestrator writes: what can be read comes back as it was read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tlstax_spec::wire::Request;

fuzz_target!(|line: &str| {
    let Ok(request) = Request::decode(line) else { return };
    let again = request.encode();
    assert!(!again.contains('\n'), "{again}");
    assert_eq!(Request::decode(&again).expect("what was written can be read"), request);
});
