//! Configurations and connections of the C side, and the transport it calls back for.

use std::ffi::{CStr, c_int, c_long, c_uchar, c_void};
use std::io::{self, ErrorKind};
use std::ptr;
use std::sync::Arc;

use tlstax_spec::{Compression, Group, Key, Resumption, Side, Suite, Version};
use tlstax_worker::{Config, Connection, EARLY_DATA, Endpoint, Negotiated, Refusal, Transport, pki};

use crate::ffi;
use crate::values::{
    bytes, c_text, check, compression_code, group_code, last_error, resumption, version_code,
};

pub struct NativeConfig(Arc<ConfigHandle>);

impl NativeConfig {
    /// Configures one end; what the library does not have is [`Refusal::Unsupported`].
    pub fn new(side: Side, endpoint: &Endpoint<'_>) -> Result<Self, Refusal> {
        let files = Files::read(side, endpoint).map_err(|error| Refusal::Failed(error.to_string()))?;
        let key = c_text(endpoint.params.key.name());
        let host = c_text(pki::SERVER_NAME);
        let client = side == Side::Client;
        let early = client && endpoint.resumption == Resumption::EarlyData;
        let given = ffi::tlx_endpoint {
            server: c_int::from(!client),
            version: version_code(endpoint.params.version),
            suite: endpoint.params.suite.code().into(),
            group: endpoint.params.group.map_or(0, group_code),
            key: key.as_ptr(),
            resumption: resumption(endpoint.resumption),
            record: endpoint.record as usize,
            compression: compression_code(endpoint.compression),
            host: if client { host.as_ptr() } else { ptr::null() },
            root: bytes(&files.root),
            chain: bytes(&files.chain),
            private_key: bytes(&files.private_key),
            early_data: bytes(if early { EARLY_DATA } else { &[] }),
        };
        let mut made = ptr::null_mut();
        // SAFETY: all pointers are to values that live until the call returns, and the C side copies what it keeps.
        check(unsafe { ffi::tlx_config_new(&given, &mut made) })?;
        Ok(Self(Arc::new(ConfigHandle(made))))
    }
}

impl Config for NativeConfig {
    fn connect(&self, transport: Box<dyn Transport>) -> io::Result<Box<dyn Connection>> {
        Ok(Box::new(NativeConnection::new(Arc::clone(&self.0), transport)?))
    }
}

/// What the end shows and trusts, PEM; empty where there is none.
struct Files {
    root: Vec<u8>,
    chain: Vec<u8>,
    private_key: Vec<u8>,
}

impl Files {
    fn read(side: Side, endpoint: &Endpoint<'_>) -> io::Result<Self> {
        let (pki, key, mutual) = (endpoint.pki, endpoint.params.key, endpoint.mutual);
        let none = || Ok(Vec::new());
        Ok(match side {
            Side::Server => Self {
                root: if mutual { pki.root(key) } else { none() }?,
                chain: pki.chain(side, key, endpoint.chain)?,
                private_key: pki.private_key(side, key)?,
            },
            Side::Client => Self {
                root: pki.root(key)?,
                chain: if mutual { pki.chain(side, key, 1) } else { none() }?,
                private_key: if mutual { pki.private_key(side, key) } else { none() }?,
            },
        })
    }
}

/// A configuration of the C side, freed after the last connection that was made from it.
struct ConfigHandle(*mut ffi::tlx_config);

// SAFETY: tlx.h has configurations shared by threads; a backend locks what it changes in them.
unsafe impl Send for ConfigHandle {}
// SAFETY: as above.
unsafe impl Sync for ConfigHandle {}

impl Drop for ConfigHandle {
    fn drop(&mut self) {
        // SAFETY: made by tlx_config_new and freed once, when no connection holds it any more.
        unsafe { ffi::tlx_config_free(self.0) }
    }
}

struct NativeConnection {
    inner: *mut ffi::tlx_connection,
    /// What the C side calls back with; a raw pointer, since it is also written to during calls on `inner`.
    link: *mut Link,
    _config: Arc<ConfigHandle>,
}

/// The transport and the error it returned, which the C side has no words for.
struct Link {
    transport: Box<dyn Transport>,
    error: Option<io::Error>,
}

impl NativeConnection {
    fn new(config: Arc<ConfigHandle>, transport: Box<dyn Transport>) -> io::Result<Self> {
        let link = Box::into_raw(Box::new(Link { transport, error: None }));
        let callbacks = ffi::tlx_transport { context: link.cast(), send, receive };
        let mut connection = Self { inner: ptr::null_mut(), link, _config: config };
        // SAFETY: the configuration is live, the callbacks are copied, and `link` is freed after the connection.
        let result =
            unsafe { ffi::tlx_connection_new(connection._config.0, &callbacks, &mut connection.inner) };
        check(result).map_err(io::Error::other)?;
        Ok(connection)
    }

    /// A result of the C side as ours: a number of bytes, or the error of transport or library.
    fn outcome(&mut self, result: c_long) -> io::Result<usize> {
        if let Ok(number) = usize::try_from(result) {
            return Ok(number);
        }
        // SAFETY: no call into the C side is under way, so nobody else uses the link.
        if let Some(error) = unsafe { (*self.link).error.take() } {
            return Err(error);
        }
        Err(match result as c_int {
            ffi::TLX_AGAIN => ErrorKind::WouldBlock.into(),
            ffi::TLX_TRUNCATED => io::Error::new(ErrorKind::UnexpectedEof, last_error()),
            _ => io::Error::other(last_error()),
        })
    }
}

impl Connection for NativeConnection {
    fn handshake(&mut self) -> io::Result<()> {
        // SAFETY: the connection is live and used by this thread alone; so below.
        let result = unsafe { ffi::tlx_connection_handshake(self.inner) };
        self.outcome(result.into()).map(drop)
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // SAFETY: the buffer has so much room.
        let result = unsafe { ffi::tlx_connection_read(self.inner, buffer.as_mut_ptr(), buffer.len()) };
        self.outcome(result)
    }

    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        // SAFETY: the data has this length, and the C side copies what it keeps.
        let result = unsafe { ffi::tlx_connection_write(self.inner, data.as_ptr(), data.len()) };
        self.outcome(result)
    }

    fn close(&mut self) -> io::Result<()> {
        // SAFETY: see handshake.
        let result = unsafe { ffi::tlx_connection_close(self.inner) };
        self.outcome(result.into()).map(drop)
    }

    fn negotiated(&self) -> Negotiated {
        let mut found = ffi::tlx_negotiated {
            version: 0,
            suite: 0,
            group: 0,
            key: ptr::null(),
            resumed: 0,
            early: 0,
            compression: 0,
        };
        // SAFETY: the connection is live, and the call only reads it.
        unsafe { ffi::tlx_connection_negotiated(self.inner, &mut found) };
        let key = (!found.key.is_null()).then(|| {
            // SAFETY: a static text that ends in 0.
            unsafe { CStr::from_ptr(found.key) }.to_string_lossy()
        });
        Negotiated {
            version: Version::ALL.iter().copied().find(|&version| version_code(version) == found.version),
            suite: u16::try_from(found.suite).ok().and_then(Suite::from_code),
            group: Group::ALL.iter().copied().find(|&group| group_code(group) == found.group),
            key: key.and_then(|name| name.parse::<Key>().ok()),
            resumed: found.resumed != 0,
            early: found.early != 0,
            compression: (found.compression == ffi::TLX_DEFLATE).then_some(Compression::Deflate),
        }
    }
}

impl Drop for NativeConnection {
    fn drop(&mut self) {
        // SAFETY: both were made in `new`, where the connection may have failed, and are freed once; the connection first,
        // because it may still send.
        unsafe {
            if !self.inner.is_null() {
                ffi::tlx_connection_free(self.inner);
            }
            drop(Box::from_raw(self.link));
        }
    }
}

/// # Safety
/// `context` must be the link of a connection that is in a call, and `data` so many bytes.
unsafe extern "C" fn send(context: *mut c_void, data: *const c_uchar, length: usize) -> c_long {
    // SAFETY: promised by the caller; the link is not touched elsewhere while the C side is in a call.
    let (link, data) = unsafe { (&mut *context.cast::<Link>(), std::slice::from_raw_parts(data, length)) };
    let written = link.transport.write(data);
    link.number(written)
}

/// # Safety
/// `context` must be the link of a connection that is in a call, and `buffer` have so much room.
unsafe extern "C" fn receive(context: *mut c_void, buffer: *mut c_uchar, room: usize) -> c_long {
    // SAFETY: promised by the caller; a transport only writes to the buffer, whatever it holds before.
    let (link, buffer) =
        unsafe { (&mut *context.cast::<Link>(), std::slice::from_raw_parts_mut(buffer, room)) };
    let read = link.transport.read(buffer);
    link.number(read)
}

impl Link {
    /// What a read or write of the transport gave, as the C side reads it.
    fn number(&mut self, result: io::Result<usize>) -> c_long {
        match result {
            Ok(number) => number.try_into().unwrap_or(c_long::MAX),
            Err(error) if error.kind() == ErrorKind::WouldBlock => ffi::TLX_AGAIN.into(),
            Err(error) => {
                self.error = Some(error);
                ffi::TLX_FAILED.into()
            }
        }
    }
}
