//! [`Book`]: a file of claims.

use crate::claim::Claim;
use crate::error::BookError;
use crate::read;

/// The claims of the five write-ups that tlstax was made for.
const BUILT_IN: &str = include_str!("../../../reference/claims.toml");

/// The claims of one file, in its order.
#[derive(Debug, Clone, PartialEq)]
pub struct Book {
    /// What messages call the file.
    pub name: String,
    pub claims: Vec<Claim>,
}

impl Book {
    /// The claims of the write-ups, `reference/claims.toml`.
    ///
    /// # Panics
    /// The file that was compiled in is no claims file: a test reads it.
    pub fn built_in() -> Self {
        Self::read(BUILT_IN, "reference/claims.toml")
            .unwrap_or_else(|error| unreachable!("a test reads this file: {error}"))
    }

    /// Reads the text of a claims file; the name is for messages. docs/claims.md describes the form.
    ///
    /// # Errors
    /// The text is no claims file, or asks for what does not exist: with file, line and remedy.
    pub fn read(text: &str, name: &str) -> Result<Self, BookError> {
        let claims = read::claims(text).map_err(|problem| BookError::at(problem, text, name))?;
        Ok(Self { name: name.to_owned(), claims })
    }
}
