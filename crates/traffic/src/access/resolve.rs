//! Reading a line that is not to be read at first sight: a text of it has what ends a field. All ways of reading it are tried; if
//! what counts is the same in all that fit, it is that.

use memchr::memchr;
use tlstax_doc::Bad;

use super::layout::{End, Layout};
use super::scan::{behind, quote};
use super::time::Clock;
use super::values::Values;

/// Places where a field may end that are looked at. Lines of another format are given up soon.
const MOST_TRIES: usize = 1_024;

/// Longer lines are not looked at again: it would take too long.
const LONGEST: usize = 16_384;

/// What the fields of a line say, if all ways of reading it agree on that; none if it cannot be read in any way.
///
/// # Errors
/// There are several ways, or too many to try.
pub fn resolve<'l>(layout: &Layout, line: &'l [u8], clock: &mut Clock) -> Result<Option<Values<'l>>, Bad> {
    let mut search = Search { layout, line, clock, tries: 0, found: None, is_ambiguous: false };
    if line.len() <= LONGEST
        && let Some(at) = behind(line, 0, &layout.before)
    {
        search.go_on(0, at, Values::default());
    }
    match (search.is_ambiguous, search.found) {
        (true, _) => Err(Bad::Quote),
        // Another way may be among those that were not tried.
        (false, Some(_)) if search.tries >= MOST_TRIES => Err(Bad::Quote),
        (false, found) => Ok(found),
    }
}

struct Search<'a, 'l> {
    layout: &'a Layout,
    line: &'l [u8],
    clock: &'a mut Clock,
    tries: usize,
    found: Option<Values<'l>>,
    is_ambiguous: bool,
}

impl<'l> Search<'_, 'l> {
    /// Reads on from a step and a place.
    fn go_on(&mut self, step: usize, at: usize, values: Values<'l>) {
        let Some(next) = self.layout.steps.get(step) else {
            if at == self.line.len() || self.layout.has_open_end {
                self.is_ambiguous |= self.found.is_some_and(|found| found != values);
                self.found = Some(values);
            }
            return;
        };
        let mut end = at;
        while !self.is_ambiguous && self.tries < MOST_TRIES {
            let Some((found, behind)) = self.end_of(step, end) else { return };
            let mut values = values;
            if values.set(&next.field, &self.line[at..found], self.clock).is_ok() {
                self.go_on(step + 1, behind, values);
            }
            // A server that escapes quotes has no other in a field.
            if next.end == End::Quote {
                return;
            }
            end = found + 1;
        }
    }

    /// Where a field may end, from a place on, and what is behind its literal.
    fn end_of(&mut self, step: usize, mut from: usize) -> Option<(usize, usize)> {
        self.tries += 1;
        let step = &self.layout.steps[step];
        let Some(first) = step.literal.first() else {
            // What tells its own end is read by the scanner alone.
            let end = self.line.len();
            return (step.end == End::Line && from <= end).then_some((end, end));
        };
        if step.end == End::Quote {
            let end = quote(self.line, from)?;
            return Some((end, behind(self.line, end, &step.literal)?));
        }
        loop {
            let at = from + memchr(*first, self.line.get(from..)?)?;
            if let Some(next) = behind(self.line, at, &step.literal) {
                return Some((at, next));
            }
            self.tries += 1;
            if self.tries >= MOST_TRIES {
                return None;
            }
            from = at + 1;
        }
    }
}
