//! How much there was in all, and what is not known of it.

use tlstax_doc::{Counts, Workload};

use super::known::{self, Known};
use crate::grid::{Grid, Measure};
use crate::model::{Cell, Column, Table};

/// A number with what is to be known of it.
struct Line {
    name: &'static str,
    cell: Cell,
    remark: String,
}

pub(super) fn table(workload: &Workload) -> Option<Table> {
    let whole = known::sum(&workload.shares);
    let lines =
        [connections(&whole), silent(&whole), Some(requests(&whole)), unplaced(&whole), failed(&whole)];
    let bytes = [("bytes sent by servers", whole.out), ("bytes sent by clients", whole.into)];
    let bytes = bytes.map(|(name, total)| {
        let known = known::bytes(&whole, total);
        let remark = match known {
            Known::AtLeast(_) => {
                format!("{} requests or connections tell it, others do not", known::count(total.of))
            }
            _ => String::new(),
        };
        Line { name, cell: known.cell(known::size, "the source does not tell bytes"), remark }
    });
    let rows = lines.into_iter().flatten().chain(bytes);
    Grid::new(["in all"], rows.map(|line| ([line.name.to_owned()], line)))
        .measure(Measure::new(Column::count("number"), |line: &Line| line.cell.clone()))
        .measure(
            Measure::words("what is not known of it", |line: &Line| {
                (!line.remark.is_empty()).then(|| line.remark.clone())
            })
            .where_found(),
        )
        .table("How much there was")
        .filter(|_| !workload.shares.is_empty())
}

fn connections(whole: &Counts) -> Option<Line> {
    let known = known::connections(whole);
    let remark = match known {
        Known::Between(0, _) => "nothing tells which requests begin a connection".to_owned(),
        Known::Between(..) => "each of the requests that are not placed may have begun one more".to_owned(),
        _ => String::new(),
    };
    Some(Line { name: "connections", cell: known.cell(known::count, "they are counted elsewhere"), remark })
}

fn silent(whole: &Counts) -> Option<Line> {
    let count = whole.connections_without_requests;
    let remark = "the source sees the connection, and no request".to_owned();
    (count > 0).then(|| Line {
        name: "of these without a known request",
        cell: known::count(count).into(),
        remark,
    })
}

fn requests(whole: &Counts) -> Line {
    let known = known::requests(whole);
    let remark = match known {
        Known::AtLeast(_) => "those of the connections above are not known".to_owned(),
        _ => String::new(),
    };
    Line {
        name: "requests",
        cell: known.cell(known::count, "the source sees connections, and not their requests"),
        remark,
    }
}

fn unplaced(whole: &Counts) -> Option<Line> {
    let count = whole.requests_without_connection;
    let remark = "the source does not tell which requests are of one connection".to_owned();
    (count > 0).then(|| Line { name: "of these not placed", cell: known::count(count).into(), remark })
}

fn failed(whole: &Counts) -> Option<Line> {
    let count = whole.failed_handshakes;
    (count > 0).then(|| Line {
        name: "failed handshakes",
        cell: known::count(count).into(),
        remark: String::new(),
    })
}
