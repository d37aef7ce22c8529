//! What the bytes of a function say of it: groups of instructions, rotations and constants that few algorithms have.

mod aarch64;
mod counts;
mod x86_64;

use super::machine::Architecture;
use crate::frame::Instructions;

/// What the bytes of a function say of it. Constants that stand outside of the code are not seen: of a ChaCha20 that rotates by
/// shuffling bytes, the rotations by 12 and 7 speak, which shuffles cannot do.
pub fn instructions(code: &[u8], architecture: Architecture) -> Instructions {
    match architecture {
        Architecture::X86_64 => x86_64::count(code),
        Architecture::Aarch64 => aarch64::count(code),
    }
    .groups()
}
