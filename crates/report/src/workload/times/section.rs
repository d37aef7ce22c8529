//! What happened when, as a section: loads, hours of the day, and the picture.

use tlstax_doc::{Severity, Workload};

use super::{CONNECTIONS, Hour, Load, RATES, REQUESTS, Rate, Times, picture, utc};
use crate::grid::{Grid, Measure};
use crate::model::{Block, Cell, Chart, Column, Quantity, Section, Table};
use crate::notes::{note, sorted_notes};
use crate::number;
use crate::workload::known;

pub(in crate::workload) fn section(workload: &Workload) -> Section {
    let section = Section::new("time", "Over time", "");
    let Some(times) = Times::of(workload) else {
        return section.with(sorted_notes(undated(workload).into_iter().collect()));
    };
    let intro = format!(
        "All times are UTC. Loads are of buckets of {}, from the first to the last that has anything in it: {}, of which \
         {} idle. What happens within a bucket can be busier. They are counts, and have no interval.",
        times.length(),
        number::thousands(times.count()),
        match times.idle() {
            0 => "none is".to_owned(),
            1 => "one is".to_owned(),
            idle => format!("{} are", number::thousands(idle)),
        }
    );
    // One hour says nothing of the day.
    let hours = Some(times.hours()).filter(|hours| hours.len() > 1).unwrap_or_default();
    let notes = [undated(workload), gaps(&times)];
    Section { intro, ..section }
        .with(loads(&times))
        .with(picture::block(&times))
        .with(hour_table(&times, &hours))
        .with(hour_chart(&times, &hours).map(Block::from))
        .with(sorted_notes(notes.into_iter().flatten().collect()))
}

fn loads(times: &Times<'_>) -> Option<Table> {
    let rows = RATES.into_iter().map(|rate| ([rate.title.to_owned()], (rate, times.load(rate))));
    type Line = (&'static Rate, Option<Load>);
    let rated = |title: &'static str, of: fn(&Load) -> f64| {
        Measure::plain(title, REQUESTS.unit, move |(rate, load): &Line| {
            load.as_ref().map(|load| Quantity::exact(of(load), rate.unit)).ok_or_else(|| rate.why.to_owned())
        })
    };
    Grid::new(["load"], rows)
        .measure(rated("mean", |load| load.mean))
        .measure(rated("median", |load| load.median))
        .measure(rated("90th percentile", |load| load.p90))
        .measure(rated("99th percentile", |load| load.p99))
        .measure(rated("peak", |load| load.peak))
        .measure(Measure::words("busiest", |(_, load): &Line| load.as_ref().map(|load| utc(load.at))))
        .table(format!("Load by buckets of {}", times.length()))
}

fn hour_table(times: &Times<'_>, hours: &[Hour]) -> Option<Table> {
    let (requests, connections) = sums(hours);
    let share =
        |part: u64, whole: u64| (whole > 0).then(|| Quantity::exact(part as f64 / whole as f64 * 100.0, "%"));
    let count = |known: bool, count: u64| known.then(|| Cell::text(known::count(count)));
    let knows_requests = times.knows(&REQUESTS);
    let knows_connections = times.knows(&CONNECTIONS);
    let rate = |hour: &Hour| per_second(if knows_requests { hour.requests } else { hour.connections }, hour);
    let rows = hours.iter().map(|hour| ([title(hour)], hour));
    Grid::new(["hour of the day"], rows)
        .measure(Measure::new(Column::count("requests"), move |hour: &&Hour| count(knows_requests, hour.requests)).where_found())
        .measure(Measure::plain("share", "%", move |hour: &&Hour| share(hour.requests, requests)).where_found())
        .measure(
            Measure::new(Column::count("connections known to begin"), move |hour: &&Hour| {
                count(knows_connections, hour.connections)
            })
            .where_found(),
        )
        .measure(Measure::plain("share of these", "%", move |hour: &&Hour| share(hour.connections, connections)).where_found())
        .measure(Measure::plain(if knows_requests { "requests" } else { "connections" }, "/s", move |hour: &&Hour| rate(hour)))
        .table("By the hour of the day, UTC; by second: of the time of that hour between the first bucket and the last")
}

fn hour_chart(times: &Times<'_>, hours: &[Hour]) -> Option<Chart> {
    // A few minutes say nothing of an hour.
    let rows = hours.iter().filter(|hour| hour.seconds >= 600).map(|hour| ([title(hour)], hour));
    let (what, of): (_, fn(&Hour) -> u64) = match times.knows(&REQUESTS) {
        true => ("requests", |hour| hour.requests),
        false => ("connections", |hour| hour.connections),
    };
    let measure = Measure::plain(what, "/s", move |hour: &&Hour| per_second(of(hour), hour));
    Grid::new(["hour"], rows)
        .measure(measure)
        .chart(format!("Mean {what} per second by the hour of the day, UTC"), false)
}

fn per_second(count: u64, hour: &Hour) -> Quantity {
    Quantity::exact(count as f64 / hour.seconds.max(1) as f64, "/s")
}

fn title(hour: &Hour) -> String {
    format!("{:02}:00", hour.hour)
}

fn sums(hours: &[Hour]) -> (u64, u64) {
    let sum = |of: fn(&Hour) -> u64| hours.iter().map(of).fold(0, u64::saturating_add);
    (sum(|hour| hour.requests), sum(|hour| hour.connections))
}

fn undated(workload: &Workload) -> Option<tlstax_doc::Note> {
    let undated = workload.series.undated;
    (undated > 0).then(|| {
        let what = format!(
            "{} requests or connections have no time: they are in no bucket",
            number::thousands(undated)
        );
        note(Severity::Info, what, "")
    })
}

/// Idle time is told: it may be a log that is missing.
fn gaps(times: &Times<'_>) -> Option<tlstax_doc::Note> {
    (times.idle() > times.count() / 2).then(|| {
        let what = "more than half of the buckets are idle: means and quantiles over time are right only if no log of that time is missing; peaks do not depend on it".to_owned();
        note(Severity::Info, what, "count the times apart with --since and --until")
    })
}
