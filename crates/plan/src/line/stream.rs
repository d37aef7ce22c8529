//! [`Stream`]: something that encrypts data for a line, and what a byte of it costs.

use tlstax_doc::Metric;
use tlstax_doc::model::Bounds;
use tlstax_spec::{Bulk, Compression, Direction, Suite, Version, Workload};

use super::line::Line;
use super::packet::Packet;
use super::record::record_overhead;
use super::size::at_size;
use crate::figures::{Figures, Found, per, times};

/// Something that encrypts data for a line.
#[derive(Debug, Clone, PartialEq)]
pub struct Stream {
    /// A library or a server; what was given, for a rate that was.
    pub library: String,
    /// The suite or the cipher.
    pub what: String,
    pub basis: Basis,
    /// Nanoseconds of CPU time for a byte of data, of the side that sends and of the one that receives, or why they are not known.
    pub sends: Result<Bounds, String>,
    pub receives: Result<Bounds, String>,
    /// Bytes that TLS makes of one byte of data.
    pub expansion: f64,
    /// Whether records of this size were not measured, and their cost lies between those that were.
    pub is_interpolated: bool,
}

/// What a byte's cost holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Basis {
    /// The record layer of a library, with data in memory: no kernel.
    RecordLayer,
    /// A server with its kernel, on loopback.
    Server,
    /// The cipher alone: neither records nor copies nor a kernel.
    Cipher,
    /// What the user says.
    Given,
}

impl Basis {
    pub const fn name(self) -> &'static str {
        match self {
            Self::RecordLayer => "record layer",
            Self::Server => "server and kernel",
            Self::Cipher => "cipher alone",
            Self::Given => "as given",
        }
    }
}

impl Stream {
    /// A core that encrypts so many bytes in a second.
    pub fn given(rate: f64) -> Self {
        let ns = 1e9 / rate;
        let sends = Ok(Bounds { value: ns, low: ns, high: ns });
        let receives = Err("only one rate was given".to_owned());
        let expansion = expansion(Suite::Aes256Gcm, LARGEST);
        let (library, what) = ("given".to_owned(), String::new());
        Self { library, what, basis: Basis::Given, sends, receives, expansion, is_interpolated: false }
    }

    /// Bytes of data in a second that fill a line.
    pub fn data(&self, line: Line, packet: &Packet) -> f64 {
        packet.stream(line) / self.expansion
    }

    /// Gbit/s of a line that one core fills, on the side with this cost.
    pub fn one_core(&self, ns: Bounds, packet: &Packet) -> Bounds {
        let bytes_on_line = self.expansion * packet.on_line() / packet.payload();
        per(8.0 * bytes_on_line, ns)
    }

    /// Cores that it takes to fill a line, on the side with this cost.
    pub fn cores(&self, ns: Bounds, line: Line, packet: &Packet) -> Bounds {
        times(ns, self.data(line, packet) / 1e9)
    }
}

/// The most data that a record holds (RFC 8446, 5.1).
pub(super) const LARGEST: u32 = 16_384;

/// Bytes that records of so much data make of one byte.
pub(super) fn expansion(suite: Suite, record: u32) -> f64 {
    1.0 + f64::from(record_overhead(suite, record)) / f64::from(record)
}

/// A stream for each library, version and suite whose data were measured in memory.
pub(super) fn record_layers(figures: &Figures<'_>, record: u32) -> Vec<Stream> {
    let mut groups: Vec<((&str, Version, Suite), Vec<Found<'_, Bulk>>)> = Vec::new();
    for found in figures.all(bulk).filter(|found| is_usual(found)) {
        let params = found.work.params;
        let key = (found.library(), params.version, params.suite);
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, group)) => group.push(found),
            None => groups.push((key, vec![found])),
        }
    }
    groups
        .iter()
        .map(|((library, _, suite), group)| record_layer(figures, library, *suite, group, record))
        .collect()
}

const fn bulk(workload: &Workload) -> Option<&Bulk> {
    if let Workload::Bulk(bulk) = workload { Some(bulk) } else { None }
}

/// Downloads in one thread whose writes fill their records.
fn is_usual(found: &Found<'_, Bulk>) -> bool {
    let Bulk { direction, record, write, compression, .. } = *found.work;
    found.case.threads == 1
        && compression == Compression::None
        && direction == Direction::Download
        && write >= record
}

fn record_layer(
    figures: &Figures<'_>,
    library: &str,
    suite: Suite,
    group: &[Found<'_, Bulk>],
    record: u32,
) -> Stream {
    let side = |metric| {
        let mut points: Vec<(u32, Bounds)> = Vec::new();
        let mut holes = Vec::new();
        for found in group {
            match figures.cost(found, metric) {
                Ok(cost) => {
                    let bytes = f64::from(found.work.buffer);
                    points.push((found.work.record, times(cost, f64::from(found.work.record) / bytes)));
                }
                Err(hole) => holes.push(hole),
            }
        }
        if points.is_empty() {
            return Err(holes.pop().unwrap_or_default());
        }
        at_size(&points, record)
            .map_err(|why| format!("records: {why}; tlstax bulk --record {record} measures it"))
    };
    let (sends, receives) = (side(Metric::Server), side(Metric::Client));
    let is_interpolated = [&sends, &receives].into_iter().flatten().any(|one| one.is_interpolated);
    let each = |side: Result<super::Sized, String>| side.map(|one| times(one.ns, f64::from(record).recip()));
    Stream {
        library: library.to_owned(),
        what: suite.to_string(),
        basis: Basis::RecordLayer,
        sends: each(sends),
        receives: each(receives),
        expansion: counted(group, record).unwrap_or_else(|| expansion(suite, record)),
        is_interpolated,
    }
}

/// What a byte became on the wire, as it was counted.
fn counted(group: &[Found<'_, Bulk>], record: u32) -> Option<f64> {
    let found = group.iter().find(|found| found.work.record == record)?;
    let sent = found.measurement.proof()?.server_bytes as f64 / f64::from(found.work.buffer);
    (sent > 1.0).then_some(sent)
}
