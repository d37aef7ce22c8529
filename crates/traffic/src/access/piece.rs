//! [`Piece`]: what format strings are made of.

use super::field::Field;

/// A piece of a format string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    Text(Vec<u8>),
    /// A field, and how the format names it.
    Field(Field, String),
}
