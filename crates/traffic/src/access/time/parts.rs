//! [`Parts`]: which parts of a time a field tells.

/// Which parts of a time a field tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts(u8);

impl Parts {
    pub const NONE: Self = Self(0);
    pub const DATE: Self = Self(1);
    pub const CLOCK: Self = Self(2);
    pub const ZONE: Self = Self(4);
    pub const ALL: Self = Self(7);

    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub const fn overlaps(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}
