//! Patterns for the ids of cases.

use serde::Deserialize;

/// A text in which `*` stands for any characters; the default fits everything.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Pattern(String);

impl Default for Pattern {
    fn default() -> Self {
        Self("*".to_owned())
    }
}

impl Pattern {
    /// Whether the whole id fits.
    pub fn fits(&self, id: &str) -> bool {
        let Some((head, rest)) = self.0.split_once('*') else { return self.0 == id };
        let Some(mut left) = id.strip_prefix(head) else { return false };
        let mut parts: Vec<&str> = rest.split('*').collect();
        let tail = parts.pop().unwrap_or_default();
        for part in parts {
            // The first place leaves the most for what follows.
            let Some(at) = left.find(part) else { return false };
            left = &left[at + part.len()..];
        }
        left.ends_with(tail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(pattern: &str, id: &str) -> bool {
        Pattern(pattern.to_owned()).fits(id)
    }

    #[test]
    fn a_star_stands_for_any_characters() {
        assert!(fits("*", "") && fits("*", "a/b"));
        assert!(fits("a/*/c", "a/b/b/c") && !fits("a/*/c", "a/c"));
        assert!(fits("*/sign*", "x/rsa/sign") && !fits("*/sign", "x/rsa/sign/2-threads"));
        assert!(fits("*b*b*", "abcb") && !fits("*b*b*", "abc"));
        assert!(!fits("ab*ba", "aba"), "head and tail must not overlap");
    }

    #[test]
    fn without_a_star_it_is_the_id() {
        assert!(fits("a/b", "a/b") && !fits("a/b", "a/b/c") && !fits("", "a"));
    }
}
