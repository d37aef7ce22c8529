//! [`detect`]: of which formats an input may be, by its first bytes.

use super::access_logs;
use super::named_fields;
use super::settings::Settings;
use crate::capture::is_capture;
use crate::reader::Candidate;
use crate::window::Window;

/// So many lines are looked at.
const LINES: usize = 200;

/// What an input may be.
pub enum Detected {
    /// One or more formats fit.
    Formats(Vec<Candidate>),
    /// None does.
    Nothing,
    /// A capture of packets.
    Capture,
    /// A document of this program, and what to do with it.
    Document(&'static str, &'static str),
}

/// Of which formats an input may be, by its first bytes.
pub fn detect(head: &[u8], settings: &Settings) -> Detected {
    if let Some((what, remedy)) = document(head) {
        return Detected::Document(what, remedy);
    }
    if is_capture(head) {
        return Detected::Capture;
    }
    let lines = lines(head);
    let mut candidates = candidates(&lines, settings);
    let bad: Vec<u64> = candidates.iter().map(|candidate| bad_lines(candidate, &lines)).collect();
    let fewest = bad.iter().copied().min().unwrap_or_default();
    let is_half = fewest * 2 > lines.len() as u64;
    let mut bad = bad.into_iter();
    candidates.retain(|_| bad.next() == Some(fewest) && !is_half);
    match candidates.is_empty() {
        true => Detected::Nothing,
        false => Detected::Formats(candidates),
    }
}

/// Whole lines with something in them; a sole one may be without its end.
pub fn lines(head: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = head.split(|byte| *byte == b'\n').collect();
    if lines.len() > 1 {
        lines.pop();
    }
    let trimmed = lines.into_iter().map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    trimmed.filter(|line| !line.is_empty()).take(LINES).collect()
}

/// How many of some lines a reader cannot read.
fn bad_lines(candidate: &Candidate, lines: &[&[u8]]) -> u64 {
    let mut part = std::sync::Arc::clone(&candidate.reader).part(Window::default());
    let mut bad = 0;
    lines.iter().for_each(|line| part.lines(line, &mut |_, _, _| bad += 1));
    bad
}

/// The documents that this program writes begin alike.
fn document(head: &[u8]) -> Option<(&'static str, &'static str)> {
    let head = &head[..head.len().min(200)];
    let has = |text: &str| memchr::memmem::find(head, text.as_bytes()).is_some();
    if !head.starts_with(b"{\"schema\"") {
        return None;
    }
    if has("\"document\":\"workload\"") {
        return Some((
            "workload",
            "show it with tlstax report, or put several together with tlstax traffic merge",
        ));
    }
    has("\"document\":\"profile\"").then_some(("profile", "show it with tlstax report"))
}

fn candidates(lines: &[&[u8]], settings: &Settings) -> Vec<Candidate> {
    let mut candidates = access_logs::detect(lines, settings);
    candidates.extend(named_fields::detect(lines, &settings.classes));
    candidates
}
