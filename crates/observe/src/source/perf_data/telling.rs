//! What a reader of the profile has to know of the recording.

use tlstax_doc::{Note, Unit};

use super::layout::Layout;
use super::opening::Missing;
use super::records::End;
use super::replay::{Chosen, Counts};
use super::stacks::Stacks;
use crate::source::{idle, notes, stack};

/// What a reader of the profile has to know of the recording.
pub fn notes(
    end: &End,
    missing: Option<Missing>,
    layout: &Layout,
    replayed: (&Chosen, &Counts, &Stacks),
) -> Vec<Note> {
    let (chosen, counts, stacks) = replayed;
    let mut all = Vec::new();
    of_file(end, missing, &mut all);
    of_events(layout, chosen, counts, &mut all);
    of_stacks(counts, stacks, &mut all);
    all.extend(stacks.resolver.notes());
    all
}

fn of_file(end: &End, missing: Option<Missing>, all: &mut Vec<Note>) {
    match end {
        End::Whole if missing == Some(Missing::Cut) => all.push(notes::warning(
            "the file ends before what it says of the machine and of the build ids of files",
            "end `perf record` by Ctrl-C, and copy the file whole",
        )),
        End::Whole => {}
        End::Cut(failure) => {
            let why = failure.as_ref().map(|failure| format!(" ({failure})")).unwrap_or_default();
            let what = format!("it was cut{why}; the records before that were read");
            all.push(notes::warning(what, "end `perf record` by Ctrl-C, and copy the file whole"));
        }
        End::Broken => all.push(notes::warning(
            "something in it is no record; those before that were read",
            "record it anew",
        )),
    }
    if missing == Some(Missing::Stream) {
        let what = "build ids stand at the end of the file, and came too late through a pipe";
        all.push(notes::info(format!("{what}: give the file itself")));
    }
}

fn of_events(layout: &Layout, chosen: &Chosen, counts: &Counts, all: &mut Vec<Note>) {
    let others: Vec<_> = counts
        .others
        .iter()
        .filter_map(|(index, count)| Some(format!("{count} of {}", layout.attributes.get(*index)?.event())))
        .collect();
    if !others.is_empty() {
        let (event, others) = (&chosen.event, others.join(", "));
        let what = format!("samples of {event} were read, those of other events left out: {others}");
        all.push(notes::info(what));
    }
    all.extend(idle::told(counts.idle).map(notes::info));
    if chosen.unit == Some(Unit::Samples) {
        let event = &chosen.event;
        let what = format!("its event is {event}, of which no sample says how much CPU time it stands for");
        all.push(notes::warning(what, "record cycles, or cpu-clock where there is no counter"));
    }
    if counts.throttled > 0 {
        let what = format!("the kernel took fewer samples than it was asked for, {} times", counts.throttled);
        all.push(notes::warning(what, "record with a lower frequency (`-F`)"));
    }
    if counts.broken > 0 {
        let what =
            format!("{} samples are not as the recording says they are, and were left out", counts.broken);
        all.push(notes::warning(what, "record it anew"));
    }
}

fn of_stacks(counts: &Counts, stacks: &Stacks, all: &mut Vec<Note>) {
    if stacks.is_of_other_kernel() {
        all.push(notes::info(
            "it is of another kernel than the one that runs here, or of another start of it: the kernel is one frame; `perf \
             script` on that machine has the names",
        ));
    }
    if stacks.of_guests > 0 {
        let what =
            format!("{} samples are of guests of a hypervisor, whose files are not known", stacks.of_guests);
        all.push(notes::warning(what, "record in the guest"));
    }
    if stacks.not_unwound > 0 {
        let what = format!(
            "{} copies of stacks are of another architecture or cannot be unwound",
            stacks.not_unwound
        );
        all.push(notes::warning(what, "print it with `perf script` where it was recorded, and give that"));
    }
    all.extend(stack::told(counts.deep).map(notes::info));
}
