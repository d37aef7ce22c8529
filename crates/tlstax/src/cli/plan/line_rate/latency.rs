//! The time to the first byte of a response.

use tlstax_plan::latency::{Opening, Wait};
use tlstax_report::{Cell, Column, Quantity, Row, Section, Table};

use super::asked::Asked;
use crate::cli::plan::figures::digits;

const INTRO: &str = "\
    Computed: round trips of TCP, of the handshake (RFC 5246, 7918, 8446) and of the request, on a new connection, and the CPU time of \
    both sides where handshakes were measured, of each kind the cheapest. A server's first flight that is larger than the initial window \
    (RFC 6928) waits a round trip. Loss, modelled: a round trip that loses a packet waits for the retransmission timer, a second at \
    first and then the round-trip time and 200 ms or twice itself, which doubles (RFC 6298, as Linux has it). Servers answer at once.";

pub(super) fn section(asked: &Asked, waits: &[Wait]) -> Section {
    Section::new("latency", "Time to the first byte", INTRO)
        .with([table(asked, waits)])
        .saying(sentences(waits))
}

fn table(asked: &Asked, waits: &[Wait]) -> Table {
    let milliseconds = |seconds: f64| Quantity::exact(seconds * 1e3, "ms");
    let row = |wait: &Wait| {
        let crypto = wait.crypto.map(|crypto| {
            let [value, low, high] = [crypto.value, crypto.low, crypto.high].map(|seconds| seconds * 1e3);
            Quantity::between(value, low, high, "ms")
        });
        let mut cells = vec![
            Cell::text(wait.opening.name()),
            Cell::from(wait.round_trips.to_string()),
            crypto.into(),
            milliseconds(wait.seconds).into(),
        ];
        if asked.path.loss > 0.0 {
            cells.push(milliseconds(wait.seconds + wait.by_loss).into());
            cells.push(Quantity::exact(wait.hit * 100.0, "%").into());
        }
        cells.push(wait.whose.clone().map(Cell::from).into());
        Row::plain(cells)
    };
    let mut columns = vec![
        Column::label("connection"),
        Column::count("round trips"),
        Column::quantity("crypto", "ms"),
        Column::plain("first byte", "ms"),
    ];
    if asked.path.loss > 0.0 {
        columns.push(Column::plain("mean with loss", "ms"));
        columns.push(Column::plain("connections hit", "%"));
    }
    columns.push(Column::words("crypto of").ranked(1));
    Table {
        caption: format!(
            "Time to the first byte of a response: {} ms to the other side and back, {} % of packets lost",
            digits(asked.path.rtt * 1e3),
            digits(asked.path.loss * 100.0)
        ),
        columns,
        rows: waits.iter().map(row).collect(),
    }
}

fn sentences(waits: &[Wait]) -> Vec<String> {
    let of = |opening: Opening| waits.iter().find(|wait| wait.opening == opening);
    let told = [Opening::Tls12Full, Opening::Tls13Full, Opening::Tls13EarlyData, Opening::Plain];
    let told: Vec<String> = told
        .into_iter()
        .filter_map(of)
        .map(|wait| format!("{} {} ms", wait.opening.name(), digits((wait.seconds + wait.by_loss) * 1e3)))
        .collect();
    let mut sentences = vec![format!("To the first byte: {}.", told.join("; "))];
    if let Some(wait) = of(Opening::Tls13Full).filter(|wait| wait.for_window > 0) {
        let plural = if wait.for_window == 1 { "" } else { "s" };
        sentences.push(format!(
            "The chain is larger than TCP's initial window: a full handshake waits {} round trip{plural} for it.",
            wait.for_window
        ));
    }
    sentences
}
