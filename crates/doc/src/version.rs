//! Versions of document forms, and what may be read by whom.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of a document's form. A new minor only adds what an older reader can do without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SchemaVersion {
    /// Changes when an older program would misread the document.
    pub major: u32,
    /// Changes when something was added.
    pub minor: u32,
}

impl SchemaVersion {
    /// Whether a program that writes `self` can read a document of version `document`. There was no major before the first.
    pub const fn can_read(self, document: Self) -> bool {
        document.major == self.major
    }
}

impl std::fmt::Display for SchemaVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}
