//! Values as they cross the boundary to C.

use std::ffi::{CStr, CString, c_char, c_int};

use tlstax_spec::{Compression, Group, Resumption, Version};
use tlstax_worker::Refusal;

use crate::ffi;

pub fn version_code(version: Version) -> c_int {
    match version {
        Version::Tls10 => 0x0301,
        Version::Tls11 => 0x0302,
        Version::Tls12 => 0x0303,
        Version::Tls13 => 0x0304,
    }
}

pub fn group_code(group: Group) -> c_int {
    match group {
        Group::X25519 => 0x001d,
        Group::Secp256r1 => 0x0017,
        Group::Secp384r1 => 0x0018,
        Group::Secp521r1 => 0x0019,
        Group::X25519MlKem768 => 0x11ec,
        Group::Secp256r1MlKem768 => 0x11eb,
        Group::Secp384r1MlKem1024 => 0x11ed,
        Group::Ffdhe2048 => 0x0100,
        Group::Ffdhe3072 => 0x0101,
    }
}

pub fn compression_code(method: Compression) -> c_int {
    match method {
        Compression::None => ffi::TLX_NO_COMPRESSION,
        Compression::Deflate => ffi::TLX_DEFLATE,
    }
}

pub fn resumption(kind: Resumption) -> ffi::tlx_resumption {
    match kind {
        Resumption::Full => ffi::tlx_resumption::Full,
        Resumption::SessionId => ffi::tlx_resumption::SessionId,
        Resumption::Ticket => ffi::tlx_resumption::Ticket,
        Resumption::Psk => ffi::tlx_resumption::Psk,
        Resumption::EarlyData => ffi::tlx_resumption::EarlyData,
    }
}

/// A result of the C side as ours, with its error text.
pub fn check(result: c_int) -> Result<(), Refusal> {
    match result {
        ffi::TLX_OK => Ok(()),
        ffi::TLX_UNSUPPORTED => Err(Refusal::Unsupported(last_error())),
        _ => Err(Refusal::Failed(last_error())),
    }
}

pub fn last_error() -> String {
    // SAFETY: a text of this thread that ends in 0.
    unsafe { text(ffi::tlx_error()) }
}

/// Bytes as the C side takes them; good as long as the slice lives.
pub fn bytes(slice: &[u8]) -> ffi::tlx_bytes {
    ffi::tlx_bytes { data: slice.as_ptr(), length: slice.len() }
}

/// Words of the user as a C text.
pub fn words(text: &str) -> Result<CString, Refusal> {
    CString::new(text).map_err(|_| Refusal::Failed("there is a zero byte in the string".to_owned()))
}

/// One of our names as a C text.
pub fn c_text(name: &str) -> CString {
    CString::new(name).expect("the names of our vocabulary contain no 0")
}

/// # Safety
/// `text` must be a valid C text.
pub unsafe fn text(text: *const c_char) -> String {
    // SAFETY: promised by the caller.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}
