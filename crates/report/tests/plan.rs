//! What a plan says: planted figures, and what every format makes of them.
#![allow(clippy::unwrap_used)]

use tlstax_doc::model::{Bounds, Checked, Path, Term};
use tlstax_doc::plan::{
    Basis, Elsewhere, Missing, PLAN_VERSION, Part, Piece, Plan, Prediction, Resource, Row, Scenario,
};
use tlstax_doc::{Note, Severity, Tool};
use tlstax_report::{Block, FORMATS, Slider, Style, View, format, plan_view};
use tlstax_spec::{Group, Http, Key, Resumption, Version};

mod kept;

const STYLE: Style = Style { unicode: true, colour: false, width: 120 };

const HANDSHAKE: Term = Term::Handshake { version: Version::Tls13, key: Key::Rsa2048 };
const RESUMPTION: Term = Term::Resumption { version: Version::Tls13, way: Resumption::Psk };
const BODY: Term = Term::Body { path: Path::Tls, http: Http::Http1, bytes: 16_384 };

const fn bounds(value: f64, low: f64, high: f64) -> Bounds {
    Bounds { value, low, high }
}

fn around(value: f64) -> Bounds {
    bounds(value, value * 0.95, value * 1.05)
}

/// A thousand connections a second of which so many resume, with four requests each.
fn work(resumed: f64) -> Vec<(Term, f64)> {
    vec![
        (Term::Connection, 1_000.0),
        (HANDSHAKE, 1_000.0 - resumed),
        (RESUMPTION, resumed),
        (Term::Request { http: Http::Http1, tls: true }, 4_000.0),
        (BODY, 4_000.0),
    ]
}

fn costs(handshake: f64) -> Vec<(Term, f64)> {
    vec![
        (Term::Connection, 20_000.0),
        (HANDSHAKE, handshake),
        (RESUMPTION, 110_000.0),
        (Term::Request { http: Http::Http1, tls: true }, 14_000.0),
        (BODY, 9_000.0),
    ]
}

/// What a program adds up.
fn cores(work: &[(Term, f64)], costs: &[(Term, f64)]) -> f64 {
    work.iter().zip(costs).map(|((_, times), (_, ns))| times * ns).sum::<f64>() / 1e9
}

fn prediction(handshake: f64) -> Prediction {
    let costs = costs(handshake);
    let (now, full, resumed) = (work(800.0), work(0.0), work(1_000.0));
    let of = |work: &[(Term, f64)]| around(cores(work, &costs));
    let piece = |of, cores| Piece { of, cores };
    let word = |of: &str, cores| Piece { of: of.to_owned(), cores };
    let parts = vec![
        piece(Part::Connections, 0.020),
        piece(Part::FullHandshakes, 200.0 * handshake / 1e9),
        piece(Part::Resumptions, 0.088),
        piece(Part::Requests, 0.044),
        piece(Part::RequestsOverTls, 0.012),
        piece(Part::Sending, 0.010),
        piece(Part::Encryption, 0.026),
    ];
    let whole = cores(&now, &costs);
    Prediction {
        cores: of(&now),
        suites: vec![word("TLS_AES_128_GCM_SHA256", whole)],
        keys: vec![word("rsa-2048", whole)],
        resumption: vec![word("full", whole - 0.2), word("psk", 0.2)],
        rows: vec![Row {
            kind: "TLSv1.3 TLS_AES_128_GCM_SHA256 X25519 rsa-2048 HTTP/1.1 <script>alert(1)</script>"
                .to_owned(),
            connections: 1_000.0,
            requests: 4_000.0,
            resumed: 800.0,
            cores: of(&now),
            parts: parts.clone(),
        }],
        parts,
        missing: vec![Missing {
            term: Term::Group { group: Group::Secp384r1 },
            kin: Some(Term::Group { group: Group::Secp256r1 }),
            ns: bounds(100_000.0, 10_000.0, 400_000.0),
            cores: 0.01,
        }],
        if_full: of(&full),
        if_resumed: of(&resumed),
        work: now,
        full,
        resumed,
        costs,
        resumed_share: 0.8,
        wire_bytes: 70e6,
    }
}

fn plan() -> Plan {
    let (now, then) = (prediction(830_000.0), prediction(180_000.0));
    Plan {
        schema: PLAN_VERSION,
        document: "plan".to_owned(),
        tool: Tool { name: "tlstax".to_owned(), version: "0.1.0".to_owned(), reference_kernels: 1 },
        made: "2026-11-22T12:00:00Z".to_owned(),
        basis: Basis {
            server: "nginx 1.22.1".to_owned(),
            machine: "A processor".to_owned(),
            cpus: 4,
            measured: "2026-11-22T10:00:00Z".to_owned(),
            rate: "the busiest 10 s".to_owned(),
            requests: 4_000.0,
            connections: bounds(1_000.0, 950.0, 1_050.0),
            bytes: 65_536_000.0,
        },
        scenarios: vec![
            Scenario {
                changes: vec!["cert=ecdsa-p256".to_owned()],
                more: bounds(-0.13, -0.132, -0.128),
                prediction: then,
                elsewhere: Elsewhere {
                    bytes_per_connection: -620.0,
                    round_trips: 0.0,
                    said: vec!["clients without ECDSA are lost".to_owned()],
                },
                configuration: vec!["ssl_certificate ecdsa-p256.pem;".to_owned()],
            },
            Scenario {
                changes: vec!["record=4096".to_owned()],
                more: bounds(0.001, -0.004, 0.006),
                prediction: now.clone(),
                elsewhere: Elsewhere::default(),
                configuration: Vec::new(),
            },
        ],
        resources: vec![
            Resource {
                what: "cpu".to_owned(),
                used: now.cores,
                available: 4.0,
                unit: "cores".to_owned(),
                times: 10.9,
                said: String::new(),
            },
            Resource {
                what: "network".to_owned(),
                used: bounds(560e6, 560e6, 560e6),
                available: 10e9,
                unit: "bit/s".to_owned(),
                times: 17.9,
                said: "by what the card says of itself".to_owned(),
            },
        ],
        now,
        assumed: vec!["X25519 where the log does not tell the group".to_owned()],
        left_out: vec!["12 failed handshakes".to_owned()],
        checked: [
            ("nginx/load/full", around(216_000.0), bounds(214_000.0, 212_000.0, 216_000.0)),
            ("nginx/load/kept", around(14_800.0), bounds(16_000.0, 15_900.0, 16_100.0)),
            (Checked::WORKLOAD, around(0.366), bounds(0.371, 0.370, 0.372)),
        ]
        .map(|(what, predicted, measured)| Checked {
            at: "2026-11-22T13:00:00Z".to_owned(),
            what: what.to_owned(),
            predicted,
            measured,
        })
        .to_vec(),
        notes: vec![Note {
            severity: Severity::Warning,
            what: "the costs are of another kernel".to_owned(),
            remedy: String::new(),
        }],
    }
}

fn drawn(view: &View, name: &str) -> String {
    format(name).unwrap().draw(view, &STYLE).to_string()
}

fn slider(view: &View) -> Option<&Slider> {
    view.sections.iter().flat_map(|section| &section.blocks).find_map(|block| match block {
        Block::Slider(slider) => Some(&**slider),
        _ => None,
    })
}

#[test]
fn a_plan_is_drawn_as_it_was_kept() {
    let plan = kept::plan("plan.json", plan);
    let view = plan_view(&plan);
    for (format, name) in [("text", "plan.txt"), ("md", "plan.md"), ("csv", "plan.csv")] {
        kept::expect(name, &drawn(&view, format));
    }
}

#[test]
fn the_answer_comes_first() {
    let view = plan_view(&plan());
    let first = view.sections.iter().flat_map(|section| &section.sentences).next().unwrap();
    assert!(
        first.starts_with(
            "This traffic needs 0.366 cores [0.348, 0.384] of nginx 1.22.1 on A processor: 45 % full"
        ),
        "{first}"
    );
}

#[test]
fn the_page_has_what_it_needs_to_compute_what_the_program_says() {
    let plan = plan();
    let view = plan_view(&plan);
    let slider = slider(&view).unwrap();
    let sum = |times: fn(&tlstax_report::SliderTerm) -> f64| {
        slider.terms.iter().map(|term| term.ns * times(term)).sum::<f64>() / 1e9
    };
    let near = |one: f64, other: f64| (one - other).abs() < 1e-9;
    assert!(near(sum(|term| term.now), plan.now.cores.value));
    assert!(near(sum(|term| term.full), plan.now.if_full.value));
    assert!(near(sum(|term| term.resumed), plan.now.if_resumed.value));
    // Half of what resumes now is half of the way to none.
    assert!(near(
        (plan.now.cores.value + plan.now.if_full.value) / 2.0,
        cores(&work(400.0), &costs(830_000.0))
    ));
    assert!(drawn(&view, "html").contains("class=\"slider\""));
}

#[test]
fn a_page_that_would_say_something_else_than_the_program_computes_nothing() {
    let mut wrong = plan();
    wrong.now.costs[1].1 *= 1.01;
    assert!(slider(&plan_view(&wrong)).is_none());
    let mut without = plan();
    without.now.costs.clear();
    assert!(slider(&plan_view(&without)).is_none());
}

#[test]
fn foreign_text_is_text_on_the_page() {
    let mut plan = plan();
    plan.scenarios[0].changes = vec!["</script><img src=x onerror=alert(1)>".to_owned()];
    plan.basis.machine = "<i>a</i>".to_owned();
    plan.scenarios[0].configuration = vec!["\u{1b}[31m".to_owned()];
    let page = drawn(&plan_view(&plan), "html");
    assert!(
        !page.contains("<script>alert")
            && !page.contains("<img")
            && !page.contains("<i>")
            && !page.contains('\u{1b}')
    );
    assert!(page.contains("&lt;script&gt;alert(1)"));
}

#[test]
fn no_plan_makes_a_format_fail() {
    let mut empty = plan();
    empty.now = Prediction {
        cores: Bounds::default(),
        parts: Vec::new(),
        suites: Vec::new(),
        keys: Vec::new(),
        resumption: Vec::new(),
        rows: Vec::new(),
        missing: Vec::new(),
        work: Vec::new(),
        full: Vec::new(),
        resumed: Vec::new(),
        costs: Vec::new(),
        if_full: Bounds::default(),
        if_resumed: Bounds::default(),
        resumed_share: 0.0,
        wire_bytes: 0.0,
    };
    empty.scenarios.clear();
    empty.resources.clear();
    empty.checked.clear();
    let mut strange = plan();
    strange.now.cores = bounds(f64::MAX, -1.0, f64::MAX);
    strange.now.parts[0].cores = f64::MAX;
    strange.now.parts[1].cores = -1.0;
    strange.now.resumed_share = 7.0;
    strange.basis.cpus = 0;
    strange.basis.requests = -1.0;
    strange.scenarios[0].changes.clear();
    for plan in [empty, strange] {
        let view = plan_view(&plan);
        for format in FORMATS {
            assert!(!format.draw(&view, &STYLE).is_empty());
        }
    }
}
