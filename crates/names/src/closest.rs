//! Which known name somebody may have meant.

use std::collections::BTreeMap;

/// Names less alike than this are not worth a question.
const ALIKE: f64 = 0.75;

/// So alike are a name and a part of it: `mlkem768` is no misspelling of `X25519MLKEM768`.
const PART: f64 = 0.9;

/// A part shorter than this stands in too many names.
const LEAST_PART: usize = 3;

/// A name without what people write in several ways: capitals and punctuation.
pub fn fold(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|one| one.to_ascii_lowercase()).collect()
}

/// How alike a word and a name are, from 0 to 1.
fn likeness(word: &str, name: &str) -> f64 {
    let (word, name) = (fold(word), fold(name));
    let is_part = word.len().min(name.len()) >= LEAST_PART && (name.contains(&word) || word.contains(&name));
    let alike = strsim::jaro(&word, &name);
    if is_part { alike.max(PART) } else { alike }
}

/// The one or two names that are most like the word; each is given with all of its spellings.
pub fn closest<'a>(word: &str, spellings: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<&'a str> {
    let mut best: BTreeMap<&str, (f64, usize)> = BTreeMap::new();
    for (place, (name, spelling)) in spellings.enumerate() {
        let likeness = likeness(word, spelling);
        let entry = best.entry(name).or_insert((likeness, place));
        entry.0 = entry.0.max(likeness);
    }
    let mut alike: Vec<(&str, (f64, usize))> =
        best.into_iter().filter(|(_, (likeness, _))| *likeness >= ALIKE).collect();
    alike.sort_by(|(_, (one, at)), (_, (other, then))| other.total_cmp(one).then(at.cmp(then)));
    let mut names: Vec<&str> = alike.into_iter().map(|(name, _)| name).collect();
    names.truncate(2);
    names
}

/// The question `did you mean A or B?` with a space before it; empty where no name is like the word.
pub fn did_you_mean<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    question(&closest(word, known.map(|name| (name, name))))
}

/// The question for names that were found.
pub fn question(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        names => format!(" did you mean {}?", names.join(" or ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(word: &str) -> String {
        did_you_mean(word, ["curl", "wget", "X25519", "X25519MLKEM768", "openssl", "md5"].into_iter())
    }

    #[test]
    fn the_closest_names_are_offered_and_nothing_that_is_far() {
        assert_eq!(of("crul"), " did you mean curl?");
        assert_eq!(of("OpenSLL"), " did you mean openssl?");
        assert_eq!(of("mlkem768"), " did you mean X25519MLKEM768?");
        assert_eq!(of("x25518"), " did you mean X25519?");
        assert_eq!(of("get"), " did you mean wget?");
        assert_eq!(of("md6"), " did you mean md5?");
        assert_eq!(of("nonesuch"), "");
        assert_eq!(of(""), "");
    }
}
