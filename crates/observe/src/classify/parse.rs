//! From the text of a rules file to a [`Library`].

use std::ops::Range;

use tlstax_doc::{Algorithm, Cost};
use tlstax_names::did_you_mean;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::library::{Library, Prefix};
use super::meaning::{CURVE, Hint, Kernel, Operation, Part, Task};
use super::patterns::Patterns;

/// A file of rules that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{file}, line {line}: {problem}; {remedy}")]
pub struct RulesError {
    pub file: String,
    pub line: usize,
    pub problem: String,
    pub remedy: String,
}

/// What a rules file may have at its top.
const KEYS: [&str; 10] = [
    "title",
    "extends",
    "prefixes",
    "modules",
    "tasks",
    "operations",
    "overhead",
    "algorithms",
    "parts",
    "kernel",
];

/// Only these costs are overheads: they count wherever in TLS they occur.
const OVERHEADS: [Cost; 5] = [Cost::Random, Cost::Provider, Cost::Locks, Cost::Allocation, Cost::RecordCopy];

/// A word of rules, and what it says.
type Word<T> = (&'static str, T);

/// Reads rules; `file` is for messages, and its name is what other files extend.
///
/// # Errors
/// The text is no TOML, or says something that rules do not have, with the line and what to do.
pub fn library(text: &str, file: &str) -> Result<Library, RulesError> {
    let reader = Reader { text, file };
    let document = DeTable::parse(text).map_err(|error| {
        let at = error.span().unwrap_or(text.len()..text.len());
        reader.error(&at, format!("this is no TOML: {}", error.message().replace('\n', ", ")), "correct it")
    })?;
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let mut library = Library { id: name.trim_end_matches(".toml").to_owned(), ..Library::default() };
    let mut rules = 0;
    for (key, value) in document.get_ref() {
        rules += reader.entry(key, value, &mut library)?;
    }
    match rules {
        0 => {
            Err(reader.error(&(0..0), "there is no rule in it".to_owned(), "docs/observe.md has an example"))
        }
        _ => Ok(library),
    }
}

/// Knows the text, for the places of what is wrong.
struct Reader<'a> {
    text: &'a str,
    file: &'a str,
}

impl Reader<'_> {
    fn error(&self, at: &Range<usize>, problem: String, remedy: impl Into<String>) -> RulesError {
        let line = self.text.as_bytes().iter().take(at.start).filter(|one| **one == b'\n').count() + 1;
        RulesError { file: self.file.to_owned(), line, problem, remedy: remedy.into() }
    }

    /// One key at the top of the file; how many rules it has.
    fn entry(
        &self,
        key: &Spanned<impl AsRef<str>>,
        value: &Spanned<DeValue<'_>>,
        into: &mut Library,
    ) -> Result<usize, RulesError> {
        match key.get_ref().as_ref() {
            "title" => self.text_of(value).map(|_| 0),
            "extends" => {
                into.extends = self.texts(value)?.into_iter().map(|(text, _)| text.to_owned()).collect();
                Ok(0)
            }
            "prefixes" => self.prefixes(value, into).map(|()| 0),
            "modules" => self.section(value, &Part::WORDS, &mut into.modules),
            "tasks" => self.section(value, &Task::WORDS, &mut into.tasks),
            "operations" => self.section(value, &operations(), &mut into.operations),
            "overhead" => self.section(value, &OVERHEADS.map(|cost| (cost.word(), cost)), &mut into.overhead),
            "algorithms" => self.section(value, &hints(), &mut into.hints),
            "parts" => self.section(value, &Part::WORDS, &mut into.parts),
            "kernel" => self.section(value, &Kernel::WORDS, &mut into.kernel),
            other => {
                let question = did_you_mean(other, KEYS.into_iter());
                let problem = format!("rules have no key '{other}'");
                Err(self.error(&key.span(), problem, format!("{question} known: {}", KEYS.join(", ")).trim()))
            }
        }
    }

    /// A table of lists of names, by the word of what they mean.
    fn section<T: Copy>(
        &self,
        value: &Spanned<DeValue<'_>>,
        words: &[Word<T>],
        into: &mut Patterns<T>,
    ) -> Result<usize, RulesError> {
        let Some(table) = value.get_ref().as_table() else {
            let problem = "this has to be a table of lists of names".to_owned();
            return Err(self.error(&value.span(), problem, "write `word = [\"name\", \"begin*\"]` below it"));
        };
        let mut rules = 0;
        for (key, names) in table {
            let word = key.get_ref().as_ref();
            let Some((_, meaning)) = words.iter().find(|(known, _)| *known == word) else {
                return Err(self.unknown_word(word, &key.span(), words));
            };
            for (name, at) in self.texts(names)? {
                if name.chars().all(|one| one == '*') {
                    let problem = format!("'{name}' fits every name");
                    return Err(self.error(&at, problem, "write at least a part of a name"));
                }
                into.add(name, *meaning);
                rules += 1;
            }
        }
        Ok(rules)
    }

    fn unknown_word<T>(&self, word: &str, at: &Range<usize>, words: &[Word<T>]) -> RulesError {
        let known = || words.iter().map(|(word, _)| *word);
        let remedy =
            format!("{} known: {}", did_you_mean(word, known()), known().collect::<Vec<_>>().join(", "));
        self.error(at, format!("there is no '{word}' here"), remedy.trim())
    }

    fn prefixes(&self, value: &Spanned<DeValue<'_>>, into: &mut Library) -> Result<(), RulesError> {
        for (text, at) in self.texts(value)? {
            let Some(prefix) = Prefix::new(text) else {
                let problem = format!("the prefix '{text}' has no place for a version");
                return Err(self.error(&at, problem, "write # where the version stands"));
            };
            into.prefixes.push(prefix);
        }
        Ok(())
    }

    fn text_of<'v>(&self, value: &'v Spanned<DeValue<'_>>) -> Result<&'v str, RulesError> {
        let text = value.get_ref().as_str().filter(|text| !text.is_empty());
        let problem = || self.error(&value.span(), "this has to be a text".to_owned(), "put it in quotes");
        text.ok_or_else(problem)
    }

    fn texts<'v>(&self, value: &'v Spanned<DeValue<'_>>) -> Result<Vec<(&'v str, Range<usize>)>, RulesError> {
        let list = value.get_ref().as_array().filter(|list| !list.is_empty());
        let problem = "this has to be a list of at least one name".to_owned();
        let list = list.ok_or_else(|| self.error(&value.span(), problem, "write [\"name\"]"))?;
        list.iter().map(|one| Ok((self.text_of(one)?, one.span()))).collect()
    }
}

fn operations() -> Vec<Word<Operation>> {
    let costs = Cost::ALL.iter().map(|cost| (cost.word(), Operation::Is(*cost)));
    costs.chain(Operation::WORDS).collect()
}

fn hints() -> Vec<Word<Hint>> {
    let algorithms = Algorithm::ALL.iter().map(|one| (one.word(), Hint::Is(*one)));
    algorithms.chain([(CURVE, Hint::Curve)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(text: &str) -> String {
        library(text, "mine.toml").unwrap_err().to_string()
    }

    #[test]
    fn a_complaint_names_the_line_and_the_remedy() {
        assert_eq!(
            complaint("title = \"x\"\n[operations]\nsignatur = [\"f\"]").split(" known:").next().unwrap(),
            "mine.toml, line 3: there is no 'signatur' here; did you mean signature?"
        );
        assert!(
            complaint("[operation]\nsignature = [\"f\"]").contains("line 1: rules have no key 'operation'")
        );
        assert!(complaint("[operation]\nsignature = [\"f\"]").contains("did you mean operations?"));
        assert!(complaint("").contains("there is no rule in it"));
        assert!(complaint("title = \"only\"").contains("there is no rule in it"));
        assert!(complaint("\n[tasks]\nrecord = []").contains("line 3: this has to be a list"));
        assert!(complaint("[tasks]\nrecord = [\"*\"]").contains("fits every name"));
        assert!(complaint("[tasks]\nrecord = \"f\"").contains("this has to be a list"));
        assert!(complaint("[tasks]\nrecord = [3]").contains("this has to be a text"));
        assert!(complaint("tasks = 3").contains("has to be a table"));
        assert!(complaint("[overhead]\nsignature = [\"f\"]").contains("known: random, provider"));
        assert!(complaint("prefixes = [\"a_\"]").contains("write # where the version stands"));
        assert!(complaint("[tasks\n").contains("line 1: this is no TOML"));
    }
}
