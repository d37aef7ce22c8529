//! Libraries with something switched off, beside the library that they are a variant of.

use tlstax_doc::Results;
use tlstax_spec::Switch;

/// A library with something switched off, beside the same library with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Switched<'a> {
    /// The library without it.
    pub off: &'a str,
    /// The library with it.
    pub on: &'a str,
    /// What is switched off: "aes", "aes and sha".
    pub what: String,
}

/// The library as one with something switched off; none where the same library with it is not among these.
pub(crate) fn switched<'a>(results: &Results, library: &'a str, among: &[&'a str]) -> Option<Switched<'a>> {
    let mut without: Vec<Switch> = Vec::new();
    let mut variant = results.library(library)?;
    // A build without something may be told to do without something else. No chain is longer than the list.
    for _ in &results.libraries {
        let base = variant.base.as_ref().filter(|_| !variant.without.is_empty())?;
        without.splice(..0, variant.without.iter().copied());
        if let Some(on) = among.iter().find(|id| base == *id) {
            let names: Vec<_> = without.iter().map(|switch| switch.name()).collect();
            return Some(Switched { off: library, on, what: names.join(" and ") });
        }
        variant = results.library(base)?;
    }
    None
}
