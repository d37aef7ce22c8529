//! [`Library`]: a library, a server or a client as it was found, how it was made, and what was really loaded.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tlstax_spec::wire::Hello;
use tlstax_spec::{Id, Switch};

/// A library as it was found on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Library {
    /// Its id in the registry.
    pub id: Id,
    /// What it is; absent for a TLS library.
    #[serde(default, skip_serializing_if = "LibraryKind::is_usual")]
    pub kind: LibraryKind,
    /// The library, or the server, that this one is a variant of: with something switched off, or with another TLS library.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<Id>,
    /// What it was started without, beyond what its base does without.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<Switch>,
    /// The TLS library that a server loads in place of the one it was built with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uses: Option<Id>,
    /// Why it cannot be used, with the remedy; absent for one that can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unavailable: Option<String>,
    /// What it says of itself at run time; absent if it was never asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hello: Option<Hello>,
    /// What was really run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<Receipt>,
    /// How it came to be; absent for a worker that tlstax did not build.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Made>,
}

impl Library {
    /// A TLS library of which no more is known than what it is called.
    pub const fn new(id: Id) -> Self {
        Self {
            id,
            kind: LibraryKind::Library,
            base: None,
            without: Vec::new(),
            uses: None,
            unavailable: None,
            hello: None,
            receipt: None,
            made: None,
        }
    }
}

/// What is measured, or takes part, under the id of a library.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LibraryKind {
    /// A TLS library in a worker.
    #[default]
    Library,
    /// The row without crypto: what the harness itself costs.
    Control,
    /// A server that people run.
    Server,
    /// A client of loads.
    Client,
}

/// What stands in an id between a server and the TLS library that it loads.
pub(crate) const LIBRARY_MARK: char = '@';

impl LibraryKind {
    /// What goes by an id where no document states it: by the id, and the family that its worker stated if it was asked.
    pub(crate) fn derived(id: &str, family: Option<&str>) -> Self {
        match (id, family) {
            (_, Some("server")) => Self::Server,
            (_, Some("client")) | ("lean", _) => Self::Client,
            (_, Some("control")) | ("control", _) => Self::Control,
            (id, _) if id.contains(LIBRARY_MARK) => Self::Server,
            _ => Self::Library,
        }
    }

    fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// How a library and its worker came to be, noted by the builder when the worker had passed the conformance suite.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Made {
    /// Where the library comes from, with its exact version: `crate:NAME@=VERSION`, or a package of the system. Empty where
    /// the worker's own lock file brings it.
    pub source: String,
    /// The licence of the library, as an SPDX expression.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    /// The recipe and the options it was configured with.
    #[serde(default)]
    pub options: Vec<String>,
    /// The compiler, as it says itself.
    pub compiler: String,
    /// How long the library took to build, in seconds; absent where it was there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u64>,
    /// Checks of the conformance suite that the worker passed.
    pub passed: u64,
    /// Checks that its claims did not call for.
    pub skipped: u64,
    /// The 128-bit xxh3 of all that the worker was built from, in hex.
    pub inputs: String,
    /// The 128-bit xxh3 of the worker's program, in hex.
    pub program: String,
}

/// What was really loaded when the library was measured. Two receipts are equal if they name the same files in any order:
/// earlier versions wrote them as they lay in memory, where the kernel puts them elsewhere each time.
#[derive(Debug, Clone, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Receipt {
    /// The worker's program and the shared objects that the kernel has mapped into it.
    pub objects: Vec<Object>,
}

impl Receipt {
    /// A receipt of these files, in the order of their names.
    pub fn of(mut objects: Vec<Object>) -> Self {
        objects.sort();
        Self { objects }
    }
}

impl PartialEq for Receipt {
    fn eq(&self, other: &Self) -> bool {
        let sorted = |receipt: &Self| Self::of(receipt.objects.clone()).objects;
        sorted(self) == sorted(other)
    }
}

/// A file that was mapped as code.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Object {
    /// The name of the file, without its folder.
    pub file: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// XXH3-128 of its contents, in hex: tells builds apart, proves nothing against an attacker.
    pub xxh3: String,
}
