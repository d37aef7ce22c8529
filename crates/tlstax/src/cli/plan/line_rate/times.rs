//! Time to encrypt beside time to send.

use tlstax_plan::line::{Line, Stream, seconds_to_encrypt};
use tlstax_report::{Cell, Column, Quantity, Row, Section, Table};

use super::asked::{Asked, named};
use super::telling::{name, telling};
use crate::cli::plan::figures::{exactly, size};

const INTRO: &str = "\
    Arithmetic: the bytes by what one core encrypts in a second, and by what the line takes in a second, once without and once with all \
    that is added to them.";

pub(super) fn section(asked: &Asked, streams: &[Stream], bytes: f64) -> Section {
    let encrypt = telling(streams).filter_map(|stream| {
        let ns = stream.sends.as_ref().ok()?;
        let seconds = seconds_to_encrypt(bytes, 1e9 / ns.value);
        let [low, high] = [ns.low, ns.high].map(|ns| bytes * ns / 1e9);
        let cells = [Cell::from(Quantity::between(seconds, low, high, "s")), Cell::Empty];
        Some(row(format!("encrypt: {}", name(stream)), cells))
    });
    let send = asked.lines.iter().map(|line| {
        let whole = telling(streams).next().map(|stream| bytes / stream.data(*line, &asked.packet));
        let seconds = Quantity::exact(line.seconds_to_send(bytes), "s");
        row(
            format!("send over {}", named(*line)),
            [seconds.into(), whole.map(|whole| Quantity::exact(whole, "s")).into()],
        )
    });
    let table = Table {
        caption: format!("{}: to encrypt on one core, and to send", size(bytes)),
        columns: vec![Column::label(""), Column::quantity("time", "s"), Column::plain("with headers", "s")],
        rows: encrypt.chain(send).collect(),
    };
    Section::new("time", "Time to encrypt and to send", INTRO).with([table])
}

fn row(label: String, cells: [Cell; 2]) -> Row {
    Row::plain([Cell::from(label)].into_iter().chain(cells).collect())
}

/// Who waits for whom: on the fastest line that one core fills, and on the slowest that it does not.
pub(super) fn sentences(asked: &Asked, stream: &Stream, bytes: f64) -> Vec<String> {
    let Ok(ns) = stream.sends else { return Vec::new() };
    let cores = |line: Line| stream.cores(ns, line, &asked.packet).value;
    let kept = asked.lines.iter().rev().find(|line| cores(**line) <= 1.0);
    let missed = asked.lines.iter().find(|line| cores(**line) > 1.0);
    let encrypt = seconds_to_encrypt(bytes, 1e9 / ns.value);
    let said = |line: &Line| {
        let who = match cores(*line) {
            enough if enough <= 1.0 => "the core waits for the line".to_owned(),
            cores => format!("the line waits for one core, and {} fill it", cores.ceil()),
        };
        let [encrypt, send] = [encrypt, line.seconds_to_send(bytes)].map(exactly);
        let (bytes, name, line) = (size(bytes), name(stream), named(*line));
        format!("{bytes} take {encrypt} s to encrypt with {name} and {send} s to send over {line}: {who}.")
    };
    kept.into_iter().chain(missed).map(said).collect()
}
