//! What a dimension was before and after, in words.

use std::collections::BTreeMap;

use super::couple::{Pair, Piece};
use super::dimension::Dimension;
use crate::demand::Demand;

/// What most of the traffic had before and has after.
pub fn of(dimension: Dimension, pairs: &[Pair<'_>]) -> [String; 2] {
    let before: Vec<Piece<'_>> = pairs.iter().map(|pair| pair.before).collect();
    let after: Vec<Piece<'_>> = pairs.iter().map(|pair| pair.after).collect();
    [before, after].map(|pieces| match dimension {
        Dimension::Connections => format!("{}/s", digits(sum(&pieces, connections))),
        Dimension::Requests => format!("{}/s", digits(sum(&pieces, requests))),
        Dimension::Bytes => {
            let bytes = sum(&pieces, |piece| piece.demand.bytes() * piece.share);
            format!("{} B a response", digits(bytes / sum(&pieces, requests).max(f64::MIN_POSITIVE)))
        }
        Dimension::Resumption => {
            let resumed = sum(&pieces, |piece| connections(piece) * piece.demand.resumed.value);
            let of = sum(&pieces, connections).max(f64::MIN_POSITIVE);
            format!("{} % of connections", digits(resumed / of * 100.0))
        }
        named => most(&pieces, |demand| name(named, demand)),
    })
}

fn connections(piece: &Piece<'_>) -> f64 {
    piece.demand.connections.value * piece.share
}

fn requests(piece: &Piece<'_>) -> f64 {
    piece.demand.requests * piece.share
}

fn sum(pieces: &[Piece<'_>], of: impl Fn(&Piece<'_>) -> f64) -> f64 {
    pieces.iter().map(of).sum()
}

fn name(dimension: Dimension, demand: &Demand) -> String {
    let Some(params) = demand.tls else {
        return if dimension == Dimension::Http { demand.http.to_string() } else { "none".to_owned() };
    };
    match dimension {
        Dimension::Tls => "TLS".to_owned(),
        Dimension::Version => params.version.to_string(),
        Dimension::Suite => params.suite.to_string(),
        Dimension::Key => params.key.to_string(),
        Dimension::Group => params.group.map_or_else(|| "none".to_owned(), |group| group.to_string()),
        _ => demand.http.to_string(),
    }
}

/// The name of most requests, with their share where there are others.
fn most(pieces: &[Piece<'_>], of: impl Fn(&Demand) -> String) -> String {
    let weight = |piece: &Piece<'_>| connections(piece) + requests(piece);
    let mut names = BTreeMap::<String, f64>::new();
    pieces.iter().for_each(|piece| *names.entry(of(piece.demand)).or_default() += weight(piece));
    let all: f64 = names.values().sum();
    match names.iter().max_by(|one, other| one.1.total_cmp(other.1)) {
        Some((name, _)) if names.len() == 1 => name.clone(),
        Some((name, share)) => format!("{name} {:.0} %", share / all * 100.0),
        None => String::new(),
    }
}

/// Three significant digits, and every digit before the point.
fn digits(value: f64) -> String {
    // Not the zero below zero.
    let value = value + 0.0;
    let magnitude = if value == 0.0 { 0.0 } else { value.abs().log10().floor() };
    // Between -9 and 9.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let decimals = (2.0 - magnitude).clamp(0.0, 9.0) as usize;
    let shown = format!("{value:.decimals$}");
    if shown.contains('.') { shown.trim_end_matches('0').trim_end_matches('.').to_owned() } else { shown }
}
