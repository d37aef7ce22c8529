//! [`Patterns`]: names to look up, whole or with `*` in place of any text.

use std::collections::HashMap;

use foldhash::fast::RandomState;

/// Names, each with what it means; the one that says most of a name is found.
#[derive(Debug)]
pub struct Patterns<T> {
    whole: HashMap<Box<str>, T, RandomState>,
    /// By the first byte.
    globs: HashMap<u8, Vec<(Glob, T)>, RandomState>,
    /// Those that begin with `*`.
    anywhere: Vec<(Glob, T)>,
}

impl<T> Default for Patterns<T> {
    fn default() -> Self {
        Self { whole: HashMap::default(), globs: HashMap::default(), anywhere: Vec::new() }
    }
}

impl<T: Copy> Patterns<T> {
    pub fn add(&mut self, pattern: &str, value: T) {
        if !pattern.contains('*') {
            self.whole.insert(pattern.into(), value);
            return;
        }
        let glob = Glob::new(pattern);
        let bucket = match pattern.as_bytes()[0] {
            b'*' => &mut self.anywhere,
            first => self.globs.entry(first).or_default(),
        };
        let at = bucket.partition_point(|(other, _)| other.letters() >= glob.letters());
        bucket.insert(at, (glob, value));
    }

    /// The value, and how many letters of the name the pattern spells: the more, the more it says.
    pub fn find(&self, name: &str) -> Option<(usize, T)> {
        if let Some(value) = self.whole.get(name) {
            return Some((usize::MAX, *value));
        }
        let first = name.as_bytes().first()?;
        let in_bucket = |bucket: &[(Glob, T)]| {
            let found = bucket.iter().find(|(glob, _)| glob.fits(name));
            found.map(|(glob, value)| (glob.letters(), *value))
        };
        let beginning = self.globs.get(first).and_then(|bucket| in_bucket(bucket));
        let anywhere = in_bucket(&self.anywhere);
        [beginning, anywhere].into_iter().flatten().max_by_key(|(letters, _)| *letters)
    }
}

/// A text in which `*` stands for any text.
#[derive(Debug)]
pub struct Glob {
    /// What stands between the stars.
    parts: Vec<Box<str>>,
}

impl Glob {
    pub fn new(pattern: &str) -> Self {
        Self { parts: pattern.split('*').map(Into::into).collect() }
    }

    fn letters(&self) -> usize {
        self.parts.iter().map(|part| part.len()).sum()
    }

    pub fn fits(&self, name: &str) -> bool {
        let [first, middle @ .., last] = self.parts.as_slice() else {
            return self.parts.first().is_some_and(|only| &**only == name);
        };
        let Some(mut rest) = name.strip_prefix(&**first) else { return false };
        for part in middle {
            let Some(at) = rest.find(&**part) else { return false };
            rest = &rest[at + part.len()..];
        }
        rest.ends_with(&**last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_text() {
        assert!(Glob::new("EVP_*_fetch").fits("EVP_MD_fetch"));
        assert!(Glob::new("*_fetch").fits("ssl_evp_md_fetch"));
        assert!(Glob::new("bn_*").fits("bn_"));
        assert!(Glob::new("a*b*c").fits("abc") && !Glob::new("a*b*c").fits("acb"));
        assert!(!Glob::new("aba*aba").fits("aba"), "parts do not overlap");
        assert!(!Glob::new("EVP_*_fetch").fits("EVP_MD_free"));
    }

    #[test]
    fn the_pattern_that_spells_most_of_the_name_is_found() {
        let mut patterns = Patterns::default();
        for (pattern, value) in [("EVP_*", 1), ("EVP_MD_*", 2), ("*_fetch", 3), ("EVP_MD_free", 4)] {
            patterns.add(pattern, value);
        }
        let find = |name| patterns.find(name).map(|(_, value)| value);
        assert_eq!(find("EVP_PKEY_new"), Some(1));
        assert_eq!(find("EVP_MD_up_ref"), Some(2));
        assert_eq!(find("EVP_KDF_fetch"), Some(3), "six letters against four");
        assert_eq!(find("EVP_MD_free"), Some(4));
        assert_eq!(find("SHA256_Update"), None);
        assert_eq!(find(""), None);
    }
}
