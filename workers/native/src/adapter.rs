//! The library behind `tlx.h` as an [`Adapter`]: who it is, what it can do, and its primitives.

use std::ffi::{CStr, CString, c_char, c_int};
use std::ptr;
use std::sync::Arc;

use tlstax_spec::wire::{Hello, PROTOCOL};
use tlstax_spec::{Algorithm, Group, Key, Pattern, Primitive, Resumption, Side, Suite, Switch, Version};
use tlstax_worker::{Adapter, Config, Endpoint, Inputs, Operation, Refusal};

use crate::connection::NativeConfig;
use crate::ffi;

/// Room for the environment of all switches together.
const SETTINGS: usize = 1024;

/// Room for the names of all suites that a library can have.
const NAMES: usize = 1 << 16;

/// The environment in which the library does without these features.
pub fn settings(switches: &[Switch]) -> Result<Vec<(String, String)>, Refusal> {
    let names: Vec<_> = switches.iter().map(|switch| switch.name()).collect();
    let features = c_text(&names.join(" "));
    let mut buffer = [0_u8; SETTINGS];
    // SAFETY: the text lives until the call returns, and the buffer has so much room.
    check(unsafe { ffi::tlx_without(features.as_ptr(), buffer.as_mut_ptr().cast(), buffer.len()) })?;
    let text = CStr::from_bytes_until_nul(&buffer)
        .map_err(|_| Refusal::Failed("the settings of the switches are too long".to_owned()))?;
    let lines = text.to_string_lossy();
    let pairs = lines.lines().filter_map(|line| line.split_once('='));
    Ok(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
}

/// The one library that this program was built with.
pub struct NativeAdapter(());

impl NativeAdapter {
    /// Starts the library.
    pub fn start() -> Result<Self, Refusal> {
        // SAFETY: called once, before anything else of the library.
        check(unsafe { ffi::tlx_start() })?;
        Ok(Self(()))
    }
}

impl Adapter for NativeAdapter {
    fn hello(&self) -> Hello {
        // SAFETY: these return static texts that end in 0 and never change after the start.
        let [family, version, build, cpu, without] = unsafe {
            [ffi::tlx_family(), ffi::tlx_version(), ffi::tlx_build(), ffi::tlx_cpu(), ffi::tlx_is_without()]
                .map(|text| self::text(text))
        };
        Hello {
            protocol: PROTOCOL,
            family,
            version,
            build,
            cpu,
            primitives: primitives(),
            patterns: names(Pattern::ALL, |_| true),
            // SAFETY: the calls take plain numbers, or texts that live until they return.
            versions: names(
                Version::ALL,
                |&version| unsafe { ffi::tlx_has_version(version_code(version)) } != 0,
            ),
            // SAFETY: as above.
            suites: names(Suite::ALL, |suite| unsafe { ffi::tlx_has_suite(suite.code().into()) } != 0),
            // SAFETY: as above.
            groups: names(Group::ALL, |&group| unsafe { ffi::tlx_has_group(group_code(group)) } != 0),
            // SAFETY: as above.
            keys: names(Key::ALL, |key| unsafe { ffi::tlx_has_key(c_text(key.name()).as_ptr()) } != 0),
            resumptions: names(
                Resumption::ALL,
                // SAFETY: as above.
                |&kind| unsafe { ffi::tlx_has_resumption(resumption(kind)) } != 0,
            ),
            without: without.split_whitespace().map(str::to_owned).collect(),
            ..Hello::default()
        }
    }

    fn expand(&self, string: &str, ciphersuites: Option<&str>) -> Result<Vec<String>, Refusal> {
        let string = words(string)?;
        let ciphersuites = ciphersuites.map(words).transpose()?;
        let tls13 = ciphersuites.as_ref().map_or(ptr::null(), |text| text.as_ptr());
        let mut names = vec![0_u8; NAMES];
        // SAFETY: the texts live until the call returns, and the buffer has so much room.
        check(unsafe { ffi::tlx_expand(string.as_ptr(), tls13, names.as_mut_ptr().cast(), names.len()) })?;
        let names = CStr::from_bytes_until_nul(&names)
            .map_err(|_| Refusal::Failed("the names of the suites are too long".to_owned()))?;
        Ok(names.to_string_lossy().lines().map(str::to_owned).collect())
    }

    fn primitive(&self, primitive: &Primitive, inputs: &Inputs) -> Result<Box<dyn Operation>, Refusal> {
        Ok(Box::new(NativeOperation::new(primitive, inputs)?))
    }

    fn config(&self, side: Side, endpoint: &Endpoint<'_>) -> Result<Arc<dyn Config>, Refusal> {
        Ok(Arc::new(NativeConfig::new(side, endpoint)?))
    }
}

fn primitives() -> Vec<String> {
    let all =
        Algorithm::ALL.iter().flat_map(|algorithm| algorithm.ops().iter().map(move |op| (algorithm, op)));
    all.filter(|(algorithm, op)| {
        let (algorithm, op) = (c_text(algorithm.name()), c_text(op.name()));
        // SAFETY: both texts live until the call returns.
        unsafe { ffi::tlx_has_primitive(algorithm.as_ptr(), op.as_ptr()) != 0 }
    })
    .map(|(algorithm, op)| format!("{algorithm}:{op}"))
    .collect()
}

fn names<T: ToString>(all: &[T], has: impl Fn(&T) -> bool) -> Vec<String> {
    all.iter().filter(|member| has(member)).map(T::to_string).collect()
}

/// An operation of the C side, freed on drop.
struct NativeOperation(*mut ffi::tlx_operation);

// SAFETY: an operation holds no reference to its thread; it may move as long as one thread uses it at a time, which
// `&mut self` ensures.
unsafe impl Send for NativeOperation {}

impl NativeOperation {
    fn new(primitive: &Primitive, inputs: &Inputs) -> Result<Self, Refusal> {
        let signing_key = signing_key(primitive.algorithm, inputs)?;
        let given = ffi::tlx_inputs {
            key: bytes(&inputs.key),
            mac_key: bytes(&inputs.mac_key),
            iv: bytes(&inputs.iv),
            additional_data: bytes(&inputs.additional_data),
            message: bytes(&inputs.message),
            signature: bytes(&inputs.signature),
            private_key: bytes(&inputs.private_key),
            peer: bytes(&inputs.peer),
            signing_key: bytes(&signing_key),
        };
        let (algorithm, op) = (c_text(primitive.algorithm.name()), c_text(primitive.op.name()));
        let speed = c_int::from(primitive.pattern == Pattern::Speed);
        let mut made = ptr::null_mut();
        // SAFETY: all pointers are to values that live until the call returns, and the C side copies what it keeps.
        check(unsafe { ffi::tlx_operation_new(algorithm.as_ptr(), op.as_ptr(), speed, &given, &mut made) })?;
        Ok(Self(made))
    }
}

impl Operation for NativeOperation {
    fn run(&mut self, n: u64) -> Result<(), Refusal> {
        // SAFETY: the operation is live and used by this thread alone.
        check(unsafe { ffi::tlx_operation_run(self.0, n) })
    }

    fn answer(&mut self) -> Result<Vec<u8>, Refusal> {
        let mut answer = bytes(&[]);
        // SAFETY: as above.
        check(unsafe { ffi::tlx_operation_answer(self.0, &mut answer) })?;
        if answer.length == 0 {
            return Ok(<dyn Operation>::CHECKED.to_vec());
        }
        // SAFETY: the C side points at so many bytes, which are valid until its next call.
        Ok(unsafe { std::slice::from_raw_parts(answer.data, answer.length) }.to_vec())
    }
}

impl Drop for NativeOperation {
    fn drop(&mut self) {
        // SAFETY: made by tlx_operation_new and freed once.
        unsafe { ffi::tlx_operation_free(self.0) }
    }
}

/// The server's private key of that kind; empty for what is no signature, or has no certificate.
fn signing_key(algorithm: Algorithm, inputs: &Inputs) -> Result<Vec<u8>, Refusal> {
    let key = match algorithm {
        Algorithm::Rsa2048 => Key::Rsa2048,
        Algorithm::Rsa3072 => Key::Rsa3072,
        Algorithm::Rsa4096 => Key::Rsa4096,
        Algorithm::EcdsaP256 => Key::EcdsaP256,
        Algorithm::EcdsaP384 => Key::EcdsaP384,
        Algorithm::Ed25519 => Key::Ed25519,
        _ => return Ok(Vec::new()),
    };
    inputs.pki.server_key(key).map_err(|error| Refusal::Failed(error.to_string()))
}

/// The code point of a version in the IANA registry.
pub fn version_code(version: Version) -> c_int {
    match version {
        Version::Tls12 => 0x0303,
        Version::Tls13 => 0x0304,
    }
}

/// The code point of a group in the IANA registry.
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

/// The kind of resumption as the C side counts it.
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

/// The error text of this thread's last call that went wrong.
pub fn last_error() -> String {
    // SAFETY: a text of this thread that ends in 0.
    unsafe { text(ffi::tlx_error()) }
}

/// Bytes as the C side takes them; good as long as the slice lives.
pub fn bytes(slice: &[u8]) -> ffi::tlx_bytes {
    ffi::tlx_bytes { data: slice.as_ptr(), length: slice.len() }
}

/// Words of the user as a C text.
fn words(text: &str) -> Result<CString, Refusal> {
    CString::new(text).map_err(|_| Refusal::Failed("there is a zero byte in the string".to_owned()))
}

/// One of our names as a C text.
pub fn c_text(name: &str) -> CString {
    CString::new(name).expect("the names of our vocabulary contain no 0")
}

/// # Safety
/// `text` must be a valid C text.
unsafe fn text(text: *const c_char) -> String {
    // SAFETY: promised by the caller.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}
