//! Of which format lines may be.

use super::known::{Known, known_formats};
use super::log::{AccessLog, Memory};
use crate::line::Lines;
use crate::tally::Tally;

/// One line in so many may be broken.
const BROKEN: usize = 10;

/// The formats that lines may be of, several if they fit equally well. Whether lines of `combined` are nginx's or Apache's, nobody
/// can tell.
pub fn fitting_formats(lines: &[&[u8]]) -> Vec<&'static Known> {
    let mut fitting: Vec<(&Known, usize)> = known_formats()
        // Its lines are of the combined format to whoever does not know what the second field is.
        .filter(|known| known.word != "lighttpd")
        .map(|known| (known, bad(known, lines)))
        .filter(|(_, bad)| !lines.is_empty() && bad * BROKEN <= lines.len())
        .collect();
    let fewest = fitting.iter().map(|(_, bad)| *bad).min();
    fitting.retain(|(_, bad)| Some(*bad) == fewest);
    fitting.into_iter().map(|(known, _)| known).collect()
}

/// How many lines are not of a format. Those that are nobody's requests are no sign of it.
fn bad(known: &Known, lines: &[&[u8]]) -> usize {
    let log = AccessLog::new(known.layout());
    let (mut memory, mut tally) = (Memory::default(), Tally::default());
    let mut is_seen = |line: &[u8]| matches!(log.read(line, &mut memory, &mut tally), Ok(Some(_)));
    lines.iter().filter(|line| !is_seen(line)).count()
}
