//! The shares of the write-up on cryptography in production, and its speeds, as a model: shares multiply, and they add up.

use tlstax_doc::Tool;
use tlstax_doc::model::{Bounds, MODEL_VERSION, Model, Origin, Path, Regime, Term, TermCost};
use tlstax_plan::{Costs, Demand, Setup, Work, work};
use tlstax_spec::{Group, Host, Http, Id, Key, Params, Resumption, Suite, Version};

use crate::table::rows;

const PRIMITIVES: &str = include_str!("../../../../reference/primitives.csv");
const SOURCE: &str = "003_990994f9dea92bce.txt";

/// Of the CPU time of the machine, what its TLS library takes; of that, what one suite takes.
const LIBRARY: f64 = 0.018;
const SUITE: f64 = 0.068;

/// The share of connections with RSA, "a quarter"; exchanges on P-256 are twice those on X25519.
const RSA: f64 = 0.25;
const P256: f64 = 2.0 / 3.0;

/// Nanoseconds of an operation of the source's machine.
fn ns(algorithm: &str, operation: &str) -> f64 {
    let all = rows(PRIMITIVES);
    let is_it = |row: &&std::collections::BTreeMap<String, String>| {
        row["source"] == SOURCE && row["algorithm"] == algorithm && row["operation"] == operation
    };
    1e9 / all.iter().find(is_it).unwrap()["value"].parse::<f64>().unwrap()
}

/// Handshakes that cost nothing but their exchange and their signature, and requests that cost what is given.
fn model(request: f64) -> Model {
    let x25519 = ns("x25519", "exchange");
    let handshake = |key| Term::Handshake { version: Version::Tls12, key };
    let costs = [
        (handshake(Key::Rsa2048), x25519 + ns("rsa-2048", "sign")),
        (handshake(Key::EcdsaP256), x25519 + ns("ecdsa-p256", "sign")),
        (Term::Group { group: Group::Secp256r1 }, ns("ecdhe-p256", "exchange") - x25519),
        (Term::Request { http: Http::Http1, tls: true }, request),
    ];
    Model {
        schema: MODEL_VERSION,
        document: "model".into(),
        tool: Tool { name: "tlstax".into(), version: "0.0.0".into(), reference_kernels: 1 },
        measured: "2017-12-26T00:00:00Z".into(),
        host: Host::default(),
        server: Id::literal("edge"),
        server_version: None,
        library: Some("BoringSSL".into()),
        regime: Regime {
            client: Id::literal("lean"),
            connections: 16,
            workers: 1,
            sendfile: true,
            tls_buffer: 0,
            rate: 0,
        },
        core_round_trip_ns: None,
        terms: costs.map(|(term, ns)| TermCost { term, ns, origin: Origin::Loads }).to_vec(),
        covariance: Vec::new(),
        unexplained: 0.0,
        fitted: Vec::new(),
        holes: Vec::new(),
        sharper: Vec::new(),
        checked: Vec::new(),
        notes: Vec::new(),
    }
}

/// The work of so many connections, each of one request.
fn connections(key: Key, group: Group, number: f64) -> Work {
    let suite = match key {
        Key::Rsa2048 => Suite::EcdheRsaAes128Gcm,
        _ => Suite::EcdheEcdsaAes128Gcm,
    };
    let exactly = |value| Bounds { value, low: value, high: value };
    let demand = Demand {
        tls: Some(Params { version: Version::Tls12, suite, group: Some(group), key }),
        http: Http::Http1,
        connections: exactly(number),
        resumed: exactly(0.0),
        resumption: Resumption::Full,
        requests: number,
        bodies: vec![(0.0, 1.0)],
    };
    work(&demand.likely(), Setup::default(), &|_: Path, _| Vec::new())
}

/// The connections of the source, by key and group.
fn kinds() -> Vec<Work> {
    [(Key::Rsa2048, RSA), (Key::EcdsaP256, 1.0 - RSA)]
        .into_iter()
        .flat_map(|(key, share)| {
            [(Group::X25519, 1.0 - P256), (Group::Secp256r1, P256)]
                .map(|(group, of)| connections(key, group, share * of))
        })
        .collect()
}

fn whole(kinds: &[Work]) -> Work {
    kinds.iter().fold(Work::default(), |mut all, kind| {
        all.extend(kind);
        all
    })
}

/// 6.8 % of the library, which takes 1.8 % of the machine, are 0.12 % of it.
#[test]
fn shares_multiply() {
    assert_eq!(format!("{:.2}", LIBRARY * SUITE * 100.0), "0.12");
    // The same of a model: the request takes what the library leaves of the machine.
    let kinds = kinds();
    let all = whole(&kinds);
    let handshakes = Costs::of(&model(0.0)).cost(&all).ns;
    let with_requests = model(handshakes * (1.0 - LIBRARY) / LIBRARY);
    let machine = Costs::of(&with_requests).cost(&all).ns;
    assert!((handshakes / machine - LIBRARY).abs() < 1e-12);
    for kind in &kinds {
        let of_library = Costs::of(&model(0.0)).cost(kind).ns / handshakes;
        let of_machine = Costs::of(&model(0.0)).cost(kind).ns / machine;
        assert!((of_machine - LIBRARY * of_library).abs() < 1e-12);
    }
}

#[test]
fn shares_add_up() {
    let (kinds, model) = (kinds(), model(1e6));
    let costs = Costs::of(&model);
    let all = costs.cost(&whole(&kinds)).ns;
    let shares: f64 = kinds.iter().map(|kind| costs.cost(kind).ns / all).sum();
    assert!((shares - 1.0).abs() < 1e-12, "{shares}");
    assert!(kinds.iter().all(|kind| costs.missing(kind).iter().all(|(term, _)| *term == Term::Connection)));
}

/// "About half of the library's time" with a quarter of the connections: by the speeds RSA takes three fifths of the time of public keys,
/// so that half of the library's is what it takes if ciphers, hashes and the rest take a fifth of it.
#[test]
fn rsa_takes_most_with_a_quarter_of_the_connections() {
    let handshakes = Costs::of(&model(0.0)).cost(&whole(&kinds())).ns;
    let share = RSA * ns("rsa-2048", "sign") / handshakes;
    assert!((0.59..0.61).contains(&share), "{share}");
}

/// "P-256 about twice X25519, with twice the exchanges and the signatures besides": by the speeds the exchanges alone make it twice, and
/// with the signatures it would be thrice.
#[test]
fn p256_takes_twice_the_time_of_x25519_by_its_exchanges_alone() {
    let x25519 = (1.0 - P256) * ns("x25519", "exchange");
    let exchanges = P256 * ns("ecdhe-p256", "exchange");
    let signatures = (1.0 - RSA) * ns("ecdsa-p256", "sign");
    assert!((1.9..2.1).contains(&(exchanges / x25519)), "{}", exchanges / x25519);
    assert!(
        (3.0..3.2).contains(&((exchanges + signatures) / x25519)),
        "{}",
        (exchanges + signatures) / x25519
    );
}
