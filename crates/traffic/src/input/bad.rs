//! [`BadEntry`]: where the first bad entries are.

use std::collections::BTreeMap;

use tlstax_doc::Bad;

/// So many are remembered.
const MOST: usize = 10;

/// So much is kept of one, where that is asked for.
const LONGEST: usize = 1_000;

/// Where a bad entry is, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadEntry {
    /// The name of its input.
    pub input: String,
    /// Where it begins, bytes from the beginning of the input; of an archive, of what is in it.
    pub at: u64,
    pub bad: Bad,
    /// Its first bytes, where the caller has asked for them. They may be personal, and are nothing for a document.
    pub text: Option<Vec<u8>>,
}

/// What is wrong with an entry, and its first bytes.
type What = (Bad, Option<Vec<u8>>);

/// The first bad entries by input and place, in whatever order they are found.
#[derive(Debug, Default)]
pub struct FirstBad {
    /// By input and place.
    entries: BTreeMap<(usize, u64), What>,
    keeps_text: bool,
}

impl FirstBad {
    pub fn new(keeps_text: bool) -> Self {
        Self { keeps_text, ..Self::default() }
    }

    pub fn add(&mut self, input: usize, at: u64, bad: Bad, text: &[u8]) {
        let is_full = self.entries.len() >= MOST;
        let is_late = self.entries.last_key_value().is_some_and(|(last, _)| *last < (input, at));
        if is_full && is_late {
            return;
        }
        let text = self.keeps_text.then(|| text[..text.len().min(LONGEST)].to_vec());
        self.entries.insert((input, at), (bad, text));
        self.shorten();
    }

    pub fn merge(&mut self, other: Self) {
        self.entries.extend(other.entries);
        self.shorten();
    }

    fn shorten(&mut self) {
        while self.entries.len() > MOST {
            self.entries.pop_last();
        }
    }

    /// All of them, in order; the names are those of the inputs.
    pub fn named(self, names: &[String]) -> Vec<BadEntry> {
        let entry = |((input, at), (bad, text)): ((usize, u64), What)| BadEntry {
            input: names[input].clone(),
            at,
            bad,
            text,
        };
        self.entries.into_iter().map(entry).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_are_remembered_in_whatever_order_they_come() {
        let (mut one, mut other) = (FirstBad::new(true), FirstBad::new(true));
        (0..30).rev().for_each(|at| one.add(1, at, Bad::Time, b"x"));
        (0..3).for_each(|at| other.add(0, at, Bad::Nul, &[b'y'; 2_000]));
        one.merge(other);
        let named = one.named(&["a".to_owned(), "b".to_owned()]);
        let places: Vec<(&str, u64)> = named.iter().map(|entry| (entry.input.as_str(), entry.at)).collect();
        assert_eq!(places[..4], [("a", 0), ("a", 1), ("a", 2), ("b", 0)]);
        assert_eq!((places.len(), named[0].text.as_ref().unwrap().len()), (MOST, LONGEST));
    }
}
