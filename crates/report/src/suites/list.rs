//! [`SuiteList`]: the suites of one library.

use tlstax_doc::Note;
use tlstax_spec::{Id, Key};

/// The suites that a library chooses by a cipher string or a list of names.
#[derive(Debug, Clone, PartialEq)]
pub struct SuiteList {
    /// The library and its version, as it states them.
    pub version: String,
    /// Whether the library itself expanded the string; otherwise the list was intersected with the suites that it has.
    pub is_expanded: bool,
    pub suites: Vec<ListedSuite>,
    /// Words of the string without effect, and suites of the list that are missing.
    pub notes: Vec<Note>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ListedSuite {
    pub name: String,
    /// The certificate keys that its handshake is measured with, or why there are none.
    pub keys: Result<Vec<Key>, String>,
}

/// The list of each library, or a note on why it has none.
pub type SuiteLists = [(Id, Result<SuiteList, Note>)];
