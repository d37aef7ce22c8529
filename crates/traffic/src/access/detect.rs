//! Of which format lines may be.

use tlstax_doc::{Kind, Protocol, Tell};

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
    if seen == 0 || speaks_otherwise(&log, &tally) { lines.len() } else { bad }
}

/// Whether the words of the lines are another server's: nginx's log with the same fields as Apache's begins to count its requests at
/// another number, and would be misread.
fn speaks_otherwise(log: &AccessLog, tally: &Tally) -> bool {
    let is_tls = |kind: &&Kind| kind.protocol.is_some_and(Protocol::is_tls);
    let mut of_tls = tally.kinds().iter().filter(is_tls).peekable();
    log.tells().contains(&Tell::Resumed)
        && of_tls.peek().is_some()
        && of_tls.all(|kind| kind.resumed.is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_with_the_fields_of_one_server_and_the_words_of_another_is_not_of_the_first() {
        let fit = |end: &str| {
            let line = format!(
                r#"192.0.2.1 - - [20/Nov/2026:00:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "x" 1 TLSv1.3 TLS_AES_128_GCM_SHA256 {end}"#
            );
            let found = fitting_formats(&[line.as_bytes()]);
            found.iter().map(|known| known.word).collect::<Vec<_>>()
        };
        assert_eq!(fit("Resumed"), ["apache-tls"]);
        assert_eq!(fit("r"), [""; 0]);
    }
}
