//! The project's own files and libraries.

use tlstax_libraries::{Home, Registry};

/// What every verb can use.
#[derive(Debug)]
pub struct Project {
    pub home: Home,
    pub registry: Registry,
}
