//! What `tlstax suites` was asked for.

use tlstax_run::Expanded;
use tlstax_spec::{Group, Key};

/// What was asked for, and how each library expands it.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) string: String,
    pub(super) keys: Vec<Key>,
    pub(super) group: Group,
    pub(super) expanded: Vec<Expanded>,
}
