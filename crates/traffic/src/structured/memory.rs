//! [`Memory`]: what a thread keeps from line to line.

use super::time::Times;

/// What a thread keeps from line to line.
#[derive(Default)]
pub struct Memory {
    pub(super) times: Times,
    pub(super) cells: Cells,
}

/// The cells of a row, one after the other, and where each ends.
#[derive(Default)]
pub struct Cells {
    pub text: Vec<u8>,
    pub ends: Vec<usize>,
    /// What tells them apart, with the separator that it was made for: making it takes longer than a row.
    pub reader: Option<(u8, csv_core::Reader)>,
}
