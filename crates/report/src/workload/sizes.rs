//! Sizes: of responses and requests, of records and of certificates.

use tlstax_doc::{Sketch, Tell, Workload};

use super::known;
use crate::grid::{Grid, Measure};
use crate::model::{Column, Section, Table};
use crate::number;

const INTRO: &str = "\
    Quantiles are within 1/128 of the true ones, and exact below 256 bytes; counts, means and the largest are exact. They are of all \
    that was counted, and have no interval.";

pub(super) fn section(workload: &Workload) -> Section {
    let tables = [
        table(
            "of",
            [("responses", &workload.response_bytes), ("requests", &workload.request_bytes)],
            bodies(workload),
        ),
        table(
            "sent by",
            [("servers", &workload.records_out), ("clients", &workload.records_in)],
            "TLS records with application data, with their headers of 5 bytes".to_owned(),
        ),
        table(
            "of",
            [("Certificate messages", &workload.certificate_bytes)],
            "Certificates that servers sent in the clear, which is before TLS 1.3".to_owned(),
        ),
    ];
    Section::new("sizes", "Sizes", INTRO).with(tables.into_iter().flatten())
}

/// Whether bytes of responses are with their headers.
fn bodies(workload: &Workload) -> String {
    let tells = |tell: Tell| workload.sources.iter().any(|source| source.tells.contains(&tell));
    let headers = match (tells(Tell::BytesOut), tells(Tell::BodyOut)) {
        (true, false) => "; responses with their headers",
        (false, true) => "; responses without their headers",
        (true, true) => "; responses of some sources with their headers, of others without",
        (false, false) => "",
    };
    format!("Responses and requests of which the source tells it{headers}")
}

fn table<const N: usize>(
    label: &'static str,
    rows: [(&'static str, &Sketch); N],
    caption: String,
) -> Option<Table> {
    let rows = rows.into_iter().filter(|(_, sketch)| sketch.count > 0);
    let counted = |title: &'static str, cell: Shown| {
        Measure::new(Column::count(title), move |sketch: &&Sketch| cell(sketch))
    };
    Grid::new([label], rows.map(|(name, sketch)| ([name.to_owned()], sketch)))
        .measure(counted("number", |sketch| Some(known::count(sketch.count))))
        .measure(counted("mean", |sketch| sketch.mean().map(bytes)))
        .measure(counted("median", |sketch| quantile(sketch, 0.5)))
        .measure(counted("90th percentile", |sketch| quantile(sketch, 0.9)))
        .measure(counted("99th percentile", |sketch| quantile(sketch, 0.99)))
        .measure(counted("largest", |sketch| Some(bytes(sketch.max as f64))))
        .table(caption)
}

type Shown = fn(&Sketch) -> Option<String>;

fn quantile(sketch: &Sketch, share: f64) -> Option<String> {
    sketch.quantile(share).map(|at| bytes(at as f64))
}

fn bytes(bytes: f64) -> String {
    number::size(bytes, 3)
}
