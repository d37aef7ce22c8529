//! [`Frame`]: one place in a stack, with all that is known of it.

use std::sync::Arc;

/// One place in a stack, with all that is known of it. A source with names fills in function and module; one with addresses has
/// the rest from `resolve`.
#[derive(Debug, Default, Clone, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The function, demangled, without arguments where the source gives none; none where nobody knows it.
    pub function: Option<Arc<str>>,
    /// The name of the file that the code is in, without its folder: `libcrypto.so.3`; `[kernel]`, `[vdso]`, `[jit]`.
    pub module: Option<Arc<str>>,
    /// The build id of that file, in lower-case hexadecimal.
    pub build_id: Option<Arc<str>>,
    /// Where the function begins in the file, or the place itself where nobody knows that: an address as the file states it.
    pub address: Option<u64>,
    /// The function that the call instruction before the return address names, through the dynamic symbol table: there even if the
    /// callee has left its frame to another by a tail call. None of the innermost frame.
    pub callee: Option<Arc<str>>,
    /// What the instructions of the function say of it; of functions without a name only.
    pub instructions: Option<Instructions>,
    /// Whether it is code of the kernel.
    pub is_kernel: bool,
}

/// What the instructions of a function say of it: groups of instructions that few algorithms have. A set.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Instructions(u16);

impl Instructions {
    /// Rounds of AES, by the CPU's instructions for it.
    pub const AES: Self = Self(1);
    /// Multiplication without carry: GHASH and POLYVAL.
    pub const CLMUL: Self = Self(1 << 1);
    /// Rounds of SHA-1.
    pub const SHA1: Self = Self(1 << 2);
    /// Rounds of SHA-256.
    pub const SHA256: Self = Self(1 << 3);
    /// Rounds of SHA-512.
    pub const SHA512: Self = Self(1 << 4);
    /// Chains of multiplications with carry: arithmetic of large numbers.
    pub const BIGNUM: Self = Self(1 << 5);
    /// Rotations by 16, 12, 8 and 7 bits of vectors or words: ChaCha20.
    pub const CHACHA: Self = Self(1 << 6);
    /// Constants of ML-KEM: 3329 and its inverses.
    pub const ML_KEM: Self = Self(1 << 7);
    /// Constants of ML-DSA: 8380417 and its inverses.
    pub const ML_DSA: Self = Self(1 << 8);
    /// Rounds of Keccak: its 24 constants, or rotations by its offsets.
    pub const KECCAK: Self = Self(1 << 9);

    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl std::fmt::Display for Instructions {
    /// The groups, joined by ` + `.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words = [
            (Self::AES, "AES rounds"),
            (Self::CLMUL, "carry-less multiplication"),
            (Self::SHA1, "SHA-1 rounds"),
            (Self::SHA256, "SHA-256 rounds"),
            (Self::SHA512, "SHA-512 rounds"),
            (Self::BIGNUM, "multiplication with carry"),
            (Self::CHACHA, "ChaCha20 rotations"),
            (Self::ML_KEM, "constants of ML-KEM"),
            (Self::ML_DSA, "constants of ML-DSA"),
            (Self::KECCAK, "Keccak"),
        ];
        let found: Vec<&str> =
            words.into_iter().filter(|(group, _)| self.contains(*group)).map(|(_, word)| word).collect();
        formatter.write_str(&found.join(" + "))
    }
}

/// A frame by its number in a [`Collector`](crate::Collector).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FrameId(pub(crate) u32);
