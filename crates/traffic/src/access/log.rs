//! [`AccessLog`]: reads lines by a layout.

use std::collections::BTreeSet;
use std::sync::Arc;

use tlstax_doc::{Bad, PassedOver, Tell};

use super::field::Word;
use super::layout::Layout;
use super::odd::{Odd, odd};
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

    /// What fields say, when they could not be read at first sight: something stands before the line, or a text has in it what ends
    /// a field.
    #[cold]
    #[inline(never)]
    fn second_look<'l>(&self, line: &'l [u8], first: Bad, memory: &mut Memory) -> Result<Looked<'l>, Bad> {
        let bodies = [Some(line), syslog::behind(line)];
        let mut worst = first;
        for (at, body) in bodies.into_iter().enumerate() {
            let Some(body) = body else { continue };
            match self.look(body, memory) {
                Ok(looked) => {
                    memory.is_prefixed = at == 1;
                    return Ok(looked);
                }
                Err(bad) => worst = bad,
            }
        }
        if line.contains(&0) { Err(Bad::Nul) } else { Err(worst) }
    }

    fn look<'l>(&self, line: &'l [u8], memory: &mut Memory) -> Result<Looked<'l>, Bad> {
        let mut values = Values::default();
        let first = match scan(&self.layout, line, &mut memory.clock, &mut values) {
            Ok(()) => return Ok(Looked::Values(values)),
            Err(bad) => bad,
        };
        if let Some(odd) = odd(&self.layout, line, &mut memory.clock) {
            return Ok(Looked::Odd(odd));
        }
        // What is cut off is not made whole by other ends of its fields.
        if first == Bad::Cut {
            return Err(first);
        }
        match super::resolve::resolve(&self.layout, line, &mut memory.clock)? {
            Some(values) => Ok(Looked::Values(values)),
            None => Err(first),
        }
    }
}

/// What a line is, on a second look.
enum Looked<'l> {
    Values(Values<'l>),
    Odd(Odd),
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
        if let Err(bad) = scan(&self.layout, body, &mut memory.clock, &mut values) {
            match self.second_look(line, bad, memory)? {
                Looked::Values(found) => values = found,
                Looked::Odd(Odd::FailedHandshake(at)) => return Ok(Some(self.failed(at, tally))),
                Looked::Odd(Odd::Empty) => {
                    tally.pass_over(PassedOver::Empty);
                    return Ok(None);
                }
                Looked::Odd(Odd::Other) => {
                    tally.pass_over(PassedOver::NoRequest);
                    return Ok(None);
                }
            }
        }
        self.seen(&values, tally)
    }
}
