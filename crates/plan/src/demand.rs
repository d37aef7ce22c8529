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

    /// With the values as they are thought to be. Where nobody resumes, handshakes make no sessions.
    pub fn likely(&self) -> Exact<'_> {
        let resumption = if self.resumed.value > 0.0 { self.resumption } else { Resumption::Full };
        Exact { resumption, ..self.exact(self.connections.value, self.resumed.value) }
    }

    /// With the ends of both intervals: few and many connections, of which few and many resume. Which of them cost least and most
    /// depends on the model.
    pub fn corners(&self) -> [Exact<'_>; 4] {
        let (few, many) = (self.connections.low, self.connections.high);
        let (least, most) = (self.resumed.low, self.resumed.high);
        [(few, least), (few, most), (many, least), (many, most)]
            .map(|(connections, resumed)| self.exact(connections, resumed))
    }

    fn exact(&self, connections: f64, resumed: f64) -> Exact<'_> {
        let &Self { tls, http, requests, ref bodies, .. } = self;
        // Sessions are made as long as somebody may resume them.
        let resumption = if self.resumed.high > 0.0 { self.resumption } else { Resumption::Full };
        Exact { tls, http, connections, resumed, resumption, requests, bodies }
    }

    /// Bytes of bodies in a second.
    pub fn bytes(&self) -> f64 {
        self.requests * self.bodies.iter().map(|(bytes, share)| bytes * share).sum::<f64>()
    }
}

impl Exact<'_> {
    /// The share of connections that resume, 0 to 1.
    pub fn share_resumed(&self) -> f64 {
        if self.resumption == Resumption::Full { 0.0 } else { self.resumed }
    }
}
