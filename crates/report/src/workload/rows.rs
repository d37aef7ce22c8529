//! Every count and size as a flat row, for data frames.

use tlstax_doc::{Kind, Resumed, Share, Sketch, Workload, rfc3339};

use super::dimension::{self, Dimension};
use super::known;
use super::per_connection::PerConnection;
use super::times::{CONNECTIONS, FULL, RATES, RECEIVED, REQUESTS, RESUMED, Rate, SENT, Times};
use crate::model::TrafficFigure;

pub(super) fn rows(name: &str, workload: &Workload) -> Vec<TrafficFigure> {
    let mut rows = vec![of_counts(workload.shares.iter(), "all", "all")];
    let told = dimension::ALL.into_iter().filter(|dimension| dimension.is_told(workload));
    told.for_each(|dimension| rows.extend(of_dimension(workload, dimension)));
    let sketches = [
        ("responses", &workload.response_bytes),
        ("requests", &workload.request_bytes),
        ("records-out", &workload.records_out),
        ("records-in", &workload.records_in),
        ("certificates", &workload.certificate_bytes),
    ];
    sketches.into_iter().for_each(|(table, sketch)| rows.extend(of_sketch(table, sketch)));
    rows.extend(per_connection(workload));
    rows.extend(of_times(workload));
    rows.iter_mut().for_each(|row| name.clone_into(&mut row.workload));
    rows
}

fn of_dimension<'w>(
    workload: &'w Workload,
    dimension: &'w Dimension,
) -> impl Iterator<Item = TrafficFigure> + 'w {
    dimension.counts(workload).into_iter().map(|(value, _)| {
        let shares: Vec<&Share> =
            dimension.shares(workload).filter(|share| dimension.of(&share.kind) == value).collect();
        of_counts(shares.into_iter(), dimension.word, value.title())
    })
}

fn of_counts<'w>(
    shares: impl Iterator<Item = &'w Share> + Clone,
    table: &'static str,
    name: &str,
) -> TrafficFigure {
    let counts = known::sum(shares.clone());
    let begun = |is: &dyn Fn(&Kind) -> bool| -> u64 {
        known::sum(shares.clone().filter(|share| is(&share.kind))).connections
    };
    // None of a kind of handshake is known only where all tell it.
    let is_all_told = counts.connections > 0 && begun(&|kind| kind.resumed.is_none()) == 0;
    let of = |is: &dyn Fn(Resumed) -> bool| -> Option<u64> {
        let count = begun(&|kind| kind.resumed.is_some_and(is));
        (count > 0 || is_all_told).then_some(count)
    };
    TrafficFigure {
        table,
        name: name.to_owned(),
        connections: known::connections(&counts).least(),
        connections_at_most: known::connections(&counts).most(),
        full: of(&|resumed| resumed == Resumed::Full),
        resumed: of(&Resumed::is_resumption),
        requests: known::requests(&counts).least(),
        bytes_out: known::bytes(&counts, counts.out).least(),
        bytes_in: known::bytes(&counts, counts.into).least(),
        ..TrafficFigure::default()
    }
}

fn of_sketch(table: &'static str, sketch: &Sketch) -> Vec<TrafficFigure> {
    let quantile = |share: f64| sketch.quantile(share).map(|at| at as f64);
    let statistics = [
        ("count", (sketch.count > 0).then_some(sketch.count as f64), ""),
        ("mean", sketch.mean(), "bytes"),
        ("p50", quantile(0.5), "bytes"),
        ("p90", quantile(0.9), "bytes"),
        ("p99", quantile(0.99), "bytes"),
        ("max", (sketch.count > 0).then_some(sketch.max as f64), "bytes"),
    ];
    let row =
        |(name, value, unit): (&str, Option<f64>, &'static str)| Some(statistic(table, name, value?, unit));
    statistics.into_iter().filter_map(row).collect()
}

fn per_connection(workload: &Workload) -> Vec<TrafficFigure> {
    let Some(found) = PerConnection::of(workload) else { return Vec::new() };
    let quantile = |share: f64| found.quantile(share).map(|requests| requests as f64);
    let statistics = [
        ("mean", Some(found.mean())),
        ("p50", quantile(0.5)),
        ("p90", quantile(0.9)),
        ("p99", quantile(0.99)),
        ("max", found.largest().map(|requests| requests as f64)),
    ];
    let row =
        |(name, value): (&str, Option<f64>)| Some(statistic("per-connection", name, value?, "requests"));
    statistics.into_iter().filter_map(row).collect()
}

fn of_times(workload: &Workload) -> Vec<TrafficFigure> {
    let Some(times) = Times::of(workload) else { return Vec::new() };
    let loads = RATES.into_iter().filter_map(|rate| Some((rate, times.load(rate)?)));
    let loads = loads.flat_map(|(rate, load)| {
        let statistics = [
            ("mean", load.mean),
            ("p50", load.median),
            ("p90", load.p90),
            ("p99", load.p99),
            ("peak", load.peak),
        ];
        statistics.map(|(name, value)| statistic("load", &format!("{} {name}", rate.word), value, rate.unit))
    });
    let knows = |rate: &Rate, count: u64| times.knows(rate).then_some(count);
    let hours = times.hours();
    let hours = hours.iter().map(|hour| TrafficFigure {
        table: "hour",
        name: format!("{:02}:00", hour.hour),
        connections: knows(&CONNECTIONS, hour.connections),
        requests: knows(&REQUESTS, hour.requests),
        value: Some(hour.seconds as f64),
        unit: "s",
        ..TrafficFigure::default()
    });
    let buckets = workload.series.buckets.iter().map(|bucket| TrafficFigure {
        table: "time",
        name: rfc3339(bucket.at),
        connections: knows(&CONNECTIONS, bucket.connections),
        full: knows(&FULL, bucket.full),
        resumed: knows(&RESUMED, bucket.resumed),
        requests: knows(&REQUESTS, bucket.requests),
        bytes_out: knows(&SENT, bucket.out),
        bytes_in: knows(&RECEIVED, bucket.into),
        ..TrafficFigure::default()
    });
    loads.chain(hours).chain(buckets).collect()
}

fn statistic(table: &'static str, name: &str, value: f64, unit: &'static str) -> TrafficFigure {
    TrafficFigure { table, name: name.to_owned(), value: Some(value), unit, ..TrafficFigure::default() }
}
