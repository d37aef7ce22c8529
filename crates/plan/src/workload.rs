//! [`Traffic`]: what a workload asks of a server in a second.

pub(crate) mod assumed;
pub(crate) mod bodies;
pub(crate) mod kinds;
mod nearest;
pub(crate) mod negotiated;
pub(crate) mod rate;

use std::collections::BTreeSet;

use tlstax_doc::model::Bounds;
use tlstax_doc::{HttpVersion, Kind, Protocol, Tell, Workload};
use tlstax_spec::{Params, Resumption};

use self::assumed::{Assumed, What};
use self::bodies::bodies;
use self::kinds::{Gathered, all_kinds};
use self::negotiated::{beginning, http, params, usual_way};
use self::rate::{Rate, float, per_second};
use crate::demand::Demand;

/// How many requests a second are planned for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Offered {
    /// As many as there were, at the busiest time or on average.
    AsCounted(Rate),
    /// So many requests a second.
    PerSecond(f64),
}

/// What a workload asks of a server in a second.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Traffic {
    /// Kinds of connections, the most frequent first.
    pub kinds: Vec<Asked>,
    /// Which rate that is, in words.
    pub rate: String,
    /// What is not known, and was assumed in its place: a sentence each.
    pub assumed: Vec<String>,
    /// Of what no prediction can be made: a sentence each.
    pub left_out: Vec<String>,
    /// The mean of `Certificate` messages, bytes, where they were seen.
    pub certificate_bytes: Option<f64>,
}

/// A kind of connections.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    pub demand: Demand,
    /// Whether its suite stands for another, of which no load is.
    pub stands_in: bool,
}

impl Traffic {
    /// New connections a second.
    pub fn connections(&self) -> Bounds {
        let each = self.kinds.iter().map(|asked| asked.demand.connections);
        each.fold(Bounds::default(), |sum, one| Bounds {
            value: sum.value + one.value,
            low: sum.low + one.low,
            high: sum.high + one.high,
        })
    }
}

/// Why there is nothing to plan for.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NoTraffic {
    #[error(
        "the workload has neither connections nor requests: there is nothing to plan for; count other logs by tlstax traffic, or write \
         one by hand (docs/traffic-by-hand-short.toml)"
    )]
    Nothing,
    #[error("nothing of the workload can be predicted: {}", .0.join("; "))]
    Impossible(Vec<String>),
    #[error("{0} requests a second are no rate: give a number above 0 and at most 1e12")]
    Rate(f64),
}

/// Requests a second where a workload is not dated and nobody says how many.
const UNDATED: f64 = 1_000.0;

/// The most requests a second that can be planned for.
const MOST: f64 = 1e12;

/// What a workload asks of a server in a second.
///
/// # Errors
/// There is nothing in it, nothing of which a prediction can be made, or the rate is none.
pub fn traffic(workload: &Workload, offered: Offered) -> Result<Traffic, NoTraffic> {
    let kinds = all_kinds(workload);
    let all: f64 = kinds.iter().map(requests).sum();
    if all <= 0.0 {
        return Err(NoTraffic::Nothing);
    }
    let (per_second, rate) = rate_of(workload, offered)?;
    let mut gatherer = Gatherer::of(workload, per_second / all);
    kinds.iter().for_each(|kind| gatherer.take(kind));
    gatherer.finish(rate, all)
}

fn rate_of(workload: &Workload, offered: Offered) -> Result<(f64, String), NoTraffic> {
    match offered {
        Offered::PerSecond(rate) if rate > 0.0 && rate <= MOST => Ok((rate, "as asked for".to_owned())),
        Offered::PerSecond(rate) => Err(NoTraffic::Rate(rate)),
        Offered::AsCounted(which) => Ok(match per_second(&workload.series, which) {
            Some(rate) if rate > 0.0 && is_by_hand(workload) => (rate, "as written".to_owned()),
            Some(rate) if rate > 0.0 => (rate, words(which, workload.series.width_s)),
            _ => (
                UNDATED,
                "per 1000 requests a second: the workload is not dated, and --rate says how many".to_owned(),
            ),
        }),
    }
}

fn is_by_hand(workload: &Workload) -> bool {
    workload.sources.iter().all(|source| source.format == "by-hand")
}

fn words(which: Rate, width_s: u32) -> String {
    match which {
        Rate::Busiest => format!("the busiest {width_s} s"),
        Rate::Mean => "the mean".to_owned(),
    }
}

/// A source that sees connections alone has a request for each.
fn requests(kind: &Gathered) -> f64 {
    float(kind.counts.requests.max(kind.counts.connections_without_requests).max(
        match kind.counts.requests {
            0 => kind.counts.connections,
            _ => 0,
        },
    ))
}

/// Takes one kind after the other.
struct Gatherer<'w> {
    workload: &'w Workload,
    /// Seconds to one second of what is planned for.
    scale: f64,
    kinds: Vec<Asked>,
    assumed: Assumed,
    said: BTreeSet<String>,
    left_out: Vec<(String, f64)>,
}

impl<'w> Gatherer<'w> {
    fn of(workload: &'w Workload, scale: f64) -> Self {
        Self {
            workload,
            scale,
            kinds: Vec::new(),
            assumed: Assumed::default(),
            said: BTreeSet::new(),
            left_out: Vec::new(),
        }
    }

    fn take(&mut self, kind: &Gathered) {
        if kind.weight() <= 0.0 {
            if requests(kind) > 0.0 {
                let why = format!("no connection that they came on was counted{}", named(&kind.kind));
                self.left_out.push((why, requests(kind)));
            }
            return;
        }
        if kind.kind.http == Some(HttpVersion::Http3) {
            let why = "HTTP/3: QUIC encrypts packets and no records, and nothing that was measured is near";
            self.left_out.push((why.to_owned(), requests(kind)));
            return;
        }
        match self.negotiated(&kind.kind) {
            Ok((tls, stands_in)) => {
                let demand = self.demand(kind, tls);
                self.kinds.push(Asked { demand, stands_in });
            }
            Err(why) => self.left_out.push((why, requests(kind))),
        }
    }

    /// What is negotiated, and whether the suite is another than the one that stands there.
    fn negotiated(&mut self, kind: &Kind) -> Result<(Option<Params>, bool), String> {
        if kind.protocol == Some(Protocol::None) {
            return Ok((None, false));
        }
        match (params(kind, &mut self.assumed), nearest::nearest(kind)) {
            (Ok(params), _) => Ok((Some(params), false)),
            (Err(why), None) => Err(format!("{}, and none is near{}", why.meaning(), named(kind))),
            (Err(_), Some((near, said))) => {
                let params = params(&near, &mut self.assumed)
                    .map_err(|why| format!("{}{}", why.meaning(), named(kind)))?;
                self.said.extend(said);
                Ok((Some(params), near.suite != kind.suite))
            }
        }
    }

    fn demand(&mut self, kind: &Gathered, tls: Option<Params>) -> Demand {
        let (resumption, resumed) = match tls {
            None => (Resumption::Full, Bounds::default()),
            Some(params) => {
                let begun = beginning(kind, params.version, &mut self.assumed);
                let known = begun.resumed.clamp(0.0, 1.0);
                let high = (known + begun.untold).clamp(0.0, 1.0);
                let may = begun.way.or_else(|| (high > 0.0).then(|| usual_way(params.version)));
                (may.unwrap_or(Resumption::Full), Bounds { value: known, low: known, high })
            }
        };
        Demand {
            tls,
            http: http(&kind.kind, &mut self.assumed),
            connections: self.connections(kind),
            resumed,
            resumption,
            requests: requests(kind) * self.scale,
            bodies: bodies(&self.workload.response_bytes, kind.counts.out, &mut self.assumed),
        }
    }

    /// Those that are known, and as many more as there are requests of which nothing tells whether they began one.
    fn connections(&mut self, kind: &Gathered) -> Bounds {
        let counts = &kind.counts;
        let (known, possible) = (float(counts.connections), kind.weight());
        let placed = float(counts.requests.saturating_sub(counts.requests_without_connection));
        let likely = if known > 0.0 && placed > 0.0 {
            requests(kind) * known / placed
        } else {
            self.assumed.add(What::RequestsPerConnection, "1");
            requests(kind)
        };
        Bounds { value: likely.clamp(known, possible), low: known, high: possible }.scaled(self.scale)
    }

    fn finish(self, rate: String, all: f64) -> Result<Traffic, NoTraffic> {
        let mut left_out: Vec<(String, f64)> = Vec::new();
        for (why, requests) in self.left_out {
            match left_out.iter_mut().find(|(known, _)| *known == why) {
                Some((_, sum)) => *sum += requests,
                None => left_out.push((why, requests)),
            }
        }
        let mut sentences: Vec<String> = left_out
            .iter()
            .map(|(why, requests)| format!("{:.1} % of requests: {why}", requests / all * 100.0))
            .collect();
        if self.kinds.is_empty() {
            return Err(NoTraffic::Impossible(sentences));
        }
        sentences.extend(failed(self.workload));
        let mut assumed = self.assumed.sentences();
        assumed.extend(self.said);
        assumed.extend(headers(self.workload));
        let certificate_bytes = self.workload.certificate_bytes.mean();
        Ok(Traffic { kinds: self.kinds, rate, assumed, left_out: sentences, certificate_bytes })
    }
}

/// The names of a kind for which nothing stands.
fn named(kind: &Kind) -> String {
    let names: Vec<&str> =
        [&kind.suite, &kind.group, &kind.key].into_iter().flatten().map(String::as_str).collect();
    if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) }
}

fn failed(workload: &Workload) -> Option<String> {
    let failed: u64 =
        workload.shares.iter().map(|share| share.counts.failed_handshakes).fold(0, u64::saturating_add);
    (failed > 0).then(|| format!("{failed} handshakes that did not succeed: what they cost is not measured"))
}

fn headers(workload: &Workload) -> Option<String> {
    let has = |tell| workload.sources.iter().any(|source| source.tells.contains(&tell));
    (has(Tell::BytesOut) && !has(Tell::BodyOut)).then(|| {
        "the sizes of responses hold their headers, and are taken for those of bodies: some hundred bytes too much each"
            .to_owned()
    })
}

#[cfg(test)]
mod tests;
