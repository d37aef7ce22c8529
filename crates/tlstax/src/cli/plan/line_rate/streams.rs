//! Tables of streams: what a core does, and the cores that lines take.

use tlstax_doc::model::Bounds;
use tlstax_plan::line::{Line, Stream};
use tlstax_report::{Cell, Column, Quantity, Row, Section, Table};

use super::asked::{Asked, named};
use crate::cli::plan::figures::quantity;

const INTRO: &str = "\
    CPU time for a byte of data, and what lines take of it after all that records, TCP with timestamps, IP and Ethernet (38 bytes for \
    each packet) add. Record layer: data in memory, no kernel. Server and kernel: over loopback, no network card. Cipher alone: neither \
    records nor copies. Many streams share the work of cores as long as these scale (tlstax plan scale).";

pub(super) fn section(asked: &Asked, streams: &[Stream]) -> Section {
    let receive = streams.iter().any(|stream| stream.receives.is_ok());
    let receivers = receive.then(|| cores(asked, streams, "receive", |stream| &stream.receives));
    Section::new("line", "Filling the line", INTRO)
        .with([one_core(asked, streams), cores(asked, streams, "send", |stream| &stream.sends)])
        .with(receivers)
}

/// What one core does.
fn one_core(asked: &Asked, streams: &[Stream]) -> Table {
    let row = |stream: &Stream| {
        let fills = |side: &Result<Bounds, String>| {
            side.clone().map(|ns| quantity(stream.one_core(ns, &asked.packet), "Gbit/s"))
        };
        let bytes = |ns: Bounds| Quantity::between(1.0 / ns.value, 1.0 / ns.high, 1.0 / ns.low, "GB/s");
        let added = Quantity::exact((stream.expansion - 1.0) * 100.0, "%");
        let cells = [
            stream.sends.clone().map(bytes).into(),
            Cell::from(added),
            fills(&stream.sends).into(),
            fills(&stream.receives).into(),
        ];
        Row::plain(labels(stream).into_iter().chain(cells).collect())
    };
    let columns = [
        Column::plain("encrypts", "GB/s").ranked(1),
        Column::plain("records add", "%").ranked(1),
        Column::quantity("one core sends", "Gbit/s"),
        Column::quantity("one core receives", "Gbit/s"),
    ];
    Table {
        caption: format!("One stream, one core: records of {} bytes", asked.record),
        columns: heads().into_iter().chain(columns).collect(),
        rows: streams.iter().map(row).collect(),
    }
}

/// Cores that fill each line, of one side.
fn cores(
    asked: &Asked,
    streams: &[Stream],
    side: &str,
    cost: impl Fn(&Stream) -> &Result<Bounds, String>,
) -> Table {
    let row = |stream: &Stream| {
        let cell = |line: &Line| -> Cell {
            let cores = |ns| quantity(stream.cores(ns, *line, &asked.packet), "cores");
            cost(stream).clone().map(cores).into()
        };
        Row::plain(labels(stream).into_iter().chain(asked.lines.iter().map(cell)).collect())
    };
    let columns = asked.lines.iter().map(|line| Column::plain(named(*line), "cores"));
    Table {
        caption: format!("Cores to {side}"),
        columns: heads().into_iter().chain(columns).collect(),
        rows: streams.iter().filter(|stream| cost(stream).is_ok()).map(row).collect(),
    }
}

fn heads() -> [Column; 3] {
    ["library", "suite", "of what"].map(Column::label)
}

fn labels(stream: &Stream) -> [Cell; 3] {
    let interpolated = if stream.is_interpolated { ", between sizes" } else { "" };
    let basis = format!("{}{interpolated}", stream.basis.name());
    [Cell::text(&*stream.library), Cell::text(&*stream.what), Cell::from(basis)]
}
