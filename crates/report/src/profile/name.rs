//! Classes in words.

use tlstax_doc::Class;

/// A class in words: the cost, and the algorithm where it is known.
pub fn class_name(class: Class) -> String {
    match class.algorithm {
        Some(algorithm) => format!("{} ({})", class.cost.title(), algorithm.title()),
        None => class.cost.title().to_owned(),
    }
}
