//! One way to take cryptography off a library's hands, and whether this machine has it.

use serde::Serialize;

/// Whether something can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Availability {
    Present,
    /// It is there once the remedy is done.
    Ready,
    Absent,
    /// This machine does not say.
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Means {
    /// For programs.
    pub id: &'static str,
    /// For people.
    pub what: &'static str,
    pub state: Availability,
    /// What was found, or what is missing.
    pub found: String,
    /// What to do to have it; empty if nothing is to be done, or nothing can be.
    pub remedy: String,
}

impl Means {
    pub(super) fn of(
        (id, what): (&'static str, &'static str),
        state: Availability,
        found: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self { id, what, state, found: found.into(), remedy: remedy.into() }
    }
}
