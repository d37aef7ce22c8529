//! The answer, before all tables.

use tlstax_doc::model::Bounds;
use tlstax_plan::line::{Line, Stream, StreamBasis, reno};
use tlstax_report::Section;

use super::asked::{Asked, named};
use super::telling;
use crate::cli::plan::figures::{digits, ranged};

pub(super) fn section(asked: &Asked, streams: &[Stream]) -> Section {
    let mut told: Vec<(&Stream, Bounds)> =
        telling(streams).filter_map(|stream| Some((stream, stream.sends.clone().ok()?))).collect();
    told.sort_by(|one, other| one.1.value.total_cmp(&other.1.value));
    let mut sentences = match (told.first(), told.last()) {
        (Some(cheapest), Some(dearest)) => {
            vec![one(asked, cheapest, dearest), many(asked, cheapest, dearest)]
        }
        _ => Vec::new(),
    };
    sentences.extend(lossy(asked));
    Section::new("answer", "Answer", "").saying(sentences)
}

/// What one core fills.
fn one(asked: &Asked, cheapest: &(&Stream, Bounds), dearest: &(&Stream, Bounds)) -> String {
    let fills = |(stream, ns): &(&Stream, Bounds)| stream.one_core(*ns, &asked.packet);
    let best = fills(cheapest);
    let mut said = format!("One core fills {} Gbit/s with {}", ranged(best), name(cheapest.0));
    if cheapest.0 != dearest.0 {
        said += &format!(", {} with {}", ranged(fills(dearest)), name(dearest.0));
    }
    let kept = asked.lines.iter().rev().find(|line| line.gbit() <= best.low);
    let missed = asked.lines.iter().find(|line| line.gbit() > best.high);
    let verdict = match (kept, missed) {
        (Some(kept), Some(missed)) => {
            format!("one stream can fill {} and cannot fill {}", named(*kept), named(*missed))
        }
        (Some(kept), None) => format!("one stream can fill {}", named(*kept)),
        (None, Some(missed)) => format!("one stream cannot fill {}", named(*missed)),
        (None, None) => "whether one stream fills the line is within the interval".to_owned(),
    };
    format!("{said}: {verdict}.")
}

/// Cores for the largest line.
fn many(asked: &Asked, cheapest: &(&Stream, Bounds), dearest: &(&Stream, Bounds)) -> String {
    let Some(line) = asked.lines.last() else { return String::new() };
    let cores = |(stream, ns): &(&Stream, Bounds), line: Line| stream.cores(*ns, line, &asked.packet);
    let to = match cheapest.0 == dearest.0 {
        true => String::new(),
        false => format!(" to {}", digits(cores(dearest, *line).value)),
    };
    let basis = match cheapest.0.basis {
        StreamBasis::RecordLayer => "for the record layer; the kernel's part comes on top",
        StreamBasis::Server => "with the kernel on loopback, without a network card",
        StreamBasis::Cipher => "for the cipher alone; records, copies and the kernel come on top",
        StreamBasis::Given => "at the rate that was given",
    };
    format!("{} takes {}{to} cores {basis}.", named(*line), ranged(cores(cheapest, *line)))
}

/// What loss leaves of one stream, whatever the cores.
fn lossy(asked: &Asked) -> Option<String> {
    let path = asked.path;
    let rate = reno(asked.packet.payload(), path.rtt, path.loss)?;
    Some(format!(
        "Modelled: with {} % of packets lost and {} ms to the other side and back, TCP itself carries {} Mbit/s in one stream \
         (Reno; Mathis and others, 1997), whatever encrypts it.",
        digits(path.loss * 100.0),
        digits(path.rtt * 1e3),
        digits(rate * 8.0 / 1e6)
    ))
}

/// Who it is.
pub(super) fn name(stream: &Stream) -> String {
    match stream.what.as_str() {
        "" => "the rate that was given".to_owned(),
        what => format!("{}, {what}", stream.library),
    }
}
