//! [`ZeekLog`]: `ssl.log` and `conn.log` of Zeek in its own form, lines with separators under a header.

use std::collections::BTreeSet;

use tlstax_doc::{Bad, PassedOver, Tell};

use super::entry::{Entries, seen};
use super::field::Field;
use super::json::{DIALECTS, Dialect};
use super::memory::Memory;
use super::tells::tells;
use super::value::{Record, Value};
use crate::classes::Classes;
use crate::line::Lines;
use crate::seen::Seen;
use crate::tally::Tally;

/// A log of Zeek whose header was read.
#[derive(Debug, Clone)]
pub struct ZeekLog {
    separator: u8,
    /// What stands for no value.
    unset: Vec<u8>,
    /// What stands for an empty text.
    empty: Vec<u8>,
    /// The field of each column.
    columns: Vec<Option<Field>>,
    /// The line of the header that names the columns.
    header: Vec<u8>,
    entries: Entries,
    classes: Classes,
}

/// Why a log of Zeek cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ZeekError {
    #[error("it has no line #fields: give Zeek's file from its first line on")]
    NoFields,
    #[error("it is neither ssl.log nor conn.log of Zeek: give one of those, or both")]
    OtherLog,
}

/// What begins the line of a header that names the columns.
const FIELDS: &[u8] = b"#fields";

impl ZeekLog {
    /// Reads the header, of which more lines may follow.
    ///
    /// # Errors
    /// It is none of a log that says something of TLS.
    pub fn of_header<'l>(lines: impl IntoIterator<Item = &'l [u8]>) -> Result<Self, ZeekError> {
        let mut log = Self::empty();
        for line in lines {
            if let Some(code) = line.strip_prefix(b"#separator \\x") {
                log.separator = hex(code).unwrap_or(log.separator);
            } else if let Some(unset) = log.said(line, b"#unset_field") {
                log.unset = unset.to_vec();
            } else if let Some(empty) = log.said(line, b"#empty_field") {
                log.empty = empty.to_vec();
            } else if log.said(line, FIELDS).is_some() {
                return log.with_columns(line);
            }
        }
        Err(ZeekError::NoFields)
    }

    fn empty() -> Self {
        Self {
            separator: b'\t',
            unset: b"-".to_vec(),
            empty: b"(empty)".to_vec(),
            columns: Vec::new(),
            header: Vec::new(),
            entries: Entries::Handshakes,
            classes: Classes::default(),
        }
    }

    /// What a line of the header says, if it is the one with this name.
    fn said<'l>(&self, line: &'l [u8], name: &[u8]) -> Option<&'l [u8]> {
        line.strip_prefix(name)?.strip_prefix(&[self.separator])
    }

    fn with_columns(self, header: &[u8]) -> Result<Self, ZeekError> {
        let names: Vec<&[u8]> = header.split(|byte| *byte == self.separator).skip(1).collect();
        let has = |key: &str| names.contains(&key.as_bytes());
        let fits =
            |dialect: &&Dialect| dialect.format == "zeek" && dialect.marks.iter().all(|mark| has(mark));
        let dialect = DIALECTS.iter().find(fits).ok_or(ZeekError::OtherLog)?;
        let field = |name: &&[u8]| {
            dialect.paths.iter().find(|(key, _)| key.as_bytes() == *name).map(|(_, field)| *field)
        };
        let columns = names.iter().map(field).collect();
        Ok(Self { columns, header: header.to_vec(), entries: dialect.entries, ..self })
    }

    /// The same with classes of server names.
    pub fn with_classes(self, classes: Classes) -> Self {
        Self { classes, ..self }
    }

    fn value<'l>(&self, cell: &'l [u8]) -> Value<'l> {
        match cell {
            cell if *cell == *self.unset => Value::Absent,
            cell if *cell == *self.empty => Value::text(b""),
            cell => Value::text(cell),
        }
    }

    fn record<'l>(&self, line: &'l [u8]) -> Result<Record<'l>, Bad> {
        let mut record = Record::default();
        let mut cells = Cells { rest: Some(line), separator: self.separator };
        for column in &self.columns {
            let cell = cells.next().ok_or(Bad::Cut)?;
            if let Some(field) = column {
                record.set(*field, self.value(cell));
            }
        }
        match cells.next() {
            Some(_) => Err(Bad::OtherFormat),
            None => Ok(record),
        }
    }
}

impl Lines for ZeekLog {
    type Memory = Memory;

    fn format(&self) -> &'static str {
        "zeek"
    }

    fn tells(&self) -> BTreeSet<Tell> {
        let fields: Vec<Field> = self.columns.iter().flatten().copied().collect();
        tells(self.entries, &fields, &self.classes)
    }

    fn read(&self, line: &[u8], memory: &mut Memory, tally: &mut Tally) -> Result<Option<Seen>, Bad> {
        if line.starts_with(b"#") {
            // Behind the header of another log its columns are not these.
            if line.starts_with(FIELDS) && line != self.header {
                return Err(Bad::OtherFormat);
            }
            tally.pass_over(PassedOver::Empty);
            return Ok(None);
        }
        let record = self.record(line)?;
        seen(self.entries, &record, &self.classes, &mut memory.times, tally)
    }
}

/// The cells of a line.
struct Cells<'l> {
    rest: Option<&'l [u8]>,
    separator: u8,
}

impl<'l> Iterator for Cells<'l> {
    type Item = &'l [u8];

    fn next(&mut self) -> Option<&'l [u8]> {
        let rest = self.rest?;
        let end = memchr::memchr(self.separator, rest);
        self.rest = end.map(|end| &rest[end + 1..]);
        Some(end.map_or(rest, |end| &rest[..end]))
    }
}

fn hex(digits: &[u8]) -> Option<u8> {
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}
