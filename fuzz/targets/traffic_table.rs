//! Tables: a header is refused without being repeated, or the rows behind it are counted.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tlstax_traffic::Table;

#[path = "../shared/traffic.rs"]
mod traffic;

fuzz_target!(|bytes: &[u8]| {
    let header = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    if let Ok(table) = Table::of_header(header) {
        traffic::check(table, bytes);
    }
});
