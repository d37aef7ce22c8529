//! What traffic will cost: [`Prediction`].

mod kin;
mod parts;
pub(crate) mod prices;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use tlstax_doc::model::{Bounds, Term};
use tlstax_doc::plan::{Piece, Prediction, Row};
use tlstax_spec::{Params, Resumption};

use self::parts::Parts;
use self::prices::Prices;
use crate::costs::Costs;
use crate::demand::{Demand, Exact};
use crate::wire::bytes_sent;
use crate::work::{Setup, Work};
use crate::workload::negotiated::usual_way;
use crate::workload::{Asked, Traffic};

/// What traffic will cost a server that is set up in some way.
pub fn predict(traffic: &Traffic, setup: Setup, costs: &Costs<'_>) -> Prediction {
    let prices = Prices::of(costs);
    let kinds: Vec<OfKind<'_>> =
        traffic.kinds.iter().map(|asked| OfKind::of(asked, setup, &prices)).collect();
    let works = Works::of(traffic, setup, &prices);
    let mut parts = Parts::default();
    kinds.iter().for_each(|kind| parts.merge(&kind.parts));
    let mut rows: Vec<Row> = kinds.iter().map(OfKind::row).collect();
    rows.sort_by(|one, other| other.cores.value.total_cmp(&one.cores.value));
    let by = |of: fn(&Params) -> &'static str| pieces(kinds.iter().map(|kind| (kind.name(of), kind.cores())));
    Prediction {
        cores: works.cores(&prices),
        parts: parts.pieces(),
        suites: by(|params| params.suite.name()),
        keys: by(|params| params.key.name()),
        resumption: pieces(kinds.iter().flat_map(OfKind::by_resumption)),
        rows,
        missing: prices.missing_of(&works.likely),
        work: works.likely.iter().collect(),
        full: works.full.iter().collect(),
        resumed: works.resumed.iter().collect(),
        costs: works.costs(&prices),
        if_full: prices.cost(&works.full).scaled(1e-9),
        if_resumed: prices.cost(&works.resumed).scaled(1e-9),
        resumed_share: resumed_share(traffic),
        wire_bytes: bytes_sent(traffic, setup),
    }
}

/// The work of all kinds: as it is thought to be, at the ends of what is known of it, and if no session were resumed or all were.
#[derive(Debug, Default)]
pub(crate) struct Works {
    pub likely: Work,
    /// Those of [`Demand::corners`]; suites that stand for others once as they cost nothing more and once as the dearest.
    pub corners: [Work; 8],
    full: Work,
    resumed: Work,
}

impl Works {
    pub fn of(traffic: &Traffic, setup: Setup, prices: &Prices<'_>) -> Self {
        let mut works = Self::default();
        let dearest_suite = prices.dearest_suite();
        for Asked { demand, stands_in } in &traffic.kinds {
            let corners = demand.corners().map(|exact| prices.work(&exact, setup));
            let both = corners.iter().flat_map(|work| {
                [None, dearest_suite].map(|suite| match *stands_in {
                    true => Cow::Owned(Prices::with_suite(work, suite)),
                    false => Cow::Borrowed(work),
                })
            });
            works.likely.extend(&prices.work(&demand.likely(), setup));
            works.corners.iter_mut().zip(both).for_each(|(all, work)| all.extend(&work));
            works.full.extend(&prices.work(&resuming(demand, 0.0), setup));
            works.resumed.extend(&prices.work(&resuming(demand, 1.0), setup));
        }
        works
    }

    /// What each term in any of them costs once.
    fn costs(&self, prices: &Prices<'_>) -> Vec<(Term, f64)> {
        let all = [&self.likely, &self.full, &self.resumed];
        let terms: BTreeSet<Term> = all.iter().flat_map(|work| work.iter()).map(|(term, _)| term).collect();
        terms.into_iter().map(|term| (term, prices.once(term))).collect()
    }

    /// Seconds of CPU time in a second. The ends are those of the cheapest and the dearest that the traffic may be.
    fn cores(&self, prices: &Prices<'_>) -> Bounds {
        let cost = |work: &Work| prices.cost(work).scaled(1e-9);
        let cores = widest(cost(&self.likely), self.corners.iter().map(cost));
        Bounds { low: cores.low.max(0.0), ..cores }
    }
}

/// What is likely, with the ends of all that may be.
pub(crate) fn widest(likely: Bounds, corners: impl Iterator<Item = Bounds>) -> Bounds {
    corners.fold(likely, |all, corner| Bounds {
        value: all.value,
        low: all.low.min(corner.low),
        high: all.high.max(corner.high),
    })
}

/// As it is thought to be, but for the share that resumes, in the usual way where none does yet.
fn resuming(demand: &Demand, resumed: f64) -> Exact<'_> {
    let way = match (demand.tls, demand.resumption) {
        (Some(params), Resumption::Full) => usual_way(params.version),
        (_, way) => way,
    };
    Exact { resumed, resumption: way, ..demand.likely() }
}

fn resumed_share(traffic: &Traffic) -> f64 {
    let tls =
        || traffic.kinds.iter().map(|asked| asked.demand.likely()).filter(|demand| demand.tls.is_some());
    let all: f64 = tls().map(|demand| demand.connections).sum();
    let resumed: f64 = tls().map(|demand| demand.connections * demand.share_resumed()).sum();
    if all > 0.0 { resumed / all } else { 0.0 }
}

/// What one kind of connections costs.
struct OfKind<'d> {
    demand: &'d Demand,
    cores: Bounds,
    parts: Parts,
    /// Cores of those that do not resume, and of those that do.
    begun: [f64; 2],
}

impl<'d> OfKind<'d> {
    fn of(asked: &'d Asked, setup: Setup, prices: &Prices<'_>) -> Self {
        let demand = &asked.demand;
        let alone = Traffic { kinds: vec![asked.clone()], ..Traffic::default() };
        let likely = demand.likely();
        let resumed = likely.share_resumed();
        let begun = [(1.0 - resumed, 0.0), (resumed, 1.0)].map(|(share, at)| {
            let exact = Exact { resumed: at, ..likely.clone() };
            share * prices.likely(&prices.work(&exact, setup)) / 1e9
        });
        Self {
            demand,
            cores: Works::of(&alone, setup, prices).cores(prices),
            parts: Parts::of(&likely, setup, prices),
            begun,
        }
    }

    fn cores(&self) -> f64 {
        self.cores.value
    }

    fn name(&self, of: impl Fn(&Params) -> &'static str) -> &'static str {
        self.demand.tls.as_ref().map_or("none", of)
    }

    fn by_resumption(&self) -> [(&'static str, f64); 2] {
        let [full, resumed] = self.begun;
        match self.demand.tls {
            None => [("none", full + resumed), ("none", 0.0)],
            Some(_) => [(Resumption::Full.name(), full), (self.demand.resumption.name(), resumed)],
        }
    }

    fn row(&self) -> Row {
        let likely = self.demand.likely();
        Row {
            kind: kind(self.demand),
            connections: likely.connections,
            requests: likely.requests,
            resumed: likely.connections * likely.share_resumed(),
            cores: self.cores,
            parts: self.parts.pieces(),
        }
    }
}

/// Protocol, suite, group, key and HTTP version, in words.
fn kind(demand: &Demand) -> String {
    let Some(params) = demand.tls else { return format!("{}, no TLS", demand.http) };
    let group = params.group.map(|group| format!("{group}, ")).unwrap_or_default();
    let suite = params.suite.name();
    format!("{}, {suite}, {group}{}, {}", params.version, params.key, demand.http)
}

/// Pieces with the same name are one; the largest first.
fn pieces(all: impl Iterator<Item = (&'static str, f64)>) -> Vec<Piece<String>> {
    let mut sums = BTreeMap::<&str, f64>::new();
    all.filter(|(_, cores)| *cores != 0.0).for_each(|(of, cores)| *sums.entry(of).or_default() += cores);
    let mut pieces: Vec<Piece<String>> =
        sums.into_iter().map(|(of, cores)| Piece { of: of.to_owned(), cores }).collect();
    pieces.sort_by(|one, other| other.cores.total_cmp(&one.cores));
    pieces
}

#[cfg(test)]
mod tests;
