//! NGINX's tables of 2017, by a cost per request and one per byte.

use tlstax_stats::{Affine, affine};

use crate::table::rows;

const TABLE: &str = include_str!("nginx-2017.csv");

/// Sizes of responses in KB of 1024 bytes.
const SIZES: [&str; 4] = ["0", "1", "10", "100"];

/// Requests a second of so many CPUs, by size.
fn rates(protocol: &str, cpus: u32) -> [f64; 4] {
    let is_it = |row: &&_| {
        let row: &std::collections::BTreeMap<String, String> = row;
        row["protocol"] == protocol && row["cpus"] == cpus.to_string()
    };
    let rows = rows(TABLE);
    let row = rows.iter().find(is_it).unwrap();
    SIZES.map(|size| row[size].parse().unwrap())
}

/// Bytes, and microseconds of CPU time of a request if all CPUs work all the time.
fn costs(protocol: &str, cpus: u32) -> Vec<(f64, f64)> {
    let bytes = SIZES.map(|size| size.parse::<f64>().unwrap() * 1024.0);
    bytes
        .into_iter()
        .zip(rates(protocol, cpus))
        .map(|(bytes, rate)| (bytes, f64::from(cpus) * 1e6 / rate))
        .collect()
}

/// How far the line is off at a point, as a share of the point.
fn miss(line: &Affine, (bytes, cost): (f64, f64)) -> f64 {
    line.at(bytes) / cost - 1.0
}

fn gigabits(protocol: &str, cpus: u32) -> f64 {
    rates(protocol, cpus)[3] * 102_400.0 * 8.0 / 1e9
}

#[test]
fn https_with_a_body_is_a_cost_per_request_and_one_per_byte() {
    for cpus in [1, 2, 4, 8, 16] {
        let costs = costs("https", cpus);
        let line = affine(&costs[1..]).unwrap();
        assert!(line.worst_relative_error.0 < 0.04, "{cpus} CPUs: {line:?}");
        assert!((20.0..24.0).contains(&line.per_call), "{cpus} CPUs: {line:?}");
        assert!((1.8..1.9).contains(&(line.per_byte * 1024.0)), "{cpus} CPUs: {line:?}");
    }
}

/// A response without a body is on another line: nothing is opened, read or encrypted but the head. So a model needs a request without
/// a body by itself, as [`Term::Request`](tlstax_doc::model::Term::Request) is.
#[test]
fn a_request_without_a_body_is_cheaper_than_the_line_says() {
    for cpus in [1, 2, 4, 8, 16] {
        let costs = costs("https", cpus);
        let line = affine(&costs[1..]).unwrap();
        assert!((0.4..0.8).contains(&miss(&line, costs[0])), "{cpus} CPUs: {line:?}");
        let with_it = affine(&costs).unwrap();
        assert!((0.24..0.27).contains(&with_it.worst_relative_error.0), "{cpus} CPUs: {with_it:?}");
    }
}

/// Plain HTTP is farther from a line than HTTPS: what sendfile costs does not grow evenly with the size.
#[test]
fn http_is_farther_from_the_line() {
    for cpus in [1, 2] {
        let line = affine(&costs("http", cpus)[1..]).unwrap();
        assert!((0.09..0.13).contains(&line.worst_relative_error.0), "{cpus} CPUs: {line:?}");
    }
}

/// Where the line between the machines is full, requests a second say nothing of CPU time: 8 CPUs send as much as 32, and by the table a
/// byte becomes dearer with every CPU.
#[test]
fn a_full_line_is_no_cost_of_the_cpu() {
    for cpus in [8, 16, 32] {
        assert!(
            (gigabits("http", cpus) - 75.07).abs() < 0.02,
            "{cpus} CPUs: {} Gbit/s",
            gigabits("http", cpus)
        );
    }
    assert!((gigabits("https", 32) - 74.08).abs() < 0.01);
    let per_kb = |protocol, cpus| affine(&costs(protocol, cpus)[1..]).unwrap().per_byte * 1024.0;
    assert!(per_kb("http", 32) / per_kb("http", 1) > 15.0);
    assert!((1.5..1.7).contains(&(per_kb("https", 32) / per_kb("https", 1))));
}

/// What HTTPS adds on one CPU, within 17 %: 7.8 us for a request, and 1.7 us for a KB.
#[test]
fn what_tls_adds_is_a_cost_per_request_and_one_per_byte() {
    let added: Vec<(f64, f64)> = costs("http", 1)
        .into_iter()
        .zip(costs("https", 1))
        .map(|((bytes, http), (_, https))| (bytes, https - http))
        .collect();
    let line = affine(&added).unwrap();
    assert!((7.7..7.9).contains(&line.per_call), "{line:?}");
    assert!((1.7..1.74).contains(&(line.per_byte * 1024.0)), "{line:?}");
    assert!((0.15..0.17).contains(&line.worst_relative_error.0), "{line:?}");
}
