//! [`Table`]: rows under a header with the names of our fields, as a query with `group by` gives them.

use std::collections::BTreeSet;

use csv_core::{ReadRecordResult, ReaderBuilder};
use tlstax_doc::{Bad, PassedOver, Tell};

use super::entry::{Entries, seen};
use super::field::Field;
use super::memory::{Cells, Memory};
use super::tells::tells;
use super::value::{Record, Value};
use crate::classes::Classes;
use crate::line::Lines;
use crate::seen::Seen;
use crate::tally::Tally;

/// A table whose header was read.
#[derive(Debug, Clone)]
pub struct Table {
    separator: u8,
    columns: Vec<Field>,
    /// The line of the header: where tables were put one behind the other it comes again.
    header: Vec<u8>,
    classes: Classes,
}

/// Why a table cannot be read. What its header says is not repeated: without a header its first line is about somebody.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    #[error("column {column} of the table has no name that is known; known: {}", known())]
    Unknown { column: usize },
    #[error("columns {first} and {second} of the table have the same name: leave one out")]
    Twice { first: usize, second: usize },
    #[error("the header of the table is no line of CSV: it has to name the columns, of {}", known())]
    NoHeader,
}

/// The columns that a table can have.
fn known() -> String {
    COLUMNS.map(Field::word).join(", ")
}

/// The columns that a table can have.
pub const COLUMNS: [Field; 19] = [
    Field::What,
    Field::Time,
    Field::Seconds,
    Field::Count,
    Field::Protocol,
    Field::Suite,
    Field::Group,
    Field::Key,
    Field::Resumed,
    Field::EarlyData,
    Field::Http,
    Field::ServerName,
    Field::Class,
    Field::ConnectionRequest,
    Field::Requests,
    Field::BytesOut,
    Field::BodyOut,
    Field::BytesIn,
    Field::BodyIn,
];

/// What can stand between columns.
const SEPARATORS: [u8; 3] = [b',', b'\t', b';'];

/// More cells than a row of a table of ours can have.
const MOST_CELLS: usize = 64;

impl Table {
    /// Reads the header.
    ///
    /// # Errors
    /// A column has a name that is not known, or two have the same.
    pub fn of_header(header: &[u8]) -> Result<Self, TableError> {
        let header = bare(header);
        let occurrences = |separator: &u8| header.iter().filter(|byte| *byte == separator).count();
        let separator = SEPARATORS.into_iter().max_by_key(occurrences).unwrap_or(b',');
        let mut cells = Cells::default();
        let names = split(header, separator, &mut cells).map_err(|_| TableError::NoHeader)?;
        let mut columns = Vec::new();
        for (place, name) in names.enumerate() {
            let word = std::str::from_utf8(name).unwrap_or_default().trim();
            let field = COLUMNS.into_iter().find(|field| field.word() == word);
            let field = field.ok_or(TableError::Unknown { column: place + 1 })?;
            if let Some(first) = columns.iter().position(|known| *known == field) {
                return Err(TableError::Twice { first: first + 1, second: place + 1 });
            }
            columns.push(field);
        }
        Ok(Self { separator, columns, header: header.to_vec(), classes: Classes::default() })
    }

    /// The same with classes of server names.
    pub fn with_classes(self, classes: Classes) -> Self {
        Self { classes, ..self }
    }
}

impl Lines for Table {
    type Memory = Memory;

    fn format(&self) -> &'static str {
        "table"
    }

    fn tells(&self) -> BTreeSet<Tell> {
        tells(Entries::Rows, &self.columns, &self.classes)
    }

    fn read(&self, line: &[u8], memory: &mut Memory, tally: &mut Tally) -> Result<Option<Seen>, Bad> {
        let line = bare(line);
        if line == self.header {
            tally.pass_over(PassedOver::Empty);
            return Ok(None);
        }
        let mut record = Record::default();
        let mut cells = split(line, self.separator, &mut memory.cells)?;
        for column in &self.columns {
            let cell = cells.next().ok_or(Bad::Cut)?;
            // Of a value that there is none of, a query writes nothing.
            record.set(*column, if cell.is_empty() { Value::Absent } else { Value::text(cell) });
        }
        if cells.next().is_some() {
            return Err(Bad::OtherFormat);
        }
        seen(Entries::Rows, &record, &self.classes, &mut memory.times, tally)
    }
}

/// Without the end of a line, and without the mark that some programs put before a text.
fn bare(line: &[u8]) -> &[u8] {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// The cells of a row.
///
/// # Errors
/// A quote is not closed, or there are more cells than any table of ours has.
fn split<'c>(
    line: &[u8],
    separator: u8,
    cells: &'c mut Cells,
) -> Result<impl Iterator<Item = &'c [u8]>, Bad> {
    let Cells { text, ends, reader } = cells;
    text.resize(text.len().max(line.len() + 1), 0);
    ends.resize(MOST_CELLS, 0);
    let (_, reader) = match reader {
        Some(known) if known.0 == separator => known,
        unknown => unknown.insert((separator, ReaderBuilder::new().delimiter(separator).build())),
    };
    reader.reset();
    let (mut wrote, mut ended) = (0, 0);
    for part in [line, b"\n"] {
        let (result, _, more, last) = reader.read_record(part, &mut text[wrote..], &mut ends[ended..]);
        (wrote, ended) = (wrote + more, ended + last);
        match result {
            ReadRecordResult::Record => {
                let begins = std::iter::once(0).chain(ends[..ended].iter().copied());
                return Ok(begins.zip(&ends[..ended]).map(|(begin, end)| &text[begin..*end]));
            }
            ReadRecordResult::InputEmpty => {}
            _ => return Err(Bad::OtherFormat),
        }
    }
    // The end of the line is within quotes.
    Err(Bad::Quote)
}
