//! Large files that were both moved here and published: a table for each client and direction, ciphers down, machines
//! across.

use tlstax_doc::{Metric, Note, Severity};
use tlstax_spec::{Direction, Load};

use super::figures::{Published, Transfer};
use crate::ask::{Item, distinct, grouped};
use crate::grid::{Grid, Measure};
use crate::loads::{Ends, SPEED, speed, speed_in_user_space};
use crate::model::{Block, Quantity, Table};
use crate::notes::note;
use crate::number;

type Found<'a> = Item<'a, Load>;

/// The two figures of a transfer, each with the same one here.
const FIGURES: &[Figure] = &[
    Figure {
        what: "MiB in a second of elapsed time",
        there: |transfer| transfer.speed,
        here: |item| speed(item, Metric::Wall),
    },
    Figure {
        what: "MiB in a second of the client's CPU time in user space",
        there: |transfer| transfer.client_speed,
        here: |item| speed_in_user_space(item, Metric::Client),
    },
];

struct Figure {
    what: &'static str,
    there: fn(&Transfer) -> Option<f64>,
    here: fn(&Found<'_>) -> Result<Quantity, String>,
}

pub(super) fn blocks(items: &[Found<'_>], published: &Published) -> Vec<Block> {
    let by_way = grouped(&published.transfers, |transfer| (&transfer.client, transfer.direction));
    let of_way = |(_, transfers): (_, Vec<&Transfer>)| {
        let ours: Vec<Found<'_>> =
            items.iter().filter(|item| transfers[0].is_moved_as(item)).copied().collect();
        FIGURES
            .iter()
            .filter_map(|figure| figure.table(&ours, &transfers))
            .map(Block::from)
            .collect::<Vec<_>>()
    };
    by_way.into_iter().flat_map(of_way).collect()
}

/// What was published and not measured here, in one note.
pub(super) fn unmatched(items: &[Found<'_>], published: &Published) -> Vec<Note> {
    let is_missed = |transfer: &&Transfer| {
        !items.iter().any(|item| transfer.is_moved_as(item) && transfer.is_suite_of(item))
    };
    let missed = published.transfers.iter().filter(is_missed);
    let named =
        missed.map(|transfer| format!("{} by {}, {}", transfer.name, transfer.client, transfer.direction));
    let named = distinct(named, String::clone);
    if named.is_empty() {
        return Vec::new();
    }
    let what = format!("transfers that were published and not measured in this run: {}", named.join("; "));
    vec![note(Severity::Info, what, "tlstax measure large-transfer has them")]
}

impl Transfer {
    /// Whether a load has such a client and the same direction; a library that is its own client stands beside any client.
    fn is_moved_as(&self, item: &Found<'_>) -> bool {
        let program = self.client.split(' ').next().unwrap_or_default();
        let client = item.work.client.as_str();
        self.direction == item.work.direction && (program == client || client == item.library())
    }

    fn is_suite_of(&self, item: &Found<'_>) -> bool {
        self.suite == item.work.params.map(|params| params.suite)
    }
}

impl Figure {
    /// Ciphers that both have, the ends of each transfer here, and each machine that was published.
    fn table(&self, ours: &[Found<'_>], transfers: &[&Transfer]) -> Option<Table> {
        let Transfer { client, direction, .. } = transfers[0];
        let is_of_both = |transfer: &&&Transfer| {
            (self.there)(transfer).is_some() && ours.iter().any(|item| transfer.is_suite_of(item))
        };
        let of_both = transfers.iter().filter(is_of_both);
        let rows = distinct(of_both.copied(), |transfer| transfer.suite);
        let ends = distinct(ours.iter().map(Ends::of), |ends| *ends);
        let machines = distinct(transfers.iter().map(|transfer| transfer.machine.as_str()), |name| *name);
        let here = ends.iter().map(|ends| {
            let cell = move |row: &&Transfer| best(ours, row, Some(*ends)).map(|item| (self.here)(&item));
            Measure::quantity(format!("here: {}", ends.server), SPEED, cell).where_found()
        });
        let there = machines.iter().map(|machine| {
            let cell = move |row: &&Transfer| {
                let is_it =
                    |transfer: &&&Transfer| transfer.machine == *machine && transfer.suite == row.suite;
                let value = transfers.iter().find(is_it).and_then(|transfer| (self.there)(transfer))?;
                let here = best(ours, row, None).and_then(|item| (self.here)(&item).ok());
                Some(Quantity::exact(value, SPEED).aside(here.map(|here| times(here.value / value))))
            };
            Measure::plain(*machine, SPEED, cell).where_found()
        });
        Grid::new(["cipher"], rows.into_iter().map(|row| ([row.name.clone()], row)))
            .measures(here)
            .measures(there)
            .table(format!("{direction} by {client}: {}", self.what))
    }
}

/// The transfer here that is most like a published one: a form, a file sent by the kernel, and the largest.
fn best<'a>(ours: &[Found<'a>], row: &Transfer, ends: Option<Ends<'_>>) -> Option<Found<'a>> {
    let fitting = ours.iter().filter(|item| row.is_suite_of(item));
    let fitting = fitting.filter(|item| ends.is_none_or(|ends| Ends::of(item) == ends));
    let likeness = |item: &&Found<'_>| {
        let is_its_own_client = item.work.client.as_str() == item.library();
        let is_form = item.work.direction == Direction::Upload && item.work.form;
        (!is_its_own_client, is_form, item.work.tuning.sendfile, item.work.body)
    };
    fitting.max_by_key(likeness).copied()
}

fn times(factor: f64) -> String {
    format!("here {}x", number::significant(factor, 2))
}
