//! Connections by what they have in common: a table for each [`Dimension`], and the chart of suites.

use tlstax_doc::{Counts, Workload};

use super::dimension::{self, Dimension, Value};
use super::known::{self, Known};
use crate::grid::{Grid, Measure};
use crate::model::{Cell, Chart, Column, Quantity, Section, Table};

const INTRO: &str = "\
    Shares are counts, not samples: they have no interval. Where a source does not tell something of all connections, the rest \
    stands as unknown, and what a share may be goes from none of that to all of it.";

const NO_BEGIN: &str = "nothing tells which requests begin a connection";
const NO_REQUESTS: &str = "the source sees connections, and not their requests";
const NO_BYTES: &str = "the source does not tell bytes";
const APART: &str = "its connections are counted elsewhere";

pub(super) fn section(workload: &Workload) -> Section {
    let told = || dimension::ALL.into_iter().filter(|dimension| dimension.is_told(workload));
    let suites = told().any(|told| told.word == dimension::SUITE.word).then(|| chart(workload)).flatten();
    Section::new("kinds", "Kinds of connection", INTRO)
        .with(told().filter_map(|dimension| table(workload, dimension)))
        .with(suites)
}

/// One value of a dimension, among all.
struct Line {
    value: Value,
    counts: Counts,
    /// Of all values.
    whole: Counts,
    /// Of those whose value is unknown.
    unknown: Counts,
}

fn lines(workload: &Workload, dimension: &Dimension) -> Vec<Line> {
    let whole = known::sum(dimension.shares(workload));
    let counts = dimension.counts(workload);
    let unknown = counts.iter().find(|(value, _)| *value == Value::Unknown);
    let unknown = unknown.map_or_else(Counts::default, |(_, counts)| *counts);
    counts.into_iter().map(|(value, counts)| Line { value, counts, whole, unknown }).collect()
}

impl Line {
    fn of_connections(&self) -> Result<Quantity, String> {
        of_connections(&self.counts, &self.whole)
    }

    fn of_requests(&self) -> Result<Quantity, String> {
        of_requests(&self.counts, &self.whole)
    }

    /// What the share of connections is if of all that is not known none has this value, and if all of it has.
    fn bounds(&self) -> Option<(f64, f64)> {
        if self.value == Value::Unknown || self.whole.connections == 0 {
            return None;
        }
        let (own, all) = (self.counts.connections as f64, self.whole.connections as f64);
        let unplaced = |counts: &Counts| counts.requests_without_connection as f64;
        let others = unplaced(&self.whole) - unplaced(&self.counts);
        let perhaps = unplaced(&self.counts) + unplaced(&self.unknown);
        let unknown = self.unknown.connections as f64;
        (others + perhaps + unknown > 0.0)
            .then(|| (own / (all + others), (own + unknown + perhaps) / (all + perhaps)))
    }

    /// Requests of a connection, of those that tell which connection they are of.
    fn each(&self) -> Option<Quantity> {
        let Counts { connections, connections_without_requests, requests, .. } = self.counts;
        let placed = requests.saturating_sub(self.counts.requests_without_connection);
        let told = connections.saturating_sub(connections_without_requests);
        (placed > 0 && told > 0).then(|| Quantity::exact(placed as f64 / told as f64, ""))
    }
}

/// The share of the connections that are known, in percent; what is not known is no share of none.
pub(super) fn of_connections(counts: &Counts, whole: &Counts) -> Result<Quantity, String> {
    let is_known = known::connections(counts).least().is_some() && whole.connections > 0;
    if is_known { Ok(percent(counts.connections, whole.connections)) } else { Err(NO_BEGIN.to_owned()) }
}

/// The same of requests.
pub(super) fn of_requests(counts: &Counts, whole: &Counts) -> Result<Quantity, String> {
    let is_known = known::requests(counts).least().is_some() && whole.requests > 0;
    if is_known { Ok(percent(counts.requests, whole.requests)) } else { Err(NO_REQUESTS.to_owned()) }
}

fn percent(part: u64, whole: u64) -> Quantity {
    Quantity::exact(part as f64 / whole as f64 * 100.0, "%")
}

fn grid<'f>(workload: &Workload, dimension: &Dimension) -> Grid<'f, Line> {
    let lines = lines(workload, dimension).into_iter();
    Grid::new([dimension.title], lines.map(|line| ([line.value.title().to_owned()], line)))
}

fn table(workload: &Workload, dimension: &Dimension) -> Option<Table> {
    let counted = |title: &'static str, cell: fn(&Line) -> Cell| Measure::new(Column::count(title), cell);
    grid(workload, dimension)
        .measure(counted("connections", |line| known::connections(&line.counts).cell(known::count, APART)))
        .measure(Measure::plain("share of connections", "%", Line::of_connections))
        .measure(Measure::words("may be", |line: &Line| line.bounds().map(said_bounds)).where_found())
        .measure(counted("requests", |line| known::requests(&line.counts).cell(known::count, NO_REQUESTS)))
        .measure(Measure::plain("share of requests", "%", Line::of_requests))
        .measure(Measure::plain("requests each", "", Line::each).where_found().ranked(1))
        .measure(counted("bytes sent", |line| sent(&line.counts).cell(known::size, NO_BYTES)).ranked(1))
        .measure(
            counted("bytes received", |line| received(&line.counts).cell(known::size, NO_BYTES)).ranked(2),
        )
        .table(caption(dimension))
}

fn sent(counts: &Counts) -> Known {
    known::bytes(counts, counts.out)
}

fn received(counts: &Counts) -> Known {
    known::bytes(counts, counts.into)
}

pub(super) fn said_bounds((low, high): (f64, f64)) -> String {
    let [low, high] = [low, high].map(|share| format!("{:.1}", share * 100.0));
    format!("{low} to {high} %")
}

pub(super) fn caption(dimension: &Dimension) -> String {
    let whose = match dimension.word {
        "class" | "protocol" | "http" => "Connections",
        _ => "Connections with TLS",
    };
    format!("{whose} by {}", dimension.title.replace("handshake", "kind of handshake"))
}

/// Suites by their share of connections, or of requests where connections are not known.
fn chart(workload: &Workload) -> Option<Chart> {
    let grid = grid(workload, &dimension::SUITE);
    let knows_connections = known::sum(dimension::SUITE.shares(workload)).connections > 0;
    let (what, measure) = match knows_connections {
        true => ("connections", Measure::plain("of connections", "%", Line::of_connections)),
        false => ("requests", Measure::plain("of requests", "%", Line::of_requests)),
    };
    grid.measure(measure).chart(format!("Cipher suites by their share of {what}"), false)
}
