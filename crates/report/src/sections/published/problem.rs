//! What is wrong with published figures, in a sentence and as a note.

use tlstax_doc::{Note, Severity};

use crate::notes::note;

/// What could not be read of a file with published figures, where it stands, and what would help.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{file}, line {line}: {what}; {remedy}")]
pub struct PublishedProblem {
    pub(super) file: String,
    pub(super) line: u64,
    pub(super) what: String,
    pub(super) remedy: String,
}

impl PublishedProblem {
    pub(super) fn note(&self) -> Note {
        note(
            Severity::Warning,
            format!("{}, line {}: {}", self.file, self.line, self.what),
            self.remedy.clone(),
        )
    }
}
