//! What a model says: planted costs, and what every format makes of them.
#![allow(clippy::unwrap_used)]

use tlstax_doc::model::{
    Bounds, Checked, Fitted, MODEL_VERSION, Model, Origin, Path, Regime, Term, TermCost,
};
use tlstax_doc::{Note, Severity, Tool};
use tlstax_report::{FORMATS, Style, View, format, model_view};
use tlstax_spec::{Host, Http, Id, Key, Resumption, Suite, Version};

mod kept;

const STYLE: Style = Style { unicode: true, colour: false, width: 120 };

/// Costs in nanoseconds, each with its standard deviation.
fn costs() -> Vec<(Term, f64, f64)> {
    let body = |bytes| Term::Body { path: Path::Tls, http: Http::Http1, bytes };
    vec![
        (Term::Connection, 21_000.0, 300.0),
        (Term::Handshake { version: Version::Tls13, key: Key::EcdsaP256 }, 180_000.0, 1_000.0),
        (Term::Handshake { version: Version::Tls13, key: Key::Rsa2048 }, 830_000.0, 4_000.0),
        (Term::Resumption { version: Version::Tls13, way: Resumption::Psk }, 110_000.0, 1_000.0),
        (Term::Request { http: Http::Http1, tls: true }, 14_000.0, 150.0),
        (Term::Request { http: Http::Http1, tls: false }, 11_000.0, 100.0),
        (body(1_024), 800.0, 100.0),
        (body(1_048_576), 600_000.0, 2_000.0),
        (Term::SuiteByte { suite: Suite::Aes256Gcm }, 0.04, 0.005),
    ]
}

fn model() -> Model {
    let costs = costs();
    let term = |(place, (term, ns, _)): (usize, &(Term, f64, f64))| TermCost {
        term: *term,
        ns: *ns,
        origin: match place {
            8 => Origin::InMemory { library: Id::literal("openssl"), case: "openssl/bulk".to_owned() },
            _ => Origin::Loads,
        },
    };
    let row = |(place, (_, _, deviation)): (usize, &(Term, f64, f64))| {
        let mut row = vec![0.0; place];
        row.push(deviation * deviation);
        row
    };
    let mut covariance: Vec<Vec<f64>> = costs.iter().enumerate().map(row).collect();
    // A larger body was seen together with the smaller one.
    covariance[7][6] = 100.0 * 2_000.0;
    let bounds = |value, low, high| Bounds { value, low, high };
    Model {
        schema: MODEL_VERSION,
        document: "model".to_owned(),
        tool: Tool { name: "tlstax".to_owned(), version: "0.1.0".to_owned(), reference_kernels: 1 },
        measured: "2026-11-22T10:00:00Z".to_owned(),
        host: Host::default(),
        server: Id::literal("nginx"),
        server_version: Some("nginx/1.22.1".to_owned()),
        library: Some("OpenSSL 3.0.17".to_owned()),
        regime: Regime {
            client: Id::literal("lean"),
            connections: 32,
            workers: 1,
            sendfile: true,
            tls_buffer: 0,
            rate: 0,
        },
        core_round_trip_ns: None,
        terms: costs.iter().enumerate().map(term).collect(),
        covariance,
        unexplained: 0.012,
        fitted: vec![
            Fitted {
                case: "nginx/load/full".to_owned(),
                measured: 216_000.0,
                low: 214_000.0,
                high: 218_000.0,
                model: 215_000.0,
                without: None,
            },
            Fitted {
                case: "nginx/load/kept".to_owned(),
                measured: 14_700.0,
                low: 14_600.0,
                high: 14_800.0,
                model: 14_800.0,
                without: Some(15_000.0),
            },
        ],
        holes: vec![("nginx/load/h2".to_owned(), "this build has no HTTP/2".to_owned())],
        sharper: vec![("nginx/load/rsa-4096".to_owned(), 0.21)],
        checked: vec![
            Checked {
                at: "2026-11-22T11:00:00Z".to_owned(),
                what: "workload".to_owned(),
                predicted: bounds(1.80, 1.74, 1.86),
                measured: bounds(1.84, 1.83, 1.85),
            },
            Checked {
                at: "2026-11-22T11:00:00Z".to_owned(),
                what: "nginx/load/<b>10 requests</b>".to_owned(),
                predicted: bounds(34_000.0, 33_000.0, 35_000.0),
                measured: bounds(31_000.0, 30_900.0, 31_100.0),
            },
        ],
        notes: vec![Note {
            severity: Severity::Warning,
            what: "the last loads had no time".to_owned(),
            remedy: "go on with --resume".to_owned(),
        }],
    }
}

fn drawn(view: &View, name: &str) -> String {
    format(name).unwrap().draw(view, &STYLE).to_string()
}

#[test]
fn a_model_is_drawn_as_it_was_kept() {
    let model = kept::model("model.json", model);
    let view = model_view(&model);
    for (format, name) in [("text", "model.txt"), ("md", "model.md"), ("csv", "model.csv")] {
        kept::expect(name, &drawn(&view, format));
    }
}

#[test]
fn intervals_come_from_the_covariances() {
    let view = model_view(&model());
    let found = |name: &str| view.costs.iter().find(|row| row.table == "term" && row.name == name).unwrap();
    let request = found("request, http/1.1 over TLS");
    assert_eq!((request.low, request.high), (Some(14_000.0 - 1.96 * 150.0), Some(14_000.0 + 1.96 * 150.0)));
    // The deviation of a difference of costs that go together wholly is that of the difference: 1,900.
    let said = &view.sections.iter().find(|section| section.id == "costs").unwrap().sentences;
    let byte = (600_000.0 - 800.0) / (1_048_576.0 - 1_024.0);
    let reach = 1.96 * 1_900.0 / (1_048_576.0 - 1_024.0);
    let ends = [byte, byte - reach, byte + reach].map(|ns| std::format!("{ns:.3}")[..5].to_owned());
    assert_eq!(ends, ["0.572", "0.568", "0.576"]);
    assert!(
        said.iter().any(|said| said.contains("costs 572 µs [568, 576] encrypted with AES-128-GCM")),
        "{said:?}"
    );
}

#[test]
fn how_right_it_was_is_said_and_shown() {
    let view = model_view(&model());
    let said =
        view.sections.iter().flat_map(|section| &section.sentences).find(|said| said.contains("checked"));
    assert_eq!(
        said.unwrap(),
        // The workload is the sum of loads.
        "Of the one prediction that was checked the error was 9.7 %."
    );
}

#[test]
fn foreign_text_is_text_in_every_format() {
    let page = drawn(&model_view(&model()), "html");
    assert!(!page.contains("<b>10 requests") && page.contains("&lt;b&gt;10 requests"));
}

#[test]
fn no_model_makes_a_format_fail() {
    let empty = Model {
        terms: Vec::new(),
        covariance: Vec::new(),
        fitted: Vec::new(),
        holes: Vec::new(),
        sharper: Vec::new(),
        checked: Vec::new(),
        notes: Vec::new(),
        ..model()
    };
    // Covariances that are not there, and costs that are not of this world.
    let mut strange = model();
    strange.covariance.truncate(3);
    strange.terms[0].ns = f64::MAX;
    strange.fitted[0].measured = 0.0;
    strange.checked[0].measured.value = 0.0;
    for model in [empty, strange] {
        let view = model_view(&model);
        for format in FORMATS {
            assert!(!format.draw(&view, &STYLE).is_empty());
        }
    }
}
