//! What the kernel has written into the text files of /proc and /sys.

use std::fs;
use std::path::Path;

/// How many entries of a folder are looked at.
const ENTRIES: usize = 4096;

/// A file's contents; none if it is missing, unreadable or empty.
pub(crate) fn text(path: impl AsRef<Path>) -> Option<String> {
    fs::read_to_string(path).ok().filter(|text| !text.trim().is_empty())
}

/// A file that holds one value.
pub(crate) fn word(path: impl AsRef<Path>) -> Option<String> {
    text(path).map(|text| text.trim_matches(|end: char| end.is_whitespace() || end == '\0').to_owned())
}

/// A file that holds one number.
pub(crate) fn number<T: std::str::FromStr>(path: impl AsRef<Path>) -> Option<T> {
    word(path)?.parse().ok()
}

/// The names in a folder, in order; none of one that cannot be read.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<String> =
        entries.take(ENTRIES).filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    names
}

/// The number that follows a label at the start of a line.
pub(crate) fn number_after(text: &str, label: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(label))?;
    rest.split_ascii_whitespace().next()?.parse().ok()
}

/// What a process calls itself, which may be anything, in one line.
pub(crate) fn one_line(words: &str) -> String {
    let words = words.trim();
    words.chars().map(|char| if char.is_control() { '?' } else { char }).collect()
}
