//! [`Brief`]: the parts of a first screen, before they are fitted into it.

/// What one screen holds: the machine, what was asked, what the answer is, what is surprising in it, what is missing, and
/// where the rest is. [`Brief::draw`] fits it into the screen; texts may be of any length.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Brief {
    /// Facts on what machine it is, the most important first: as many as fit into a line.
    pub machine: Vec<String>,
    /// How good it is for measuring, and what is wrong with it, likewise.
    pub quality: Vec<String>,
    /// What was asked, in a sentence.
    pub question: String,
    /// Sentences that answer, in the order in which they are shown.
    pub answers: Vec<Answer>,
    /// What is furthest from what is usual, the furthest first.
    pub surprises: Vec<String>,
    /// What could not be measured, and why; empty where all could be.
    pub missing: String,
    /// Where the rest is: the files that were written, and what prints everything.
    pub rest: Vec<String>,
}

/// A sentence that answers what was asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    pub said: String,
    /// Where the screen has no room for all, those of the highest rank go first, and of these the last.
    pub rank: usize,
}
