//! [`JsonLog`]: logs with an object of JSON in each line.

mod dialect;
mod paths;
mod visit;

use std::collections::BTreeSet;

use serde_json::error::Category;
use tlstax_doc::{Bad, PassedOver, Tell};

use self::paths::Paths;
use super::entry::{Entries, seen};
use super::field::{ENVOY, Field, HAPROXY, NGINX, Names, best, of_name};
use super::memory::Memory;
use super::tells::tells;
use super::value::{Record, Value};
use crate::classes::Classes;
use crate::line::Lines;
use crate::seen::Seen;
use crate::tally::Tally;

pub use self::dialect::{DIALECTS, Dialect};

/// A log with an object of JSON in each line: where in it our fields stand.
#[derive(Debug, Clone)]
pub struct JsonLog {
    format: &'static str,
    paths: Paths,
    entries: Entries,
    /// An object without one of these is of something else.
    needs: &'static [Field],
    fields: Vec<Field>,
    classes: Classes,
}

/// A field that a JSON log does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadField {
    #[error("'{0}' maps no field: write FIELD=PATH, such as suite=tls.cipher")]
    Form(String),
    #[error("no field is called '{word}'; known: {}", known())]
    Unknown { word: String },
}

/// The fields that a user can map.
fn known() -> String {
    let mapped = Field::ALL.into_iter().filter(|field| field.tell().is_some());
    mapped.map(Field::word).collect::<Vec<_>>().join(", ")
}

impl JsonLog {
    /// The log of a program with paths of its own.
    pub fn of_dialect(dialect: &Dialect) -> Self {
        Self {
            format: dialect.format,
            paths: Paths::of(dialect.paths.iter().copied()),
            entries: dialect.entries,
            needs: dialect.needs,
            fields: dialect.paths.iter().map(|(_, field)| *field).collect(),
            classes: Classes::default(),
        }
    }

    /// The log of a program whose keys are known: `caddy`, `zeek-ssl`, `zeek-conn`.
    pub fn of_program(name: &str) -> Option<Self> {
        DIALECTS.iter().find(|dialect| dialect.name == name).map(Self::of_dialect)
    }

    /// A log of Envoy with these keys: which they are is the user's, and he mostly calls them as its command operators.
    pub fn of_envoy<'p>(keys: impl IntoIterator<Item = &'p str>) -> Self {
        let keys: Vec<&str> = keys.into_iter().collect();
        Self::of_keys("envoy", best(ENVOY, |name| keys.contains(&name)))
    }

    /// A log of requests with these paths, whose parts are separated by dots, which the keys may have as well.
    pub fn of_paths<'p>(format: &'static str, paths: impl IntoIterator<Item = (&'p str, Field)>) -> Self {
        let paths: Vec<(&str, Field)> = paths.into_iter().collect();
        Self {
            format,
            paths: Paths::of_either(paths.iter().copied()),
            entries: Entries::Requests,
            needs: &[],
            fields: paths.iter().map(|(_, field)| *field).collect(),
            classes: Classes::default(),
        }
    }

    /// A log of nginx: the keys of its `log_format`, each with the variable that stands there.
    pub fn of_nginx<'p>(pairs: impl IntoIterator<Item = (&'p str, &'p str)>) -> Self {
        Self::of_pairs("nginx", NGINX, pairs)
    }

    /// A log of HAProxy: the keys of its `log-format`, each with the fetch or alias that stands there.
    pub fn of_haproxy<'p>(pairs: impl IntoIterator<Item = (&'p str, &'p str)>) -> Self {
        Self::of_pairs("haproxy", HAPROXY, pairs)
    }

    fn of_pairs<'p>(
        format: &'static str,
        names: Names,
        pairs: impl IntoIterator<Item = (&'p str, &'p str)>,
    ) -> Self {
        let known = pairs.into_iter().filter_map(|(key, name)| Some((key, of_name(names, name)?)));
        Self::of_keys(format, known)
    }

    /// A log whose keys are of the uppermost object and may have dots in them.
    pub fn of_keys<'p>(format: &'static str, keys: impl IntoIterator<Item = (&'p str, Field)>) -> Self {
        let keys: Vec<(&str, Field)> = keys.into_iter().collect();
        let fields = keys.iter().map(|(_, field)| *field).collect();
        let paths = Paths::of_keys(keys.iter().copied());
        Self { paths, fields, ..Self::of_paths(format, []) }
    }

    /// A log whose fields a user maps, each as `suite=tls.cipher`.
    ///
    /// # Errors
    /// One is not of the form, or no field of ours.
    pub fn of_mapping<'p>(mapping: impl IntoIterator<Item = &'p str>) -> Result<Self, BadField> {
        let pair = |text: &'p str| {
            let (word, path) = text.split_once('=').ok_or_else(|| BadField::Form(text.to_owned()))?;
            let field = Field::of_word(word).filter(|field| field.tell().is_some());
            Ok((path, field.ok_or_else(|| BadField::Unknown { word: word.to_owned() })?))
        };
        Ok(Self::of_paths("json", mapping.into_iter().map(pair).collect::<Result<Vec<_>, _>>()?))
    }

    /// The same with classes of server names.
    pub fn with_classes(self, classes: Classes) -> Self {
        Self { classes, ..self }
    }
}

impl Lines for JsonLog {
    type Memory = Memory;

    fn format(&self) -> &'static str {
        self.format
    }

    fn tells(&self) -> BTreeSet<Tell> {
        tells(self.entries, &self.fields, &self.classes)
    }

    fn read(&self, line: &[u8], memory: &mut Memory, tally: &mut Tally) -> Result<Option<Seen>, Bad> {
        let record = self.record(line)?;
        let is_there = |field: &Field| *record.get(*field) != Value::Absent;
        let says = self.fields.iter().any(|field| *field != Field::Time && is_there(field));
        if !says || !self.needs.iter().all(is_there) {
            tally.pass_over(PassedOver::NoRequest);
            return Ok(None);
        }
        seen(self.entries, &record, &self.classes, &mut memory.times, tally)
    }
}

impl JsonLog {
    /// What an object says of our fields. There may be something before it, such as the time and the program that syslog writes.
    fn record<'l>(&self, line: &'l [u8]) -> Result<Record<'l>, Bad> {
        let line = &line[memchr::memchr(b'{', line).ok_or(Bad::Json)?..];
        let mut record = Record::default();
        visit::read(line, &self.paths, &mut record).map_err(|error| match error.classify() {
            Category::Eof => Bad::Cut,
            _ => Bad::Json,
        })?;
        Ok(record)
    }
}
