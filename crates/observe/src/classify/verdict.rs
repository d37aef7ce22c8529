//! [`Verdict`]: what was found.

use tlstax_doc::{Class, Cost, Evidence};

/// What was found: the class of a stack and by what.
pub type Verdict = (Class, Evidence);

/// The verdict on what nobody can place.
pub fn unknown(why: impl Into<String>) -> Verdict {
    (Cost::Unknown.into(), Evidence::Nothing(why.into()))
}
