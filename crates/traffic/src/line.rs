//! [`Lines`]: what reads a log.

use std::collections::BTreeSet;

use tlstax_doc::{Bad, Tell};

use crate::seen::Seen;
use crate::tally::Tally;

/// Reads a log, line by line. One reader serves many threads, so what it keeps between lines is in [`Self::Memory`]; which lines
/// of a log one memory sees is not known, so that nothing may be counted by it.
pub trait Lines: Sync {
    /// What a thread keeps from line to line, such as the last time that it has read.
    type Memory: Default;

    /// The word of its format in documents: `nginx`.
    fn format(&self) -> &'static str;

    /// What its lines tell.
    fn tells(&self) -> BTreeSet<Tell>;

    /// Reads a line, which comes without its line feed and is not empty. None of one that does not count, such as a comment: why
    /// that is, the tally is told by [`Tally::pass_over`].
    ///
    /// # Errors
    /// The line is not of the format.
    fn read(&self, line: &[u8], memory: &mut Self::Memory, tally: &mut Tally) -> Result<Option<Seen>, Bad>;
}
