//! Rules: which names and instructions speak for which class. Data, one file for each library.

/// A file of rules that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{file}, line {line}: {problem}; {remedy}")]
pub struct RulesError {
    pub file: String,
    pub line: usize,
    pub problem: String,
    pub remedy: String,
}
