//! [`AccessLog`]: reads lines by a layout.

use std::collections::BTreeSet;
use std::sync::Arc;

use tlstax_doc::{Bad, Tell};

use super::field::Word;
use super::layout::Layout;
use super::odd::{Odd, odd};
use super::resolve::resolve;
use super::scan::scan;
use super::syslog;
use super::time::Clock;
use super::values::Values;
use crate::line::Lines;
use crate::seen::Seen;
use crate::tally::Tally;

/// The class of a server's name; none where it is in none.
pub type Classify = Arc<dyn Fn(&[u8]) -> Option<String> + Send + Sync>;

/// Reads lines by a layout.
pub struct AccessLog {
    pub(super) layout: Layout,
    pub(super) classify: Option<Classify>,
    /// The words that make up a kind. The names of servers do only if they are classed.
    pub(super) words: Vec<Word>,
    /// Seconds east of UTC of times that are written without their zone.
    pub(super) offset: i64,
}

/// What is kept from line to line.
#[derive(Debug, Default)]
pub struct Memory {
    pub(super) clock: Clock,
    /// Whether syslog has put something before the last line.
    is_prefixed: bool,
}

impl AccessLog {
    pub fn new(layout: Layout) -> Self {
        let words = layout.words.iter().copied().filter(|word| *word != Word::Server).collect();
        Self { layout, classify: None, words, offset: 0 }
    }

    /// Has servers' names classed, where the log has them.
    pub fn classed_by(self, classify: Classify) -> Self {
        Self { classify: Some(classify), words: self.layout.words.clone(), ..self }
    }

    /// Takes times without a zone as of one so many seconds east of UTC.
    pub fn with_offset(self, seconds: i64) -> Self {
        Self { offset: seconds, ..self }
    }

    /// Takes what fields say, when they could not be read at first sight: something stands before the line, or a text has in it what
    /// ends a field. Returns what else the line is.
    #[cold]
    #[inline(never)]
    fn second_look<'l>(
        &self,
        line: &'l [u8],
        values: &mut Values<'l>,
        memory: &mut Memory,
    ) -> Result<Option<Odd>, Bad> {
        let mut bad = match self.look(line, values, memory) {
            Ok(odd) => {
                memory.is_prefixed = false;
                return Ok(odd);
            }
            Err(bad) => bad,
        };
        if let Some(body) = syslog::behind(line) {
            match self.look(body, values, memory) {
                Ok(odd) => {
                    memory.is_prefixed = true;
                    return Ok(odd);
                }
                Err(behind) => bad = behind,
            }
        }
        if line.contains(&0) { Err(Bad::Nul) } else { Err(bad) }
    }

    fn look<'l>(
        &self,
        line: &'l [u8],
        values: &mut Values<'l>,
        memory: &mut Memory,
    ) -> Result<Option<Odd>, Bad> {
        *values = Values::default();
        let Err(first) = scan(&self.layout, line, &mut memory.clock, values) else { return Ok(None) };
        if let Some(odd) = odd(&self.layout, line, &mut memory.clock) {
            return Ok(Some(odd));
        }
        // What is cut off is not made whole by other ends of its fields.
        if first == Bad::Cut {
            return Err(first);
        }
        *values = resolve(&self.layout, line, &mut memory.clock)?.ok_or(first)?;
        Ok(None)
    }
}

impl Lines for AccessLog {
    type Memory = Memory;

    fn format(&self) -> &'static str {
        self.layout.server.word()
    }

    fn tells(&self) -> BTreeSet<Tell> {
        let mut tells = self.layout.tells();
        if self.classify.is_some() && self.layout.has(Word::Server) {
            tells.insert(Tell::Class);
        }
        tells
    }

    fn read(&self, line: &[u8], memory: &mut Memory, tally: &mut Tally) -> Result<Option<Seen>, Bad> {
        let body = if memory.is_prefixed { syslog::behind(line).unwrap_or(line) } else { line };
        let mut values = Values::default();
        if scan(&self.layout, body, &mut memory.clock, &mut values).is_err()
            && let Some(odd) = self.second_look(line, &mut values, memory)?
        {
            return Ok(self.odd(odd, tally));
        }
        self.seen(&values, tally)
    }
}
