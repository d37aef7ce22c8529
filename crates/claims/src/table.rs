//! [`Table`]: a table of a TOML file, read key by key; what is wrong is told with its place.

use std::cell::RefCell;
use std::ops::Range;

use tlstax_names::did_you_mean;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::Problem;

/// A table, and the keys that were asked for.
pub(crate) struct Table<'a> {
    /// What it is, as the subject of a sentence: "a claim".
    what: &'static str,
    table: &'a DeTable<'a>,
    /// Where it stands, for what it lacks.
    at: Range<usize>,
    asked: RefCell<Vec<&'static str>>,
}

/// A value with its place.
#[derive(Clone)]
pub(crate) struct Value<'a> {
    pub at: Range<usize>,
    value: &'a DeValue<'a>,
}

/// A text with its place.
pub(crate) type Text<'a> = (&'a str, Range<usize>);

impl<'a> Table<'a> {
    pub fn new(what: &'static str, table: &'a DeTable<'a>, at: Range<usize>) -> Self {
        Self { what, table, at, asked: RefCell::default() }
    }

    /// What it is that the table lacks, or has in a wrong way.
    pub fn problem(&self, what: impl std::fmt::Display) -> Problem {
        Problem::new(&self.at, format!("{} {what}", self.what))
    }

    pub fn get(&self, key: &'static str) -> Option<Value<'a>> {
        self.asked.borrow_mut().push(key);
        let (_, value) = self.table.iter().find(|(name, _)| name.get_ref() == key)?;
        Some(Value::of(value))
    }

    pub fn need(&self, key: &'static str) -> Result<Value<'a>, Problem> {
        self.get(key).ok_or_else(|| {
            self.misspelt(key).unwrap_or_else(|| self.problem(format!("needs the key '{key}'")))
        })
    }

    /// That somebody has written another key where this one is missing, and may have meant it.
    fn misspelt(&self, key: &'static str) -> Option<Problem> {
        let asked = self.asked.borrow();
        let is_meant =
            |name: &str| !asked.contains(&name) && !did_you_mean(name, std::iter::once(key)).is_empty();
        let ((name, at), _) = self.entries().find(|((name, _), _)| is_meant(name))?;
        Some(Problem::new(&at, format!("{} has no key '{name}'; did you mean {key}?", self.what)))
    }

    /// Every key with its place and its value, in the order of the alphabet.
    pub fn entries(&self) -> impl Iterator<Item = (Text<'a>, Value<'a>)> {
        self.table.iter().map(|(name, value)| ((name.get_ref().as_ref(), name.span()), Value::of(value)))
    }

    /// Refuses a key that nobody has asked for.
    pub fn finish(&self) -> Result<(), Problem> {
        let asked = self.asked.borrow();
        let unknown = self.entries().find(|((name, _), _)| !asked.contains(name));
        unknown.map_or(Ok(()), |((name, at), _)| Err(unknown_key(self.what, name, &at, &asked)))
    }
}

/// The complaint about a key that the table does not have.
pub(crate) fn unknown_key(what: &str, name: &str, at: &Range<usize>, known: &[&str]) -> Problem {
    let question = did_you_mean(name, known.iter().copied());
    Problem::new(at, format!("{what} has no key '{name}';{question} known: {}", known.join(", ")))
}

impl<'a> Value<'a> {
    fn of(value: &'a Spanned<DeValue<'a>>) -> Self {
        Self { at: value.span(), value: value.get_ref() }
    }

    pub fn problem(&self, what: impl Into<String>) -> Problem {
        Problem::new(&self.at, what)
    }

    fn is_no(&self, wanted: &str) -> Problem {
        self.problem(format!("{wanted} is wanted, and this is {}", article(self.value.type_str())))
    }

    /// A text that says something.
    pub fn text(&self) -> Result<&'a str, Problem> {
        let text = self.value.as_str().ok_or_else(|| self.is_no("a text in quotation marks"))?;
        match text.trim() {
            "" => Err(self.problem("the text is empty; write what belongs here, or leave the key out")),
            trimmed => Ok(trimmed),
        }
    }

    pub fn truth(&self) -> Result<bool, Problem> {
        self.value.as_bool().ok_or_else(|| self.is_no("true or false"))
    }

    /// A finite number above zero.
    pub fn number(&self) -> Result<f64, Problem> {
        let number = self.value.as_float().map(|float| float.as_str().parse::<f64>());
        let number = number.or_else(|| self.value.as_integer().map(|whole| whole.to_string().parse::<f64>()));
        match number.ok_or_else(|| self.is_no("a number"))? {
            Ok(number) if number.is_finite() && number > 0.0 => Ok(number),
            _ => Err(self.problem("the number must be above 0, and finite")),
        }
    }

    /// One or several of something, as values.
    pub fn list(&self) -> Result<Vec<Self>, Problem> {
        let list = self.value.as_array().ok_or_else(|| self.is_no("a list in square brackets"))?;
        if list.is_empty() {
            return Err(self.problem("the list is empty; name one at least, or leave the key out"));
        }
        Ok(list.iter().map(Value::of).collect())
    }

    pub fn is_list(&self) -> bool {
        self.value.is_array()
    }

    pub fn is_table(&self) -> bool {
        self.value.is_table()
    }

    pub fn table(&self, what: &'static str) -> Result<Table<'a>, Problem> {
        let table = self.value.as_table().ok_or_else(|| self.is_no("a table"))?;
        Ok(Table::new(what, table, self.at.clone()))
    }

    /// A word that names a member of a small set.
    pub fn member<T: Copy>(
        &self,
        what: &str,
        members: &[T],
        name: fn(T) -> &'static str,
    ) -> Result<T, Problem> {
        let text = self.text()?;
        members.iter().copied().find(|member| name(*member) == text).ok_or_else(|| {
            let names = || members.iter().map(|member| name(*member));
            let question = did_you_mean(text, names());
            let known = names().collect::<Vec<_>>().join(", ");
            self.problem(format!("no {what} is called '{text}';{question} known: {known}"))
        })
    }

    /// A word, a number or a truth as a flag of the command line would have it.
    pub fn as_written(&self) -> Result<String, Problem> {
        match self.value {
            DeValue::String(text) => Ok(text.trim().to_owned()),
            DeValue::Integer(whole) => Ok(whole.to_string()),
            DeValue::Boolean(truth) => Ok(truth.to_string()),
            _ => Err(self.is_no("a name, a whole number, or true or false")),
        }
    }
}

fn article(what: &str) -> String {
    let vowel = what.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {what}", if vowel { "an" } else { "a" })
}
