//! [`Structured`]: a log that names its fields.

use std::collections::BTreeSet;

use tlstax_doc::{Bad, Tell};

use super::json::JsonLog;
use super::memory::Memory;
use super::table::Table;
use super::zeek::ZeekLog;
use crate::classes::Classes;
use crate::line::Lines;
use crate::seen::Seen;
use crate::tally::Tally;

/// A log that names its fields.
#[derive(Debug, Clone)]
pub enum Structured {
    Json(JsonLog),
    Zeek(ZeekLog),
    Table(Table),
}

impl Structured {
    /// The same with classes of server names.
    pub fn with_classes(self, classes: Classes) -> Self {
        match self {
            Self::Json(log) => Self::Json(log.with_classes(classes)),
            Self::Zeek(log) => Self::Zeek(log.with_classes(classes)),
            Self::Table(table) => Self::Table(table.with_classes(classes)),
        }
    }
}

impl Lines for Structured {
    type Memory = Memory;

    fn format(&self) -> &'static str {
        match self {
            Self::Json(log) => log.format(),
            Self::Zeek(log) => log.format(),
            Self::Table(table) => table.format(),
        }
    }

    fn tells(&self) -> BTreeSet<Tell> {
        match self {
            Self::Json(log) => log.tells(),
            Self::Zeek(log) => log.tells(),
            Self::Table(table) => table.tells(),
        }
    }

    fn read(&self, line: &[u8], memory: &mut Memory, tally: &mut Tally) -> Result<Option<Seen>, Bad> {
        match self {
            Self::Json(log) => log.read(line, memory, tally),
            Self::Zeek(log) => log.read(line, memory, tally),
            Self::Table(table) => table.read(line, memory, tally),
        }
    }
}
