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
        .map(|known| (known, bad(known, lines)))
        .filter(|(_, bad)| !lines.is_empty() && bad * BROKEN <= lines.len())
        .collect();
    let fewest = fitting.iter().map(|(_, bad)| *bad).min();
    fitting.retain(|(_, bad)| Some(*bad) == fewest);
    // What is a server's name there is a dash in the combined format: whatever is of that fits lighttpd's as well.
    let is_combined = fitting.iter().any(|(known, _)| known.word == "combined");
    fitting.retain(|(known, _)| !is_combined || known.word != "lighttpd");
    fitting.into_iter().map(|(known, _)| known).collect()
}

/// How many lines are not of a format; all, if none tells of a request or a connection.
fn bad(known: &Known, lines: &[&[u8]]) -> usize {
    let log = AccessLog::new(known.layout());
    let (mut memory, mut tally) = (Memory::default(), Tally::default());
    let (mut bad, mut seen) = (0, 0);
    for line in lines {
        match log.read(line, &mut memory, &mut tally) {
            Ok(found) => seen += usize::from(found.is_some()),
            Err(_) => bad += 1,
        }
    }
    if seen == 0 { lines.len() } else { bad }
}
