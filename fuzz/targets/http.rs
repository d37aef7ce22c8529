//! The heads of HTTP messages, as both ends of a load read them from a socket.
#![no_main]

use libfuzzer_sys::fuzz_target;

/// The reader is no part of the SDK's interface, so its files are compiled here.
#[path = "../../crates/worker/src/heads.rs"]
mod heads;

#[expect(dead_code, reason = "the file also writes")]
#[path = "../../crates/worker/src/load/http.rs"]
mod http;

mod pki {
    pub const SERVER_NAME: &str = "localhost";
}

fuzz_target!(|bytes: &[u8]| {
    if let Ok(Some(head)) = http::parse_request(bytes) {
        assert!(0 < head.length && head.length <= bytes.len());
        // However the bytes arrive, the head ends where it ends.
        assert_eq!(http::parse_request(&bytes[..head.length]).expect("it is the same head"), Some(head));
    }
    if let Ok(Some(head)) = http::parse_response(bytes) {
        assert!(0 < head.length && head.length <= bytes.len());
        assert_eq!(http::parse_response(&bytes[..head.length]).expect("it is the same head"), Some(head));
    }
});
