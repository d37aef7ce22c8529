//! [`Case`]: a load that stands for connections of a kind.

use tlstax_doc::{Protocol, Total, Workload};
use tlstax_spec::{Http, Params, Resumption, Version};

use crate::workload::assumed::{Assumed, What};
use crate::workload::bodies::USUAL_BODY;
use crate::workload::kinds::Gathered;
use crate::workload::negotiated::{Impossible, beginning, http, params};
use crate::workload::rate::{Rates, float};

/// A load that stands for connections of a kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// None without TLS.
    pub tls: Option<Params>,
    pub resumption: Resumption,
    /// Of a hundred connections so many resume.
    pub resumed_percent: u8,
    pub http: Http,
    pub requests_per_connection: u64,
    pub body: u64,
    /// Requests a second; 0 is a closed loop.
    pub rate: u64,
}

/// Limits of studies.
const MOST_BYTES: f64 = 2_147_483_648.0;
const MOST_REQUESTS: f64 = 1_000_000.0;

impl Case {
    pub fn of(
        kind: &Gathered,
        workload: &Workload,
        rates: &Rates,
        assumed: &mut Assumed,
    ) -> Result<Self, Impossible> {
        let tls = match kind.kind.protocol {
            Some(Protocol::None) => None,
            _ => Some(params(&kind.kind, assumed)?),
        };
        let (resumption, resumed_percent) =
            tls.map_or((Resumption::Full, 0), |params| resumption(kind, params.version, assumed));
        let requests = kind.counts.requests.max(kind.counts.connections_without_requests);
        Ok(Self {
            tls,
            resumption,
            resumed_percent,
            http: http(&kind.kind, assumed),
            requests_per_connection: requests_per_connection(kind, assumed),
            body: body(kind, workload, assumed),
            rate: rates.of_part(requests),
        })
    }

    /// Whether another one differs in nothing but sizes and numbers.
    pub fn is_same(&self, other: &Self) -> bool {
        (self.tls, self.http, self.resumption, self.requests_per_connection, self.body, self.resumed_percent)
            == (
                other.tls,
                other.http,
                other.resumption,
                other.requests_per_connection,
                other.body,
                other.resumed_percent,
            )
    }

    /// Adds the requests of another.
    pub const fn merge(&mut self, other: &Self) {
        self.rate = self.rate.saturating_add(other.rate);
    }
}

/// The way that most of those take that resume, and how many percent of all do.
fn resumption(kind: &Gathered, version: Version, assumed: &mut Assumed) -> (Resumption, u8) {
    let beginning = beginning(kind, version, assumed);
    // A share of a whole is a percentage.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let percent = (beginning.resumed * 100.0).round().clamp(0.0, 100.0) as u8;
    match beginning.way.filter(|_| percent > 0) {
        Some(way) => (way, percent),
        None => (Resumption::Full, 0),
    }
}

fn requests_per_connection(kind: &Gathered, assumed: &mut Assumed) -> u64 {
    let counts = &kind.counts;
    let placed = counts.requests.saturating_sub(counts.requests_without_connection);
    if counts.connections == 0 || placed == 0 {
        assumed.add(What::RequestsPerConnection, "1");
        return 1;
    }
    whole((float(placed) / float(counts.connections)).clamp(1.0, MOST_REQUESTS))
}

fn body(kind: &Gathered, workload: &Workload, assumed: &mut Assumed) -> u64 {
    let mean = |total: Total| (total.of > 0).then(|| float(total.bytes) / float(total.of));
    let mean = mean(kind.counts.out).or_else(|| workload.response_bytes.mean());
    let Some(mean) = mean else {
        assumed.add(What::Body, format!("{USUAL_BODY} bytes"));
        return USUAL_BODY;
    };
    whole(mean.clamp(0.0, MOST_BYTES))
}

/// The next whole number; it is known to be within the limits of a study.
fn whole(number: f64) -> u64 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let whole = number.round() as u64;
    whole
}
