//! The library behind `tlx.h` as an [`Adapter`]: who it is, what it can do, and its primitives.

use std::ffi::{CStr, c_int};
use std::ptr;
use std::sync::Arc;

use tlstax_spec::wire::{Hello, PROTOCOL};
use tlstax_spec::{
    Algorithm, Compression, Group, Key, Pattern, Primitive, Resumption, Side, Suite, Switch, Version,
};
use tlstax_worker::{Adapter, Config, Endpoint, Inputs, Operation, Refusal};

use crate::connection::NativeConfig;
use crate::ffi;
use crate::values::{bytes, c_text, check, group_code, resumption, text, version_code, words};

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
    pub fn start() -> Result<Self, Refusal> {
        check(ffi::tlx_start()).map(|()| Self(()))
    }
}

impl Adapter for NativeAdapter {
    fn hello(&self) -> Hello {
        // SAFETY: all are texts that end in 0, static or of this thread, and are copied before the next call.
        let [family, version, build, cpu, without] =
            [ffi::tlx_family(), ffi::tlx_version(), ffi::tlx_build(), ffi::tlx_cpu(), ffi::tlx_is_without()]
                .map(|one| unsafe { text(one) });
        Hello {
            protocol: PROTOCOL,
            family,
            version,
            build,
            cpu,
            primitives: primitives(),
            patterns: names(Pattern::ALL, |_| true),
            versions: names(Version::ALL, |&version| ffi::tlx_has_version(version_code(version)) != 0),
            suites: names(Suite::ALL, |suite| ffi::tlx_has_suite(suite.code().into()) != 0),
            groups: names(Group::ALL, |&group| ffi::tlx_has_group(group_code(group)) != 0),
            // SAFETY: the text lives until the call returns.
            keys: names(Key::ALL, |key| unsafe { ffi::tlx_has_key(c_text(key.name()).as_ptr()) } != 0),
            resumptions: names(Resumption::ALL, |&kind| ffi::tlx_has_resumption(resumption(kind)) != 0),
            compressions: names(&[Compression::Deflate], |_| has_compression()),
            compresses: ffi::tlx_compresses() == ffi::TLX_BY_DEFAULT,
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

fn has_compression() -> bool {
    [ffi::TLX_ON_REQUEST, ffi::TLX_BY_DEFAULT].contains(&ffi::tlx_compresses())
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
    inputs.pki.private_key(Side::Server, key).map_err(|error| Refusal::Failed(error.to_string()))
}
