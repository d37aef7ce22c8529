//! [`Lines`]: the lines of a text, in memory that does not grow with it.

use std::io::{self, Read};

use memchr::memchr;

/// No line of a profile is longer: the longest stacks have some thousand functions.
const LONGEST: usize = 1 << 20;

/// A line without its end.
#[derive(Debug, PartialEq, Eq)]
pub enum Line<'b> {
    Text(&'b [u8]),
    /// Longer than any line of a profile; left out.
    TooLong,
}

/// Whoever makes samples of the lines of a text.
pub trait TakeLines {
    /// Takes a line, without its end.
    fn take(&mut self, line: &[u8]);

    /// A line was left out, see [`Line::TooLong`].
    fn too_long(&mut self);

    /// Samples that were made of the lines so far.
    fn samples(&self) -> u64;
}

/// The lines of a text.
pub struct Lines<R> {
    from: R,
    buffer: Box<[u8]>,
    /// What is read and not yet given.
    start: usize,
    end: usize,
}

impl<R: Read> Lines<R> {
    pub fn new(from: R) -> Self {
        Self { from, buffer: vec![0; LONGEST].into_boxed_slice(), start: 0, end: 0 }
    }

    /// The next line; none at the end. A failure to read comes after all lines before it.
    pub fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        let (mut searched, mut is_too_long) = (self.start, false);
        loop {
            if let Some(at) = memchr(b'\n', &self.buffer[searched..self.end]) {
                let line = self.start..searched + at;
                self.start = line.end + 1;
                let line = if is_too_long { Line::TooLong } else { Line::Text(trimmed(&self.buffer[line])) };
                return Ok(Some(line));
            }
            if self.start > 0 {
                self.buffer.copy_within(self.start..self.end, 0);
                self.end -= self.start;
                self.start = 0;
            }
            if self.end == self.buffer.len() {
                (is_too_long, self.end) = (true, 0);
            }
            searched = self.end;
            if self.read_more()? == 0 {
                let line = 0..std::mem::take(&mut self.end);
                return Ok(match (is_too_long, line.is_empty()) {
                    (true, _) => Some(Line::TooLong),
                    (false, true) => None,
                    (false, false) => Some(Line::Text(trimmed(&self.buffer[line]))),
                });
            }
        }
    }

    fn read_more(&mut self) -> io::Result<usize> {
        loop {
            match self.from.read(&mut self.buffer[self.end..]) {
                Ok(read) => {
                    self.end += read;
                    return Ok(read);
                }
                Err(failure) if failure.kind() == io::ErrorKind::Interrupted => {}
                Err(failure) => return Err(failure),
            }
        }
    }
}

/// Without the end of a line as Windows has it.
fn trimmed(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &[u8]) -> Vec<Option<Vec<u8>>> {
        let mut lines = Lines::new(text);
        let mut all = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            all.push(match line {
                Line::Text(line) => Some(line.to_vec()),
                Line::TooLong => None,
            });
        }
        all
    }

    #[test]
    fn lines_come_without_their_ends_and_the_last_one_needs_none() {
        assert_eq!(all(b"a\r\n\nbc"), [Some(b"a".to_vec()), Some(Vec::new()), Some(b"bc".to_vec())]);
        assert_eq!(all(b"a\n"), [Some(b"a".to_vec())]);
        assert!(all(b"").is_empty());
    }

    #[test]
    fn a_line_over_the_limit_is_left_out_and_nothing_else() {
        let mut text = b"before\n".to_vec();
        text.extend(std::iter::repeat_n(b'x', 3 * LONGEST + 5));
        text.extend(b"\nafter\n");
        assert_eq!(all(&text), [Some(b"before".to_vec()), None, Some(b"after".to_vec())]);
        assert_eq!(all(&text[..7 + 2 * LONGEST]), [Some(b"before".to_vec()), None]);
    }

    #[test]
    fn lines_are_whole_wherever_the_buffer_ends() {
        let line = "n".repeat(1000);
        let text = format!("{line}\n").repeat(3000);
        let lines = all(text.as_bytes());
        assert_eq!(lines.len(), 3000);
        assert!(lines.iter().all(|one| one.as_deref() == Some(line.as_bytes())));
    }
}
