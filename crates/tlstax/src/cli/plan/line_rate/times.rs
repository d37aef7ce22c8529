//! Time to encrypt beside time to send.

use tlstax_plan::line::{Line, Stream, seconds_to_encrypt};
use tlstax_report::{Cell, Column, Quantity, Row, Section, Table};

use super::answer::name;
use super::asked::{Asked, named};
use super::telling;
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
    let sentences = telling(streams).next().map(|stream| {
        asked.lines.iter().map(|line| sentence(asked, stream, *line, bytes)).collect::<Vec<_>>()
    });
    Section::new("time", "Time to encrypt and to send", INTRO)
        .with([table])
        .saying(sentences.unwrap_or_default())
}

fn row(label: String, cells: [Cell; 2]) -> Row {
    Row::plain([Cell::from(label)].into_iter().chain(cells).collect())
}

/// Who waits for whom.
fn sentence(asked: &Asked, stream: &Stream, line: Line, bytes: f64) -> String {
    let Ok(ns) = &stream.sends else { return String::new() };
    let [encrypt, send] = [seconds_to_encrypt(bytes, 1e9 / ns.value), line.seconds_to_send(bytes)];
    let cores = stream.cores(*ns, line, &asked.packet).value.ceil();
    let who = match encrypt > send {
        true => format!("the line waits for one core; {cores} fill it"),
        false => "the core waits for the line".to_owned(),
    };
    format!(
        "{} take {} s to encrypt with {} and {} s to send over {}: {who}.",
        size(bytes),
        exactly(encrypt),
        name(stream),
        exactly(send),
        named(line)
    )
}
