//! [`Reading`]: what the rules say of a frame, found once for each frame however many stacks have it.

use std::sync::Arc;

use super::meaning::{Meaning, Part, Task};
use crate::frame::Frame;

/// A frame with what is known of it.
pub type Read<'a> = (&'a Frame, &'a Reading);

/// What the rules say of a frame.
#[derive(Debug, Default, Clone)]
pub struct Reading {
    pub(super) own: Meaning,
    /// Whose code it is; none where nobody knows.
    pub(super) part: Option<Part>,
    /// What they say of the function that it has called.
    pub(super) callee: Meaning,
    /// The name that a table of its build gives to a function without one.
    pub(super) name: Option<Arc<str>>,
    /// Whether its file is a library's that rules know.
    pub(super) is_of_a_library: bool,
    pub(super) is_kernel: bool,
}

/// Whose code a function is, by what is said of its name and of its file.
pub fn part(meaning: &Meaning, module: Option<Part>) -> Option<Part> {
    let by_name = match meaning {
        Meaning { part: Some(part), .. } => Some(*part),
        // Certificates are read by others than TLS, too.
        Meaning { task: Some(Task::Certificate), .. } => Some(Part::Crypto),
        Meaning { task: Some(_), .. } => Some(Part::Tls),
        Meaning { operation: Some(_), .. } | Meaning { hint: Some(_), .. } => Some(Part::Crypto),
        Meaning { overhead: Some(_), .. } if module.is_none() => Some(Part::Neutral),
        _ => None,
    };
    match (by_name, module) {
        // A library that is all of a kind has no other code, whatever its names are like.
        (_, Some(Part::Neutral | Part::Crypto | Part::Other(_))) => by_name.filter(is_whose).or(module),
        _ => by_name.or(module),
    }
}

/// Whether a name says more than the file that it is in.
fn is_whose(part: &Part) -> bool {
    matches!(part, Part::Root | Part::Other(_))
}
