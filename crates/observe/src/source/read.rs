//! Reads a profile in whichever format it is.

use super::detect::detect;
use super::format::Format;
use super::input::Input;
use super::{Facts, SourceError, firefox, folded, perf_data, pprof, script};
use crate::collect::Collector;

/// Reads a profile that somebody has taken: gives its samples to a collector, and says what it says of itself.
///
/// # Errors
/// It cannot be read, is of no format that is known, or has no samples.
pub fn read(input: Input<'_>, into: &mut Collector<'_>) -> Result<Facts, SourceError> {
    let opened = input.open()?;
    if opened.head.is_empty() {
        return Err(SourceError::Empty {
            from: opened.name,
            remedy: "it is empty: see whether what wrote it has ended well".to_owned(),
        });
    }
    let format = opened.format.or_else(|| detect(&opened.head));
    let format = format.ok_or_else(|| {
        opened.failed(
            "profile",
            "its first bytes are of no format that is known",
            "give a perf.data, the text of `perf script`, a pprof, folded stacks, or a profile of the Firefox profiler; \
             where it is one of them, name its format",
        )
    })?;
    let before = into.samples();
    let from = opened.name.clone();
    let facts = match format {
        Format::PerfData => perf_data::read(opened, into),
        Format::PerfScript => script::read(opened, into),
        Format::Pprof => pprof::read(opened, into),
        Format::Folded => folded::read(opened, into),
        Format::Firefox => firefox::read(opened, into),
    }?;
    if into.samples() == before {
        return Err(SourceError::Empty { from, remedy: empty(format, &facts) });
    }
    Ok(facts)
}

/// Why there may be no samples, and what to do; what the source has noted says most.
fn empty(format: Format, facts: &Facts) -> String {
    let remedy = match format {
        Format::PerfData | Format::PerfScript => {
            "record a process that is busy, for some seconds, with an event that counts here, such as `-e cpu-clock`"
        }
        Format::Pprof => "take a CPU profile of a process that is busy, for some seconds",
        Format::Folded => "each line is frames with `;` between them, a space, and a count",
        Format::Firefox => "record a process that is busy, for some seconds",
    };
    let notes: Vec<&str> = facts.notes.iter().map(|note| note.what.as_str()).collect();
    if notes.is_empty() { remedy.to_owned() } else { format!("{}; {remedy}", notes.join("; ")) }
}
