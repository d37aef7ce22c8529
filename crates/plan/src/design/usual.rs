//! What most servers are asked for: the work that a model has to be good at.

use tlstax_spec::{Http, Id, Load, Params, Resumption};

use super::scope::Scope;

/// So many loads stand for all.
const LOADS: u32 = 120;

/// One in so many is without TLS.
const PLAIN: u32 = 8;

/// Loads spread evenly over what a scope has: keys, groups, suites, resumptions, 0 to 95 % of connections resumed, 1 to 100 requests on
/// a connection, bodies of 200 bytes to 1 MB. The same each time.
pub fn usual(scope: &Scope) -> Vec<Load> {
    let params = scope.params();
    (1..=LOADS).map(|number| load(number, scope, &params)).collect()
}

fn load(number: u32, scope: &Scope, params: &[Params]) -> Load {
    let at = |dimension: usize| spread(number, dimension);
    let is_plain = params.is_empty() || number.is_multiple_of(PLAIN);
    let params = (!is_plain).then(|| *pick(params, at(0)));
    let https: Vec<Http> = params.map(|params| scope.http_of(params).collect()).unwrap_or_default();
    let http = if https.is_empty() { Http::Http1 } else { *pick(&https, at(1)) };
    let ways: Vec<Resumption> =
        params.map(|params| scope.resumptions_of(params.version).collect()).unwrap_or_default();
    let resumption = if ways.is_empty() { Resumption::Full } else { *pick(&ways, at(2)) };
    let percent = 95.0 * at(3);
    Load {
        http,
        resumption: if percent < 1.0 { Resumption::Full } else { resumption },
        resumed_percent: percent as u8,
        requests_per_connection: 100f64.powf(at(4)).round() as u32,
        body: (200.0 * 5000f64.powf(at(5))) as u32,
        ..Load::new(Id::literal("any"), params)
    }
}

/// Numbers from 0 to 1 that fill all dimensions evenly: multiples of the powers of the inverse of the generalised golden ratio in six
/// dimensions, x^7 = x + 1 (M. Roberts, "The unreasonable effectiveness of quasirandom sequences", 2018).
fn spread(number: u32, dimension: usize) -> f64 {
    const RATIO: f64 = 1.112_775_684_278_706;
    let powers = i32::try_from(dimension + 1).unwrap_or(i32::MAX);
    (f64::from(number) * RATIO.powi(-powers)).fract()
}

fn pick<T>(of: &[T], at: f64) -> &T {
    &of[((at * of.len() as f64) as usize).min(of.len() - 1)]
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use tlstax_spec::Authentication;

    use super::*;

    #[test]
    fn all_of_the_scope_occurs() {
        let scope = Scope::default();
        let loads = usual(&scope);
        let seen: HashSet<_> = loads.iter().filter_map(|load| load.params).collect();
        assert_eq!(seen.len(), scope.params().len());
        let resumptions: HashSet<_> = loads.iter().map(|load| load.resumption).collect();
        assert!(scope.resumptions.iter().all(|way| resumptions.contains(way)));
        let bodies = || loads.iter().map(|load| load.body);
        assert!(
            bodies().min() < Some(400) && bodies().max() > Some(700_000) && bodies().max() <= Some(1_000_000)
        );
        let requests = || loads.iter().map(|load| load.requests_per_connection);
        assert!(requests().min() == Some(1) && requests().max() > Some(80));
    }

    #[test]
    fn nothing_but_what_exists_is_asked_for() {
        for load in usual(&Scope::default()) {
            let Some(params) = load.params else { continue };
            assert!(params.is_coherent() && params.suite.authentication() != Authentication::Rsa);
            assert!(load.resumption.fits(params.version));
        }
    }
}
