//! How many bytes it takes for a handshake and the encryption of a body to cost as much.

use tlstax_doc::model::{Bounds, Path, Term};
use tlstax_spec::{Group, Http, Key, Params, Resumption, Suite, Version};

use crate::costs::Costs;
use crate::demand::Exact;
use crate::predict::prices::Prices;
use crate::work::{Setup, Work, work};

/// A full handshake of which the model knows the cost.
pub struct Handshake<'c> {
    costs: &'c Costs<'c>,
    params: Params,
    /// The largest body that an answer is given for.
    most: f64,
}

/// The handshakes that are asked after, that of the write-ups first.
const KINDS: [(Version, Key); 4] = [
    (Version::Tls12, Key::Rsa2048),
    (Version::Tls13, Key::Rsa2048),
    (Version::Tls12, Key::EcdsaP256),
    (Version::Tls13, Key::EcdsaP256),
];

/// Beyond the largest body that was measured, a byte is taken to cost what it does there: for so many times its size.
const BEYOND: f64 = 16.0;

/// A balance of two costs for a body of so many bytes: above nothing as long as the handshake weighs more.
pub type Balance = fn(&Handshake<'_>, f64) -> Work;

/// The handshake, without all else that TLS adds to a single request on a connection.
pub fn half_of_tls(of: &Handshake<'_>, bytes: f64) -> Work {
    of.handshake().scaled(2.0).minus(&of.request(bytes, true).minus(&of.request(bytes, false)))
}

/// The handshake, without what encryption adds to a body.
pub fn bulk_as_dear(of: &Handshake<'_>, bytes: f64) -> Work {
    let body = |tls| of.request(bytes, tls).minus(&of.request(0.0, tls));
    of.handshake().minus(&body(true).minus(&body(false)))
}

impl<'c> Handshake<'c> {
    /// The first of the handshakes that the model knows.
    pub fn of(costs: &'c Costs<'c>) -> Result<Self, String> {
        let is_known = |(version, key): &&(Version, Key)| {
            costs.of_term(Term::Handshake { version: *version, key: *key }).is_some()
        };
        let (version, key) =
            KINDS.iter().find(is_known).ok_or("the model has no cost of a full handshake")?;
        let suite = match (version.is_tls13(), key) {
            (true, _) => Suite::Aes128Gcm,
            (false, Key::Rsa2048) => Suite::EcdheRsaAes128Gcm,
            (false, _) => Suite::EcdheEcdsaAes128Gcm,
        };
        let params = Params { version: *version, suite, group: Some(Group::X25519), key: *key };
        let plain = if Setup::of(costs.model()).sendfile { Path::Sendfile } else { Path::Copy };
        let largest = |path| costs.knots(path, Http::Http1).last().copied();
        match (largest(Path::Tls), largest(plain)) {
            (Some(tls), Some(other)) => Ok(Self { costs, params, most: BEYOND * f64::from(tls.min(other)) }),
            _ => Err("the model has no cost of bodies with and without TLS".to_owned()),
        }
    }

    fn handshake(&self) -> Work {
        let Params { version, key, .. } = self.params;
        Work::from_iter([(Term::Handshake { version, key }, 1.0)])
    }

    /// A request for a body on a connection of its own.
    fn request(&self, bytes: f64, tls: bool) -> Work {
        let demand = Exact {
            tls: tls.then_some(self.params),
            http: Http::Http1,
            connections: 1.0,
            resumed: 0.0,
            resumption: Resumption::Full,
            requests: 1.0,
            bodies: &[(bytes, 1.0)],
        };
        let prices = Prices::of(self.costs);
        work(&demand, Setup::of(self.costs.model()), &|path, http| prices.knots(path, http))
    }

    /// The bytes at which a balance is even, and those at which the ends of its 95 % interval are (Fieller, "Some problems in interval
    /// estimation", 1954).
    pub fn solve(&self, balance: Balance) -> Result<Bounds, String> {
        let at = |bytes: f64| self.costs.difference(&balance(self, bytes)).bounds();
        if at(self.most).value > 0.0 {
            return Err(format!(
                "the handshake weighs more up to {:.0} bytes, and the model knows nothing beyond",
                self.most
            ));
        }
        let root = |end: fn(Bounds) -> f64| even(|bytes| end(at(bytes)), self.most);
        Ok(Bounds { value: root(|at| at.value), low: root(|at| at.low), high: root(|at| at.high) })
    }
}

/// Where a falling function is zero; zero where it is not above it at all, and infinity where it still is at the most.
fn even(function: impl Fn(f64) -> f64, most: f64) -> f64 {
    if function(most) > 0.0 {
        return f64::INFINITY;
    }
    let (mut low, mut high) = (0.0, most);
    // 2^-60 of the most is less than a byte.
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if function(middle) > 0.0 { low = middle } else { high = middle }
    }
    if low == 0.0 { 0.0 } else { high }
}
