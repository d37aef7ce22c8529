//! What records add to data.

use tlstax_spec::{Suite, SuiteFacts};

/// The header of a record (RFC 8446, 5.1; RFC 5246, 6.2.1).
const HEADER: u32 = 5;

/// Bytes that a record of so much data has more than the data.
///
/// - TLS 1.3 (RFC 8446, 5.2): header, the type of what is within, tag.
/// - TLS 1.2 with AES-GCM (RFC 5288, 3) and AES-CCM (RFC 6655, 3): header, 8 bytes of nonce, tag; with ChaCha20-Poly1305 (RFC 7905, 2)
///   no nonce.
/// - CBC (RFC 5246, 6.2.3.2): header, one block before the data, MAC, and padding to whole blocks.
/// - RC4 and NULL (RFC 5246, 6.2.3.1): header and MAC.
pub fn record_overhead(suite: Suite, data: u32) -> u32 {
    let facts = SuiteFacts::of(suite.name());
    if facts.mac == "AEAD" {
        let tag = if facts.cipher.ends_with("CCM-8") { 8 } else { 16 };
        return match () {
            () if facts.tls13 => HEADER + 1 + tag,
            () if facts.cipher.starts_with("CHACHA20") => HEADER + tag,
            () => HEADER + 8 + tag,
        };
    }
    let mac = match facts.mac.as_str() {
        "HMAC-MD5" => 16,
        "HMAC-SHA256" => 32,
        "HMAC-SHA384" => 48,
        _ => 20,
    };
    if !facts.cipher.ends_with("CBC") {
        return HEADER + mac;
    }
    let block = if facts.cipher.starts_with("3DES") { 8 } else { 16 };
    // The length of the padding takes a byte itself.
    let padded = (data + mac + 1).div_ceil(block) * block;
    HEADER + block + padded - data
}
