//! Several workloads beside each other, a column for each.

use std::collections::BTreeSet;

use tlstax_doc::{Counts, Note, Workload};

use super::dimension::{self, Dimension, Value};
use super::handshakes::Handshakes;
use super::known;
use super::per_connection::PerConnection;
use super::said::per_second;
use super::times::{CONNECTIONS, REQUESTS, Rate, Times, utc};
use super::{kinds, rows, said, sources, view};
use crate::grid::{Grid, Measure};
use crate::model::{Cell, Column, Quantity, Section, Table, View};
use crate::number;

const INTRO: &str = "Shares are counts, not samples: they have no interval.";

/// The view of several workloads, each under a name of its own, such as that of its file.
pub fn workloads_side_by_side(workloads: &[(String, &Workload)]) -> View {
    let tables = dimension::ALL.into_iter().filter_map(|dimension| shares(workloads, dimension));
    let sections = [
        view::doubts(doubts(workloads)),
        Section::new("workloads", "Workloads", INTRO)
            .with(figures(workloads))
            .with(tables)
            .saying(sentences(workloads)),
    ];
    View {
        title: "What the traffic was".to_owned(),
        about: workloads.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", "),
        sections: sections.into_iter().filter(|section| !section.blocks.is_empty()).collect(),
        legend: String::new(),
        figures: Vec::new(),
        claims: Vec::new(),
        shares: Vec::new(),
        traffic: workloads.iter().flat_map(|(name, workload)| rows::rows(name, workload)).collect(),
        costs: Vec::new(),
    }
}

fn doubts(workloads: &[(String, &Workload)]) -> Vec<Note> {
    let of = |(name, workload): &(String, &Workload)| {
        let named = |note: Note| Note { what: format!("{name}: {}", note.what), ..note };
        sources::warnings(workload).into_iter().map(named).collect::<Vec<_>>()
    };
    workloads.iter().flat_map(of).collect()
}

/// A figure of a workload: what it is called, and what stands there.
type Figure = (&'static str, fn(&Workload) -> Result<String, &'static str>);

const FIGURES: &[Figure] = &[
    ("from", |workload| time(workload, |times| times.begin)),
    ("to", |workload| time(workload, |times| times.end)),
    ("connections", |workload| {
        known::connections(&known::sum(&workload.shares))
            .said(known::count)
            .ok_or("they are counted elsewhere")
    }),
    ("requests", |workload| {
        known::requests(&known::sum(&workload.shares)).said(known::count).ok_or(REQUESTS.why)
    }),
    ("requests a connection, mean", |workload| {
        let found = PerConnection::of(workload);
        found.map(|found| number::three_digits(found.mean())).ok_or(CONNECTIONS.why)
    }),
    ("handshakes resumed, of those that tell it", resumed),
    ("of all, as the others may be", bounds),
    ("median response", |workload| response(workload, 0.5)),
    ("99th percentile", |workload| response(workload, 0.99)),
    ("bytes sent by servers", |workload| {
        let whole = known::sum(&workload.shares);
        known::bytes(&whole, whole.out).said(known::size).ok_or("the source does not tell bytes")
    }),
    ("bytes sent by clients", |workload| {
        let whole = known::sum(&workload.shares);
        known::bytes(&whole, whole.into).said(known::size).ok_or("the source does not tell bytes")
    }),
    ("busiest moment, requests/s", |workload| peak(workload, &REQUESTS)),
    ("busiest moment, connections/s", |workload| peak(workload, &CONNECTIONS)),
    ("a moment is a", |workload| Times::of(workload).map(|times| times.span()).ok_or(UNDATED)),
];

const UNDATED: &str = "nothing tells when it was";

fn time(workload: &Workload, of: fn(&Times<'_>) -> u64) -> Result<String, &'static str> {
    Times::of(workload).filter(Times::is_dated).map(|times| utc(of(&times))).ok_or(UNDATED)
}

fn resumed(workload: &Workload) -> Result<String, &'static str> {
    let share = Handshakes::of(workload).ok_or("no connection had TLS")?.share();
    share.map(|share| number::whole_percent(share, 1.0)).ok_or("no handshake is known to tell it")
}

fn bounds(workload: &Workload) -> Result<String, &'static str> {
    let handshakes = Handshakes::of(workload).ok_or("no connection had TLS")?;
    match handshakes.is_all_told() {
        true => Ok("the same".to_owned()),
        false => Ok(kinds::said_bounds(handshakes.bounds())),
    }
}

fn response(workload: &Workload, share: f64) -> Result<String, &'static str> {
    let size = workload.response_bytes.quantile(share).map(|at| number::size(at as f64, 3));
    size.ok_or("the source does not tell sizes of responses")
}

fn peak(workload: &Workload, rate: &'static Rate) -> Result<String, &'static str> {
    let times = Times::of(workload).ok_or(UNDATED)?;
    times.load(rate).map(|load| per_second(load.peak)).ok_or(rate.why)
}

fn figures(workloads: &[(String, &Workload)]) -> Option<Table> {
    let rows = FIGURES.iter().map(|figure| ([figure.0.to_owned()], figure));
    let measures = workloads.iter().map(|(name, workload)| {
        Measure::new(Column::count(name.as_str()), |(_, of): &&Figure| {
            Cell::from(of(workload).map_err(str::to_owned))
        })
    });
    Grid::new(["what"], rows).measures(measures).table("The workloads in figures; times are UTC")
}

/// A row for each value that any of them has: shares of connections, or of requests where these alone are known.
fn shares(workloads: &[(String, &Workload)], dimension: &Dimension) -> Option<Table> {
    let is_told = workloads.iter().any(|(_, workload)| dimension.is_told(workload));
    let values = workloads.iter().flat_map(|(_, workload)| dimension.counts(workload));
    let values: BTreeSet<Value> = values.map(|(value, _)| value).collect();
    let rows = values.into_iter().map(|value| ([value.title().to_owned()], value));
    let measures = workloads.iter().map(|(name, workload)| {
        let whole = known::sum(dimension.shares(workload));
        let counts = dimension.counts(workload);
        let (title, share): (_, Share) = match whole.connections {
            0 => (format!("{name}, of requests"), kinds::of_requests),
            _ => (name.clone(), kinds::of_connections),
        };
        Measure::plain(title, "%", move |value: &Value| {
            let found = counts.iter().find(|(found, _)| found == value);
            found.map_or(Cell::Empty, |(_, counts)| share(counts, &whole).into())
        })
    });
    let table = Grid::new([dimension.title], rows).measures(measures);
    table.table(format!("{}, each column by itself", kinds::caption(dimension))).filter(|_| is_told)
}

/// What part some counts are of others.
type Share = fn(&Counts, &Counts) -> Result<Quantity, String>;

/// What matters most of each, and from the least to the most resumed.
fn sentences(workloads: &[(String, &Workload)]) -> Vec<String> {
    let each = workloads.iter().map(|(name, workload)| format!("{name}: {}", said::most_telling(workload)));
    each.chain(range(workloads)).collect()
}

fn range(workloads: &[(String, &Workload)]) -> Option<String> {
    let share =
        |(name, workload): &(String, &Workload)| Some((Handshakes::of(workload)?.share()?, name.clone()));
    let mut shares: Vec<(f64, String)> = workloads.iter().filter_map(share).collect();
    shares.sort_by(|one, other| one.0.total_cmp(&other.0));
    match (shares.first(), shares.last()) {
        (Some((least, from)), Some((most, to))) if shares.len() > 1 => {
            let [least, most] = [least, most].map(|share| number::whole_percent(*share, 1.0));
            Some(format!(
                "Of the handshakes that tell it, from {least} ({from}) to {most} ({to}) were resumed."
            ))
        }
        _ => None,
    }
}
