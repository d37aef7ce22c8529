//! What the cost of a kind of connections is spent on.

use std::collections::BTreeMap;

use tlstax_doc::model::{Path, Term};
use tlstax_doc::plan::{Part, Piece};
use tlstax_spec::Resumption;

use super::prices::Prices;
use crate::demand::Exact;
use crate::work::{Setup, Work};

/// Nanoseconds by what they are spent on.
#[derive(Debug, Default, Clone)]
pub struct Parts(BTreeMap<Part, f64>);

impl Parts {
    /// Those of a demand; they add up to what its work costs.
    pub fn of(demand: &Exact<'_>, setup: Setup, prices: &Prices<'_>) -> Self {
        let mut parts = Self::default();
        parts.add_connections(&prices.work(demand, setup), prices);
        let resumed = if demand.resumption == Resumption::Full { 0.0 } else { demand.resumed };
        for (part, share, at) in
            [(Part::FullHandshakes, 1.0 - resumed, 0.0), (Part::Resumptions, resumed, 1.0)]
        {
            let work = prices.work(&Exact { resumed: at, ..demand.clone() }, setup);
            parts.add(part, share * sum(&work, prices, is_handshake));
        }
        parts.add_requests(demand, prices);
        parts.add_bodies(demand, setup, prices);
        parts
    }

    fn add(&mut self, part: Part, ns: f64) {
        if ns != 0.0 {
            *self.0.entry(part).or_default() += ns;
        }
    }

    fn add_connections(&mut self, work: &Work, prices: &Prices<'_>) {
        let is_connection = |term: Term| matches!(term, Term::Connection | Term::Http2Connection);
        self.add(Part::Connections, sum(work, prices, is_connection));
    }

    /// Where the model does not know what a request costs without TLS, all of it is a request's.
    fn add_requests(&mut self, demand: &Exact<'_>, prices: &Prices<'_>) {
        let of = |tls| Term::Request { http: demand.http, tls };
        let whole = demand.requests * prices.once(of(demand.tls.is_some()));
        let knows_both = [true, false].into_iter().all(|tls| prices.knows(of(tls)));
        let plain = if knows_both { demand.requests * prices.once(of(false)) } else { whole };
        self.add(Part::Requests, plain);
        self.add(Part::RequestsOverTls, whole - plain);
    }

    /// Where the model does not know what a body costs without TLS, all of it is encryption.
    fn add_bodies(&mut self, demand: &Exact<'_>, setup: Setup, prices: &Prices<'_>) {
        let plain = Exact { tls: None, ..demand.clone() };
        let path = if setup.sendfile { Path::Sendfile } else { Path::Copy };
        let whole = sum(&prices.work(demand, setup), prices, is_body);
        let sent = match demand.tls.is_none() || prices.knows_bodies(path, demand.http) {
            true => sum(&prices.work(&plain, setup), prices, is_body),
            false => 0.0,
        };
        self.add(Part::Sending, sent);
        self.add(Part::Encryption, whole - sent);
    }

    pub fn merge(&mut self, other: &Self) {
        other.0.iter().for_each(|(part, ns)| self.add(*part, *ns));
    }

    /// In cores.
    pub fn pieces(&self) -> Vec<Piece<Part>> {
        self.0.iter().map(|(part, ns)| Piece { of: *part, cores: ns / 1e9 }).collect()
    }
}

const fn is_handshake(term: Term) -> bool {
    matches!(
        term,
        Term::Handshake { .. } | Term::Resumption { .. } | Term::Group { .. } | Term::KeyTransport { .. }
    )
}

const fn is_body(term: Term) -> bool {
    matches!(term, Term::Body { .. } | Term::SuiteByte { .. } | Term::SuiteRecord { .. } | Term::Record)
}

fn sum(work: &Work, prices: &Prices<'_>, is_wanted: impl Fn(Term) -> bool) -> f64 {
    work.iter().filter(|(term, _)| is_wanted(*term)).map(|(term, times)| times * prices.once(term)).sum()
}
