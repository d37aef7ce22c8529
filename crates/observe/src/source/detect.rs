//! Tells the format of a profile by its first bytes.

use super::format::Format;
use super::{folded, pprof, script};

/// So many lines are looked at.
const LINES: usize = 400;

/// The format by the first bytes, unpacked.
pub fn detect(head: &[u8]) -> Option<Format> {
    if head.starts_with(b"PERFILE2") || head.starts_with(b"2ELIFREP") {
        return Some(Format::PerfData);
    }
    if !is_text(head) {
        return pprof::is_pprof(head).then_some(Format::Pprof);
    }
    if head.trim_ascii_start().starts_with(b"{") {
        return Some(Format::Firefox);
    }
    let lines = || head.split(|byte| *byte == b'\n').take(LINES).filter(|line| !line.trim_ascii().is_empty());
    if lines().any(script::is_of_script) {
        return Some(Format::PerfScript);
    }
    lines().any(folded::is_folded).then_some(Format::Folded)
}

/// Whether it has no control characters but those of text. A pprof begins with some: small numbers in binary.
fn is_text(head: &[u8]) -> bool {
    let is_control = |byte: &u8| *byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x1b);
    !head.iter().take(4096).any(is_control)
}
