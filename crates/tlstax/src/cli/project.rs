//! The project's own files and libraries.

use tlstax_libraries::{Home, Registry};

#[derive(Debug)]
pub struct Project {
    pub home: Home,
    pub registry: Registry,
}
