//! Large files: how fast they move, what a gigabyte costs each side, and what that is beside plain HTTP.

mod by_cipher;
mod sentences;
mod tables;

use tlstax_spec::Load;

use crate::ask::{Facts, libraries, of_library};
use crate::label::{Labels, TRANSFER};
use crate::loads::{Found, is_null, is_only_a_transfer, is_transfer, remarks};
use crate::model::Section;

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let mut items = facts.loads();
    items.retain(|item| is_transfer(item.work));
    let mut only = items.clone();
    only.retain(|item| is_only_a_transfer(item.work));
    if items.is_empty() {
        return None;
    }
    let labels = Labels::of(TRANSFER, &items);
    let mut section = Section::new("transfers", "Large files", intro(&items, &labels));
    for server in libraries(&items) {
        let own = of_library(&items, server);
        let (speeds, chart) = tables::speeds(&own, &labels, server);
        section = section.with(by_cipher::tables(&own, server));
        section = section.with(speeds).with(tables::costs(&own, &labels, server)).with(chart);
    }
    // The notes of the others stand below the requests.
    if !only.is_empty() {
        section = section.with(remarks(&only));
    }
    Some(section.saying(sentences::sentences(&items)).answering(sentences::answers(&items)))
}

fn intro(items: &[Found<'_>], labels: &Labels<Load>) -> String {
    let mut intro = format!(
        "Over loopback: {}. Transfer: MiB in a second of elapsed time. CPU speed: MiB in a second of CPU time of one \
         side, in user space alone, and with the kernel's part: the speed at which that side is a whole core busy. \
         s/GB: CPU seconds for a decimal gigabyte. Busy: server's / client's share of the elapsed time, * for the \
         limit.",
        labels.unsaid()
    );
    if items.iter().any(|item| !item.work.tuning.sendfile) {
        intro += " With sendfile the kernel sends a file without copying it into the server; encryption in the server \
                 cannot use it, so HTTP stands here with it and without.";
    }
    if items.iter().any(|item| is_null(item.work)) {
        intro += " NULL suites encrypt nothing, and still make a message authentication code of every byte.";
    }
    intro
}
