//! What the bytes of a function say of it.

use super::machine::Architecture;
use crate::frame::Instructions;

pub fn instructions(_code: &[u8], _architecture: Architecture) -> Instructions {
    Instructions::default()
}
