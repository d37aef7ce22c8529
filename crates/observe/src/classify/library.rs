//! [`Library`]: the rules of one library.

use super::meaning::{Hint, Kernel, Meaning, Operation, Part, Task};
use super::patterns::Patterns;
use tlstax_doc::Cost;

/// The rules of one library: one file.
#[derive(Debug, Default)]
pub struct Library {
    /// The name of the file without its ending; others extend it by that.
    pub id: String,
    /// Libraries whose names are this one's, too.
    pub extends: Vec<String>,
    pub prefixes: Vec<Prefix>,
    /// The files that it lives in. Names count there, and in files that are no library's: programs that it is linked into.
    pub modules: Patterns<Part>,
    pub tasks: Patterns<Task>,
    pub operations: Patterns<Operation>,
    pub overhead: Patterns<Cost>,
    pub hints: Patterns<Hint>,
    /// What is neither the protocol nor cryptography, by name.
    pub parts: Patterns<Part>,
    pub kernel: Patterns<Kernel>,
}

impl Library {
    pub fn meaning(&self, name: &str) -> Meaning {
        let task = self.tasks.find(name);
        let part = self.parts.find(name);
        // `ssl_sock_*` of a server is no part of `ssl_*`: whichever pattern spells more of the name is right.
        let part = part.filter(|(letters, _)| task.is_none_or(|(others, _)| letters >= &others));
        let part = part.map(|(_, part)| part);
        if part.is_some_and(Part::is_other) {
            return Meaning { part, hint: self.hints.find(name).map(|(_, hint)| hint), ..Meaning::default() };
        }
        Meaning {
            part,
            task: task.map(|(_, task)| task),
            operation: self.operations.find(name).map(|(_, operation)| operation),
            overhead: self.overhead.find(name).map(|(_, cost)| cost),
            hint: self.hints.find(name).map(|(_, hint)| hint),
            kernel: None,
        }
    }
}

/// What a build of a library puts before its names: `aws_lc_#` takes `aws_lc_0_47_0_` off.
#[derive(Debug)]
pub struct Prefix {
    before: Box<str>,
    after: Box<str>,
}

impl Prefix {
    /// `#` stands for a version, each of its numbers with the `_` behind it.
    pub fn new(pattern: &str) -> Option<Self> {
        let (before, after) = pattern.split_once('#')?;
        Some(Self { before: before.into(), after: after.into() })
    }

    pub fn strip<'a>(&self, name: &'a str) -> Option<&'a str> {
        let mut rest = name.strip_prefix(&*self.before)?;
        while let Some((number, others)) = rest.split_once('_')
            && !number.is_empty()
            && number.bytes().all(|one| one.is_ascii_digit())
        {
            rest = others;
        }
        rest.strip_prefix(&*self.after).filter(|rest| !rest.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_before_a_name_is_taken_off() {
        let aws_lc = Prefix::new("aws_lc_#").unwrap();
        assert_eq!(aws_lc.strip("aws_lc_0_47_0_EVP_DigestSign"), Some("EVP_DigestSign"));
        assert_eq!(aws_lc.strip("aws_lc_fips_0_13_9_SHA256"), Some("fips_0_13_9_SHA256"));
        assert_eq!(aws_lc.strip("EVP_DigestSign"), None);
        let ring = Prefix::new("ring_core_#_").unwrap();
        assert_eq!(ring.strip("ring_core_0_17_14__bn_mul_mont"), Some("bn_mul_mont"));
        assert_eq!(ring.strip("ring_core_0_17_14__"), None);
    }
}
