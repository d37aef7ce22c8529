//! Logs of Zeek: a header is refused, or what is behind it is counted.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tlstax_traffic::ZeekLog;

#[path = "../shared/traffic.rs"]
mod traffic;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(log) = ZeekLog::of_header(bytes.split(|byte| *byte == b'\n')) {
        traffic::check(log, bytes);
    }
});
