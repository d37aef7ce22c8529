//! What the cost of a kind of connections is spent on.

use std::collections::BTreeMap;

use tlstax_doc::model::Term;
use tlstax_doc::plan::{Part, Piece};

use super::prices::Prices;
use crate::demand::Exact;
use crate::work::{Setup, Work, is_bulk, is_handshake};

/// Nanoseconds by what they are spent on.
#[derive(Debug, Default, Clone)]
pub struct Parts(BTreeMap<Part, f64>);

impl Parts {
    /// Those of a demand; they add up to what its work costs.
    pub fn of(demand: &Exact<'_>, setup: Setup, prices: &Prices<'_>) -> Self {
        let mut parts = Self::default();
        parts.add_connections(&prices.work(demand, setup), prices);
        let resumed = demand.share_resumed();
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

    /// What TLS adds is the same for every version of HTTP. Where the model does not know it, all of a request is a request's.
    fn add_requests(&mut self, demand: &Exact<'_>, prices: &Prices<'_>) {
        let whole =
            demand.requests * prices.once(Term::Request { http: demand.http, tls: demand.tls.is_some() });
        let added = match demand.tls {
            Some(_) => demand.requests * prices.added_to_request(demand.http).unwrap_or_default(),
            None => 0.0,
        };
        self.add(Part::Requests, whole - added);
        self.add(Part::RequestsOverTls, added);
    }

    /// Where the model does not know what a body costs without TLS, all of it is encryption.
    fn add_bodies(&mut self, demand: &Exact<'_>, setup: Setup, prices: &Prices<'_>) {
        let plain = Exact { tls: None, ..demand.clone() };
        let whole = sum(&prices.work(demand, setup), prices, is_bulk);
        let sent = match demand.tls.is_none() || prices.knows_plain_bodies() {
            true => sum(&prices.work(&plain, setup), prices, is_bulk),
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

fn sum(work: &Work, prices: &Prices<'_>, is_wanted: impl Fn(Term) -> bool) -> f64 {
    work.iter().filter(|(term, _)| is_wanted(*term)).map(|(term, times)| times * prices.once(term)).sum()
}
