//! This machine beside machines whose figures were published.

mod figures;
mod operations;
mod problem;
mod ratios;
mod reading;
mod row;
mod transfers;

use tlstax_spec::{Load, Primitive};

pub use self::figures::Published;
pub use self::problem::PublishedProblem;
use crate::ask::{Facts, Item};
use crate::loads::is_transfer;
use crate::model::{Block, Section};
use crate::notes::sorted_notes;

const OPERATIONS: &str = "\
    The figures of other machines are as published: their software, its age and its way of calling differ from what was \
    measured here. Where it was measured, openssl speed's own way of calling is compared. A figure whose size was not \
    published stands beside the largest messages here.";

const TRANSFERS: &str = "\
    Transfers were published as MiB in a second of elapsed time, and in a second of the client's CPU time in user space; \
    the kernel's part and the server are not in it, and the file, the network and the programs are others. Uploads here \
    are forms where those were measured. \"here\" is this machine's speed as a multiple.";

pub(crate) fn section(facts: &Facts<'_>, published: &Published) -> Option<Section> {
    let (primitives, loads) = (primitives(facts), transfers(facts));
    let largest = primitives.iter().map(|item| item.work.size).max();
    let operations = largest.filter(|_| !published.operations.is_empty());
    let mut answers = Vec::new();
    let operations = operations.map(|largest| {
        let notes = sorted_notes(figures::unmatched(&primitives, published, largest));
        let (blocks, found) = operations::blocks(&primitives, published, largest);
        answers = found;
        (blocks, notes)
    });
    let are_transfers = !loads.is_empty() && !published.transfers.is_empty();
    let transfers = are_transfers.then(|| {
        let notes = sorted_notes(transfers::unmatched(&loads, published));
        (transfers::blocks(&loads, published), notes)
    });
    let intros = [operations.as_ref().map(|_| OPERATIONS), transfers.as_ref().map(|_| TRANSFERS)];
    let intro = intros.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let both = operations.into_iter().chain(transfers);
    let blocks: Vec<Block> = both.flat_map(|(blocks, notes)| blocks.into_iter().chain(notes)).collect();
    let problems = sorted_notes(published.problems.iter().map(PublishedProblem::note).collect());
    let blocks: Vec<Block> = problems.into_iter().chain(blocks).collect();
    let section = Section::new("published", "Beside published figures", intro);
    (!blocks.is_empty()).then(|| section.with(blocks).answering(answers))
}

fn primitives<'a>(facts: &'a Facts<'a>) -> Vec<Item<'a, Primitive>> {
    let mut items = facts.primitives();
    items.retain(|item| item.case.threads == 1 && !item.is_control());
    items
}

fn transfers<'a>(facts: &'a Facts<'a>) -> Vec<Item<'a, Load>> {
    let mut items = facts.loads();
    items.retain(|item| item.case.threads == 1 && is_transfer(item.work));
    items
}
