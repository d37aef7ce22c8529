//! [`Demand`]: what connections of one kind ask of a server in a second.

use tlstax_doc::model::Bounds;
use tlstax_spec::{Http, Load, Params, Resumption};

/// What connections of one kind ask of a server in a second, as far as it is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Demand {
    /// None without TLS.
    pub tls: Option<Params>,
    pub http: Http,
    /// New connections a second.
    pub connections: Bounds,
    /// The share of them that resume, 0 to 1.
    pub resumed: Bounds,
    /// The way in which those do; [`Resumption::Full`] where none does.
    pub resumption: Resumption,
    /// A second.
    pub requests: f64,
    /// Sizes of bodies in bytes, each with its share of requests; the shares add up to 1.
    pub bodies: Vec<(f64, f64)>,
}

/// A demand of which all is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Exact<'d> {
    pub tls: Option<Params>,
    pub http: Http,
    pub connections: f64,
    pub resumed: f64,
    pub resumption: Resumption,
    pub requests: f64,
    pub bodies: &'d [(f64, f64)],
}

impl Demand {
    /// What a load asks for one request.
    pub fn of_load(load: &Load) -> Self {
        let connections = match load.requests_per_connection {
            // Connections that are kept are opened once for hundreds of thousands of requests.
            0 => 0.0,
            requests => f64::from(requests).recip(),
        };
        let resumed = match (load.params, load.resumption) {
            (None, _) | (_, Resumption::Full) => 0.0,
            _ => f64::from(load.resumed_percent) / 100.0,
        };
        Self {
            tls: load.params,
            http: load.http,
            connections: Bounds::exact(connections),
            resumed: Bounds::exact(resumed),
            resumption: load.resumption,
            requests: 1.0,
            bodies: vec![(f64::from(load.body), 1.0)],
        }
    }

    /// With the values as they are thought to be.
    pub fn likely(&self) -> Exact<'_> {
        self.exact(self.connections.value, self.resumed.value)
    }

    /// With the values that cost a server least: few connections, of which most resume.
    pub fn cheapest(&self) -> Exact<'_> {
        self.exact(self.connections.low, self.resumed.high)
    }

    /// With the values that cost a server most.
    pub fn dearest(&self) -> Exact<'_> {
        self.exact(self.connections.high, self.resumed.low)
    }

    fn exact(&self, connections: f64, resumed: f64) -> Exact<'_> {
        let &Self { tls, http, resumption, requests, ref bodies, .. } = self;
        Exact { tls, http, connections, resumed, resumption, requests, bodies }
    }

    /// Bytes of bodies in a second.
    pub fn bytes(&self) -> f64 {
        self.requests * self.bodies.iter().map(|(bytes, share)| bytes * share).sum::<f64>()
    }
}
