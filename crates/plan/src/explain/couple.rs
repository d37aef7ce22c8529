//! [`Pair`]: a part of the traffic before, and the part of that after which stands in its place.

use tlstax_spec::{Params, Resumption, Version};

use super::dimension::{Changed, Dimension};
use crate::demand::{Demand, Exact};

/// A part of the traffic before, and the part of that after which stands in its place.
#[derive(Debug)]
pub struct Pair<'d> {
    pub before: Piece<'d>,
    pub after: Piece<'d>,
}

/// A share of a demand.
#[derive(Debug, Clone, Copy)]
pub struct Piece<'d> {
    pub demand: &'d Demand,
    pub share: f64,
}

/// What differs by less is the same but for the rounding of sums.
const SAME: f64 = 1e-12;

/// Divides both workloads into parts of the same weight, like beside like as far as there is like: so what did not change explains
/// nothing. A workload that asks for nothing has no parts.
pub fn couple<'d>(before: &'d [Demand], after: &'d [Demand]) -> Vec<Pair<'d>> {
    let (mut left, mut right) = (weights(before), weights(after));
    let (all, others) = (left.clone(), right.clone());
    let mut places: Vec<(usize, usize, usize)> = (0..before.len())
        .flat_map(|one| (0..after.len()).map(move |other| (one, other)))
        .map(|(one, other)| (unlike(&before[one], &after[other]), one, other))
        .collect();
    places.sort_unstable();
    let mut pairs = Vec::new();
    for (_, one, other) in places {
        let weight = left[one].min(right[other]);
        if weight <= SAME {
            continue;
        }
        left[one] -= weight;
        right[other] -= weight;
        pairs.push(Pair {
            before: Piece { demand: &before[one], share: weight / all[one] },
            after: Piece { demand: &after[other], share: weight / others[other] },
        });
    }
    pairs
}

/// The weight of each demand, together one: half by connections and half by requests, since either may be none. Nothing where all
/// ask for nothing.
fn weights(demands: &[Demand]) -> Vec<f64> {
    let connections: f64 = demands.iter().map(|demand| demand.connections.value).sum();
    let requests: f64 = demands.iter().map(|demand| demand.requests).sum();
    let part = |of: f64, all: f64| if all > 0.0 { of / all } else { 0.0 };
    let weight =
        |demand: &Demand| part(demand.connections.value, connections) + part(demand.requests, requests);
    let all: f64 = demands.iter().map(weight).sum();
    demands.iter().map(|demand| part(weight(demand), all)).collect()
}

/// In how many ways two demands are of different kinds.
fn unlike(one: &Demand, other: &Demand) -> usize {
    let each = |demand: &Demand| demand.requests / demand.connections.value.max(f64::MIN_POSITIVE);
    let params = |demand: &Demand| {
        demand.tls.map_or((None, None, None, None), |Params { version, suite, group, key }| {
            (Some(version), Some(suite), Some(group), Some(key))
        })
    };
    let (mine, theirs) = (params(one), params(other));
    [
        mine.0 != theirs.0,
        mine.1 != theirs.1,
        mine.2 != theirs.2,
        mine.3 != theirs.3,
        one.http != other.http,
        (one.resumption, one.resumed) != (other.resumption, other.resumed),
        (each(one) - each(other)).abs() > SAME * each(one),
        one.bodies != other.bodies,
    ]
    .into_iter()
    .filter(|differs| *differs)
    .count()
}

impl<'d> Pair<'d> {
    /// What is asked for where these dimensions are as after, and the others as before.
    pub fn demand(&self, changed: Changed) -> Exact<'d> {
        let of = |dimension| self.piece(changed.has(dimension));
        let tls = of(Dimension::Tls).demand.tls.and_then(|_| self.params(changed));
        let (resumption, resumed) = match tls {
            Some(params) => self.resumption(changed.has(Dimension::Resumption), params.version),
            None => (Resumption::Full, 0.0),
        };
        let (connections, requests) = (of(Dimension::Connections), of(Dimension::Requests));
        Exact {
            tls,
            http: of(Dimension::Http).demand.http,
            connections: connections.demand.connections.value * connections.share,
            resumed,
            resumption,
            requests: requests.demand.requests * requests.share,
            bodies: &of(Dimension::Bytes).demand.bodies,
        }
    }

    const fn piece(&self, is_after: bool) -> Piece<'d> {
        if is_after { self.after } else { self.before }
    }

    /// The piece before or after; where it is without TLS, the other.
    fn secured(&self, is_after: bool) -> Option<&'d Demand> {
        let (own, other) = (self.piece(is_after).demand, self.piece(!is_after).demand);
        [own, other].into_iter().find(|demand| demand.tls.is_some())
    }

    fn params(&self, changed: Changed) -> Option<Params> {
        let of = |dimension| self.secured(changed.has(dimension))?.tls;
        Some(Params {
            version: of(Dimension::Version)?.version,
            suite: of(Dimension::Suite)?.suite,
            key: of(Dimension::Key)?.key,
            group: of(Dimension::Group)?.group,
        })
    }

    /// The way to resume and the share that does; where the way is none of the version, its own.
    fn resumption(&self, is_after: bool, version: Version) -> (Resumption, f64) {
        let resumes = |demand: &&Demand| demand.resumed.value > 0.0;
        let Some(demand) = self.secured(is_after).filter(resumes) else { return (Resumption::Full, 0.0) };
        let usual = if version.is_tls13() { Resumption::Psk } else { Resumption::Ticket };
        let is_known = demand.resumption == Resumption::Full || demand.resumption.fits(version);
        (if is_known { demand.resumption } else { usual }, demand.resumed.value)
    }

    /// Whether its parts differ in a dimension.
    pub fn differs(&self, dimension: Dimension) -> bool {
        let all = Dimension::ALL.into_iter().fold(Changed::NONE, Changed::with);
        let but =
            Dimension::ALL.into_iter().filter(|other| *other != dimension).fold(Changed::NONE, Changed::with);
        let is_apart = |one: &Exact<'_>, other: &Exact<'_>| {
            let far = |one: f64, other: f64| (one - other).abs() > SAME * one.abs().max(other.abs());
            (one.tls, one.http, one.resumption, one.bodies)
                != (other.tls, other.http, other.resumption, other.bodies)
                || far(one.resumed, other.resumed)
                || far(one.connections, other.connections)
                || far(one.requests, other.requests)
        };
        // Where TLS comes or goes, only the one end shows what else differs.
        let none = Changed::NONE;
        is_apart(&self.demand(all), &self.demand(but))
            || is_apart(&self.demand(none), &self.demand(none.with(dimension)))
    }
}
