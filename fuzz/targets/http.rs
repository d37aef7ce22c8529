//! The heads of HTTP messages, as both ends of a load read them from a socket.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tlstax_spec::Direction;

/// The reader is no part of the SDK's interface, so its files are compiled here.
#[path = "../../crates/worker/src/heads.rs"]
mod heads;

#[expect(dead_code, reason = "the file also has what both ends say and the reader does not")]
#[path = "../../crates/worker/src/load/http.rs"]
mod http;

use http::Takes;

fuzz_target!(|bytes: &[u8]| {
    for takes in [Takes::Get, Takes::File(3), Takes::Form(3)] {
        if let Ok(Some(head)) = http::parse_request(bytes, takes) {
            assert!(0 < head.length && head.length <= bytes.len());
            // However the bytes arrive, the head ends where it ends.
            let again = http::parse_request(&bytes[..head.length], takes).expect("it is the same head");
            assert_eq!(again, Some(head));
        }
    }
    for direction in [Direction::Download, Direction::Upload] {
        if let Ok(Some(head)) = http::parse_response(bytes, direction) {
            assert!(0 < head.length && head.length <= bytes.len());
            let again = http::parse_response(&bytes[..head.length], direction).expect("it is the same head");
            assert_eq!(again, Some(head));
        }
    }
});
