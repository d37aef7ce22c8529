//! Claims down the side: what was found there, what is so here, and the verdict; and every figure by itself.

use tlstax_claims::{Answer, Here, Missing, Verdict};

use super::words;
use crate::model::{Cell, Column, Row, Table};

pub(super) fn table(answers: &[Answer<'_>]) -> Table {
    let machines = are_several_machines(answers);
    let row = |answer: &Answer<'_>| {
        let claim = format!("{}: {}", answer.claim.id, answer.claim.words);
        let there = Some(words::there(&answer.claim.there)).filter(|there| !there.is_empty());
        let machine = machines.then(|| Cell::from(answer.machine.clone()));
        let here = match answer.verdict {
            Verdict::NotMeasurable => Cell::Hole { reason: words::reason(answer) },
            _ => Some(words::here(answer)).filter(|here| !here.is_empty()).into(),
        };
        let cells = [Cell::text(answer.verdict.name()), Cell::text(claim), there.into()];
        Row::plain(cells.into_iter().chain(machine).chain([here]).collect())
    };
    let machine = machines.then(|| Column::words("machine"));
    let columns = [Column::label("verdict"), Column::words("claim"), Column::words("there").ranked(1)];
    Table {
        caption: String::new(),
        columns: columns.into_iter().chain(machine).chain([Column::words("here")]).collect(),
        rows: answers.iter().map(row).collect(),
    }
}

pub(super) fn are_several_machines(answers: &[Answer<'_>]) -> bool {
    let mut known = answers.iter().filter_map(|answer| answer.machine.as_deref());
    known.next().is_some_and(|first| known.any(|other| other != first))
}

/// Every figure with the cases that it is made from, where it was claimed to lie, and what could not be checked.
pub(super) fn details(answers: &[Answer<'_>]) -> Option<Table> {
    let of_claim = |answer: &Answer<'_>| {
        let label = Cell::text(answer.claim.id.as_str());
        let figure = |here: &Here| {
            let verdict = if here.aside { "shown only" } else { here.verdict.name() };
            let claimed = here.claimed.map(|claimed| claimed.told(here.unit));
            let cells = [
                Cell::text(&here.words),
                Cell::from(words::quantity(here)),
                claimed.into(),
                Cell::text(verdict),
            ];
            Row::plain([label.clone()].into_iter().chain(cells).collect())
        };
        let missing = |missing: &Missing| {
            let verdict = Cell::text(missing.verdict.name());
            let cells = [Cell::text(&missing.why), Cell::Empty, Cell::Empty, verdict];
            Row::plain([label.clone()].into_iter().chain(cells).collect())
        };
        answer.here.iter().map(figure).chain(answer.missing.iter().map(missing)).collect::<Vec<_>>()
    };
    let rows: Vec<Row> = answers.iter().flat_map(of_claim).collect();
    let columns = [
        Column::label("claim"),
        Column::words("what was measured"),
        Column::quantity("here", ""),
        Column::words("claimed"),
        Column::words("verdict"),
    ];
    (!rows.is_empty()).then(|| Table {
        caption: "Every figure, and the cases that it is made from".to_owned(),
        columns: columns.into(),
        rows,
    })
}
