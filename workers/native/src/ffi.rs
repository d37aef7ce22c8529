//! `tlx.h` in Rust, word for word; nothing else. The meaning of everything is explained there.

use std::ffi::{c_char, c_int, c_long, c_uchar, c_void};
use std::marker::{PhantomData, PhantomPinned};

pub const TLX_OK: c_int = 0;
pub const TLX_FAILED: c_int = -1;
pub const TLX_AGAIN: c_int = -2;
pub const TLX_TRUNCATED: c_int = -3;
pub const TLX_UNSUPPORTED: c_int = -4;

#[repr(C)]
#[derive(Clone, Copy)]
pub enum tlx_resumption {
    Full,
    SessionId,
    Ticket,
    Psk,
    EarlyData,
}

pub const TLX_NO_COMPRESSION: c_int = 0;
pub const TLX_DEFLATE: c_int = 1;

/// A C enumeration as the C side returns it: a number, whatever it is.
pub const TLX_ON_REQUEST: c_int = 1;
pub const TLX_BY_DEFAULT: c_int = 2;

macro_rules! opaque {
    ($($name:ident),+) => {
        $(#[repr(C)]
        pub struct $name {
            _data: [u8; 0],
            _marker: PhantomData<(*mut u8, PhantomPinned)>,
        })+
    };
}

opaque!(tlx_operation, tlx_config, tlx_connection);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tlx_bytes {
    pub data: *const c_uchar,
    pub length: usize,
}

#[repr(C)]
pub struct tlx_inputs {
    pub key: tlx_bytes,
    pub mac_key: tlx_bytes,
    pub iv: tlx_bytes,
    pub additional_data: tlx_bytes,
    pub message: tlx_bytes,
    pub signature: tlx_bytes,
    pub private_key: tlx_bytes,
    pub peer: tlx_bytes,
    pub signing_key: tlx_bytes,
}

#[repr(C)]
pub struct tlx_endpoint {
    pub server: c_int,
    pub version: c_int,
    pub suite: c_int,
    pub group: c_int,
    pub key: *const c_char,
    pub resumption: tlx_resumption,
    pub record: usize,
    pub compression: c_int,
    pub host: *const c_char,
    pub root: tlx_bytes,
    pub chain: tlx_bytes,
    pub private_key: tlx_bytes,
    pub early_data: tlx_bytes,
}

#[repr(C)]
pub struct tlx_transport {
    pub context: *mut c_void,
    pub send: unsafe extern "C" fn(context: *mut c_void, data: *const c_uchar, length: usize) -> c_long,
    pub receive: unsafe extern "C" fn(context: *mut c_void, buffer: *mut c_uchar, room: usize) -> c_long,
}

#[repr(C)]
pub struct tlx_negotiated {
    pub version: c_int,
    pub suite: c_int,
    pub group: c_int,
    pub key: *const c_char,
    pub resumed: c_int,
    pub early: c_int,
    pub compression: c_int,
}

// Safe are those that take plain numbers, and give numbers or texts that stay: static ones, or those of the calling thread.
unsafe extern "C" {
    pub safe fn tlx_start() -> c_int;
    pub fn tlx_without(features: *const c_char, settings: *mut c_char, room: usize) -> c_int;
    pub safe fn tlx_is_without() -> *const c_char;
    pub safe fn tlx_family() -> *const c_char;
    pub safe fn tlx_version() -> *const c_char;
    pub safe fn tlx_build() -> *const c_char;
    pub safe fn tlx_cpu() -> *const c_char;
    pub safe fn tlx_error() -> *const c_char;

    pub safe fn tlx_has_version(version: c_int) -> c_int;
    pub safe fn tlx_has_suite(suite: c_int) -> c_int;
    pub safe fn tlx_has_group(group: c_int) -> c_int;
    pub fn tlx_has_key(key: *const c_char) -> c_int;
    pub safe fn tlx_has_resumption(resumption: tlx_resumption) -> c_int;
    pub fn tlx_expand(
        string: *const c_char,
        ciphersuites: *const c_char,
        names: *mut c_char,
        room: usize,
    ) -> c_int;
    pub fn tlx_has_primitive(algorithm: *const c_char, operation: *const c_char) -> c_int;

    pub safe fn tlx_compresses() -> c_int;

    pub fn tlx_operation_new(
        algorithm: *const c_char,
        operation: *const c_char,
        speed: c_int,
        inputs: *const tlx_inputs,
        made: *mut *mut tlx_operation,
    ) -> c_int;
    pub fn tlx_operation_run(operation: *mut tlx_operation, n: u64) -> c_int;
    pub fn tlx_operation_answer(operation: *mut tlx_operation, answer: *mut tlx_bytes) -> c_int;
    pub fn tlx_operation_free(operation: *mut tlx_operation);

    pub fn tlx_config_new(endpoint: *const tlx_endpoint, made: *mut *mut tlx_config) -> c_int;
    pub fn tlx_config_free(config: *mut tlx_config);

    pub fn tlx_connection_new(
        config: *mut tlx_config,
        transport: *const tlx_transport,
        made: *mut *mut tlx_connection,
    ) -> c_int;
    pub fn tlx_connection_handshake(connection: *mut tlx_connection) -> c_int;
    pub fn tlx_connection_read(connection: *mut tlx_connection, buffer: *mut c_uchar, room: usize) -> c_long;
    pub fn tlx_connection_write(
        connection: *mut tlx_connection,
        data: *const c_uchar,
        length: usize,
    ) -> c_long;
    pub fn tlx_connection_close(connection: *mut tlx_connection) -> c_int;
    pub fn tlx_connection_negotiated(connection: *const tlx_connection, negotiated: *mut tlx_negotiated);
    pub fn tlx_connection_free(connection: *mut tlx_connection);
}
