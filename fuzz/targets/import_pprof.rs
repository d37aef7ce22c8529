//! A profile of pprof: what is not refused becomes a profile.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tlstax_observe::Format;

#[path = "../shared/import.rs"]
mod import;

fuzz_target!(|bytes: &[u8]| import::check(bytes, Format::Pprof));
