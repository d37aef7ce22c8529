//! [`BookError`]: what is wrong with a claims file.

use std::ops::Range;

/// What is wrong with a claims file, where, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name}, line {line}, column {column}: {problem}\n  {text}\ndocs/claims.md describes the form")]
pub struct BookError {
    pub name: String,
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// What is wrong, and the remedy.
    pub problem: String,
    /// The line.
    pub text: String,
}

/// The longest part of a line that is shown.
const SHOWN: usize = 160;

/// What is wrong with a part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    pub at: Range<usize>,
    pub what: String,
}

impl Problem {
    pub fn new(at: &Range<usize>, what: impl Into<String>) -> Self {
        Self { at: at.clone(), what: what.into() }
    }
}

impl BookError {
    pub(crate) fn at(Problem { at, what }: Problem, text: &str, name: &str) -> Self {
        let before = text.get(..at.start).unwrap_or(text);
        let begun = before.rsplit('\n').next().unwrap_or_default();
        let line = before.matches('\n').count();
        let whole = text.lines().nth(line).unwrap_or_default();
        Self {
            name: name.to_owned(),
            line: line + 1,
            column: begun.chars().count() + 1,
            problem: what,
            text: whole.trim().chars().filter(|one| !one.is_control()).take(SHOWN).collect(),
        }
    }
}
