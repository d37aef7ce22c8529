//! The project's own files and libraries.

use tlstax_libraries::{Home, Registry};

/// What every verb can use.
#[derive(Debug)]
pub struct Project {
    /// The project's files.
    pub home: Home,
    /// The libraries there are.
    pub registry: Registry,
}
