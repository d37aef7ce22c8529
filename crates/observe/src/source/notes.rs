//! Notes of a source: what the reader has to know.

use tlstax_doc::{Note, Severity};

/// Good to know.
pub fn info(what: impl Into<String>) -> Note {
    Note { severity: Severity::Info, what: what.into(), remedy: String::new() }
}

/// The figures need care.
pub fn warning(what: impl Into<String>, remedy: &str) -> Note {
    Note { severity: Severity::Warning, what: what.into(), remedy: remedy.to_owned() }
}

/// The figures cannot be relied on.
pub fn problem(what: impl Into<String>, remedy: &str) -> Note {
    Note { severity: Severity::Problem, what: what.into(), remedy: remedy.to_owned() }
}

/// A text ended before its end.
pub fn cut(why: &str) -> Note {
    warning(format!("it was cut ({why}); what stands before that was read"), "get the file anew")
}
