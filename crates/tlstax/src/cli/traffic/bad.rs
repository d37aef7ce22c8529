//! What is said of lines that could not be read.

use tlstax_doc::Workload;
use tlstax_report::Printable;
use tlstax_traffic::{BadEntry, Counted};

use super::args::Args;
use crate::output::warn;

/// Above this share of bad entries the answer is of another log than the user thinks.
const TOO_MANY: f64 = 0.1;

/// So many places are told where nobody asked for the lines.
const PLACES: usize = 3;

/// Says how many lines could not be read and where the first ones are; before everything else where they are too many.
pub fn tell(args: &Args, counted: &Counted) {
    let (bad, entries) = numbers(&counted.workload);
    if bad == 0 {
        return;
    }
    let share = bad as f64 / entries.max(1) as f64;
    if share > TOO_MANY {
        warn(&format!(
            "warning: {bad} of {entries} entries could not be read ({:.0} %), so that what follows is of the others only; the \
             format may be another: say it with --format",
            share * 100.0
        ));
    } else if !args.quiet {
        warn(&format!("{bad} of {entries} entries could not be read"));
    }
    match (args.show_bad, args.quiet && share <= TOO_MANY) {
        (true, _) => counted.bad.iter().for_each(|entry| warn(&shown(entry))),
        (false, true) => {}
        (false, false) => {
            counted.bad.iter().take(PLACES).for_each(|entry| warn(&place(entry)));
            warn("to see them: --show-bad, which prints what may be personal");
        }
    }
}

fn numbers(workload: &Workload) -> (u64, u64) {
    let bad = workload.sources.iter().map(|source| source.bad_entries());
    let entries = workload.sources.iter().map(|source| source.entries);
    (bad.fold(0, u64::saturating_add), entries.fold(0, u64::saturating_add))
}

/// Where an entry is, and what is wrong with it: nothing of what it says.
fn place(entry: &BadEntry) -> String {
    format!("{}, at byte {}: the entry {}", entry.input, entry.at, entry.bad.meaning())
}

fn shown(entry: &BadEntry) -> String {
    let text = entry.text.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
    format!("{}\n  {}", place(entry), &*Printable::line(&text))
}
