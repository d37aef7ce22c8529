//! What a workload says: planted counts, and what every format makes of them.
#![allow(clippy::unwrap_used)]

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use tlstax_doc::{
    Bad, Bucket, Counts, HttpVersion, Kind, PassedOver, Protocol, Resumed, Series, Share, Sketch, Source,
    Tell, Tool, Total, Workload, merge_workloads,
};
use tlstax_report::{
    Cell, FORMATS, Section, Style, Table, View, format, workload_view, workloads_side_by_side,
};

mod kept;

fn tool() -> Tool {
    Tool { name: "tlstax".to_owned(), version: "0.1.0".to_owned(), reference_kernels: 1 }
}

fn kind(protocol: Protocol, suite: &str, resumed: Option<Resumed>) -> Kind {
    Kind {
        protocol: Some(protocol),
        suite: Some(suite.to_owned()),
        group: (protocol == Protocol::Tls13).then(|| "X25519MLKEM768".to_owned()),
        key: (resumed == Some(Resumed::Full)).then(|| "ecdsa-p256".to_owned()),
        resumed,
        http: Some(if protocol == Protocol::Tls13 { HttpVersion::Http2 } else { HttpVersion::Http11 }),
        ..Kind::default()
    }
}

/// So many connections with so many requests each, of 400 bytes and answers of 3,000.
fn counted(kind: Kind, connections: u64, each: u64) -> Share {
    let requests = connections * each;
    let out = Total { of: requests, bytes: requests * 3_000 };
    let into = Total { of: requests, bytes: requests * 400 };
    let counts = Counts { connections, requests, out, into, ..Counts::default() };
    Share { kind, counts }
}

fn source(format: &str, tells: &[Tell], entries: u64) -> Source {
    Source {
        format: format.to_owned(),
        tells: tells.iter().copied().collect(),
        bytes: entries * 193,
        entries,
        bad: [].into(),
        passed_over: [].into(),
    }
}

const COMPLETE: &[Tell] = &[
    Tell::Time,
    Tell::Protocol,
    Tell::Suite,
    Tell::Group,
    Tell::Key,
    Tell::Resumed,
    Tell::Http,
    Tell::Connection,
    Tell::Requests,
    Tell::BytesOut,
    Tell::BytesIn,
];

/// A day: a million connections with four requests each, 81 % of them resumed, busiest at 20:00.
fn complete() -> Workload {
    let mut shares = vec![
        counted(kind(Protocol::Tls13, "TLS_AES_128_GCM_SHA256", Some(Resumed::Full)), 150_000, 4),
        counted(kind(Protocol::Tls13, "TLS_AES_128_GCM_SHA256", Some(Resumed::Psk)), 610_000, 4),
        counted(kind(Protocol::Tls13, "TLS_AES_256_GCM_SHA384", Some(Resumed::EarlyData)), 100_000, 4),
        counted(
            kind(Protocol::Tls12, "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", Some(Resumed::Ticket)),
            100_000,
            4,
        ),
        counted(
            kind(Protocol::Tls12, "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", Some(Resumed::Full)),
            40_000,
            4,
        ),
    ];
    shares[4].counts.failed_handshakes = 7;
    shares.sort_by(|one, other| one.kind.cmp(&other.kind));
    let sketch = |sizes: &[(u64, u64)]| {
        let mut sketch = Sketch::default();
        sizes.iter().for_each(|(size, times)| sketch.merge(&Sketch::one(*size, *times)));
        sketch
    };
    let responses = [(812, 1_000_000), (3_072, 2_000_000), (31_400, 960_000), (2_000_000, 40_000)];
    let ordinals = [1, 2, 3, 4].map(|ordinal| (ordinal, 1_000_000));
    Workload {
        sources: vec![source("nginx", COMPLETE, 4_000_000)],
        shares,
        request_ordinals: sketch(&ordinals),
        response_bytes: sketch(&responses),
        request_bytes: Sketch::one(400, 4_000_000),
        series: day(),
        ..Workload::empty(tool())
    }
}

/// Requests of a day by ten minutes, four million.
fn day() -> Series {
    let bucket = |place: u64| {
        let requests = match place / 6 {
            20 => [206_000, 206_000, 208_000, 208_000, 206_000, 206_000][place as usize % 6],
            _ => 20_000,
        };
        Bucket {
            at: 1_795_305_600 + place * 600,
            requests,
            connections: requests / 4,
            full: requests * 19 / 400,
            resumed: requests * 81 / 400,
            out: requests * 3_000,
            into: requests * 400,
        }
    };
    Series { width_s: 600, buckets: (0..144).map(bucket).collect(), undated: 0 }
}

/// A log that does not tell which requests are of one connection, with many bad lines, and a capture of other connections.
fn partial() -> Workload {
    let logged = Counts {
        requests: 900,
        requests_without_connection: 900,
        out: Total { of: 700, bytes: 2_100_000 },
        ..Counts::default()
    };
    let log = Workload {
        sources: vec![Source {
            bad: [(Bad::Cut, 3), (Bad::Time, 117)].into(),
            passed_over: [(PassedOver::Empty, 2)].into(),
            ..source("apache", &[Tell::Time, Tell::Protocol, Tell::Requests, Tell::BodyOut], 1_022)
        }],
        shares: vec![
            Share { kind: Kind { protocol: Some(Protocol::Tls13), ..Kind::default() }, counts: logged },
            Share { kind: Kind { protocol: Some(Protocol::None), ..Kind::default() }, counts: logged },
        ],
        response_bytes: Sketch::one(3_000, 1_400),
        series: Series {
            width_s: 1,
            buckets: vec![Bucket { at: 1_795_305_600, requests: 1_800, out: 4_200_000, ..Bucket::default() }],
            undated: 5,
        },
        ..Workload::empty(tool())
    };
    let seen = Counts {
        connections: 100,
        connections_without_requests: 100,
        out: Total { of: 100, bytes: 900_000 },
        ..Counts::default()
    };
    let full = kind(Protocol::Tls13, "TLS_AES_128_GCM_SHA256", Some(Resumed::Full));
    let untold = kind(Protocol::Tls13, "TLS_AES_256_GCM_SHA384", None);
    let capture = Workload {
        sources: vec![source(
            "capture",
            &[Tell::Time, Tell::Protocol, Tell::Suite, Tell::Resumed, Tell::Records],
            50_000,
        )],
        shares: vec![Share { kind: full, counts: seen }, Share { kind: untold, counts: seen }],
        records_out: Sketch::one(16_406, 60),
        series: Series {
            width_s: 1,
            buckets: vec![Bucket { at: 1_795_305_601, connections: 200, full: 100, ..Bucket::default() }],
            undated: 0,
        },
        ..Workload::empty(tool())
    };
    merge_workloads(&tool(), &[log, capture])
}

fn drawn(view: &View, name: &str) -> String {
    format(name).unwrap().draw(view, &Style { width: 150, unicode: true, ..Style::default() }).to_string()
}

#[test]
fn a_planted_workload_is_told_as_it_was_planted() {
    let kept = kept::workload("workload.json", complete);
    assert_eq!(kept, complete());
    let view = workload_view("web", &kept);
    let text = drawn(&view, "text");
    kept::expect("workload.txt", &text);
    kept::expect("workload.md", &drawn(&view, "markdown"));
    kept::expect("workload.csv", &drawn(&view, "csv"));
    let answer = "81 % of handshakes were resumed; 4 requests a connection; median response 3.1 KB; busiest ten minutes: 347 \
                  requests/s.";
    assert_eq!(view.sections[0].sentences[0], answer);
}

#[test]
fn what_is_not_told_is_unknown_and_a_range() {
    let view = workload_view("partial", &kept::workload("workload.partial.json", partial));
    let text = drawn(&view, "text");
    kept::expect("workload.partial.txt", &text);
    // The warning comes before the answer.
    assert!(view.sections[0].answers[0].starts_with("Warning: 120 of the 1,022 entries of apache"), "{text}");
    assert!(view.sections[1].sentences[0].contains("of the 100 handshakes that tell it"), "{text}");
    assert!(text.contains("200 to 2,000"), "{text}");
    // Of what is missing, Apache can log some.
    assert!(view.sections[1].sentences[2].contains("tlstax traffic --suggest apache prints"), "{text}");
}

#[test]
fn workloads_have_a_column_each() {
    let (one, other) = (complete(), partial());
    let view = workloads_side_by_side(&[("web-1".to_owned(), &one), ("web-2".to_owned(), &other)]);
    kept::expect("workload.fleet.txt", &drawn(&view, "text"));
}

#[test]
fn the_page_has_its_pictures_and_states_no_intervals() {
    let page = drawn(&workload_view("web", &complete()), "html");
    assert!(page.contains("aria-label=\"Load over time\"") && page.contains("class=\"chart\""));
    assert!(!page.contains("95 of 100 runs"));
}

#[test]
fn an_empty_workload_says_so() {
    let view = workload_view("empty", &Workload::empty(tool()));
    assert_eq!(view.sections[0].sentences, ["Nothing was counted."]);
    FORMATS.iter().for_each(|format| _ = format.draw(&view, &Style::default()));
}

#[test]
fn the_class_of_a_name_cannot_act_on_a_terminal_or_a_page() {
    let mut workload = complete();
    workload.shares[0].kind.class = Some("<script>\u{1b}[2J".to_owned());
    let view = workload_view("web", &workload);
    for format in FORMATS {
        let drawn = format.draw(&view, &Style::default());
        assert!(!drawn.contains('\u{1b}'), "{}", format.name);
    }
    assert!(!drawn(&view, "html").contains("<script>\\u001b"));
}

/// Any kind of connection, with anything unknown.
fn any_kind() -> impl Strategy<Value = Kind> {
    let words = |words: &'static [&'static str]| option::of(select(words).prop_map(str::to_owned));
    (
        words(&["shop", "api"]),
        option::of(select(Protocol::ALL.as_slice())),
        words(&["TLS_AES_128_GCM_SHA256", "TLS_RSA_WITH_AES_128_CBC_SHA"]),
        words(&["x25519", "secp256r1"]),
        words(&["rsa-2048", "ecdsa-p256"]),
        option::of(select(&[Resumed::Full, Resumed::Psk, Resumed::Ticket][..])),
        option::of(select(&[HttpVersion::Http11, HttpVersion::Http2][..])),
    )
        .prop_map(|(class, protocol, suite, group, key, resumed, http)| Kind {
            class,
            protocol,
            suite,
            group,
            key,
            resumed,
            http,
        })
}

fn any_counts() -> impl Strategy<Value = Counts> {
    let few = || prop_oneof![Just(0u64), 0..1_000u64];
    (few(), few(), few(), few(), few()).prop_map(|(connections, silent, requests, unplaced, told)| Counts {
        connections,
        connections_without_requests: silent.min(connections),
        requests,
        requests_without_connection: unplaced.min(requests),
        failed_handshakes: 0,
        out: Total { of: told, bytes: told * 100 },
        into: Total::default(),
    })
}

fn any_workload() -> impl Strategy<Value = Workload> {
    vec((any_kind(), any_counts()), 0..12).prop_map(|shares| {
        let part = |(kind, counts): (Kind, Counts)| Workload {
            shares: vec![Share { kind, counts }],
            ..Workload::empty(tool())
        };
        let parts: Vec<Workload> = shares.into_iter().map(part).collect();
        merge_workloads(&tool(), &parts)
    })
}

fn tables<'v>(view: &'v View, id: &str) -> Vec<&'v Table> {
    let section = view.sections.iter().filter(|section| section.id == id);
    section.flat_map(Section::tables).collect()
}

fn column(table: &Table, title: &str) -> Vec<Cell> {
    let place = table.columns.iter().position(|column| column.title == title).unwrap();
    table.rows.iter().map(|row| row.cells[place].clone()).collect()
}

proptest! {
    #[test]
    fn shares_of_each_table_add_up(workload in any_workload()) {
        let view = workload_view("any", &workload);
        for table in tables(&view, "kinds") {
            for title in ["share of connections", "share of requests"] {
                let shares = column(table, title);
                let known: Vec<f64> = shares.iter().filter_map(Cell::quantity).map(|share| share.value).collect();
                prop_assert!(known.is_empty() || (known.iter().sum::<f64>() - 100.0).abs() < 1e-6, "{table:?}");
            }
        }
    }

    #[test]
    fn unknown_is_never_shown_as_zero(workload in any_workload()) {
        let whole = workload.shares.iter().fold(Counts::default(), |mut sum, share| {
            sum.merge(&share.counts);
            sum
        });
        let view = workload_view("any", &workload);
        let is_zero = |cell: &Cell| *cell == Cell::text("0") || *cell == Cell::text("0 B");
        for table in tables(&view, "kinds") {
            // What clients sent is told by nobody.
            prop_assert!(!column(table, "bytes received").iter().any(is_zero), "{table:?}");
            let unknown = |title: &str, is: &dyn Fn(&Cell) -> bool| column(table, title).iter().map(is).collect::<Vec<_>>();
            let is_up_to = |cell: &Cell| matches!(cell, Cell::Text { text } if text.starts_with("up to"));
            let is_hole = |cell: &Cell| matches!(cell, Cell::Hole { .. });
            for (count, share) in [("connections", "share of connections"), ("requests", "share of requests")] {
                let unknown_counts = unknown(count, &|cell| is_up_to(cell) || is_hole(cell));
                let unknown_shares = unknown(share, &|cell| cell.quantity().is_none());
                let is_unsaid = |(count, share): (&bool, &bool)| *count && !share;
                prop_assert!(!unknown_counts.iter().zip(&unknown_shares).any(is_unsaid), "{table:?}");
            }
            if whole.connections == 0 {
                prop_assert!(column(table, "share of connections").iter().all(|cell| cell.quantity().is_none()));
            }
            if whole.requests == 0 && whole.connections_without_requests == whole.connections {
                prop_assert!(!column(table, "requests").iter().any(is_zero), "{table:?}");
            }
        }
        for row in &view.traffic {
            prop_assert_eq!(row.bytes_in, None);
            prop_assert!(row.connections_at_most.is_none_or(|most| row.connections.is_none_or(|least| least <= most)));
        }
    }

    #[test]
    fn bounds_hold_what_is_known(workload in any_workload()) {
        let view = workload_view("any", &workload);
        for table in tables(&view, "kinds") {
            let Some(place) = table.columns.iter().position(|column| column.title == "may be") else { continue };
            let shares = column(table, "share of connections");
            for (row, share) in table.rows.iter().zip(shares) {
                let (Cell::Text { text }, Some(share)) = (&row.cells[place], share.quantity()) else { continue };
                let (low, high) = text.trim_end_matches(" %").split_once(" to ").unwrap();
                let (low, high): (f64, f64) = (low.parse().unwrap(), high.parse().unwrap());
                prop_assert!(low <= share.value + 0.06 && share.value <= high + 0.06, "{text} {share:?}");
                prop_assert!((0.0..=100.0).contains(&low) && (0.0..=100.0).contains(&high));
            }
        }
    }

    #[test]
    fn no_document_makes_a_format_fail(
        workload in any_workload(),
        buckets in vec((any::<u64>(), any::<u64>()), 0..6),
        width_s in any::<u32>(),
        classes in vec((any::<u64>(), any::<u64>()), 0..5),
    ) {
        let bucket = |(at, requests): (u64, u64)| Bucket { at, requests, out: requests, ..Bucket::default() };
        let series = Series { width_s, buckets: buckets.into_iter().map(bucket).collect(), undated: 1 };
        let sketch = Sketch { count: 9, sum: u64::MAX, min: 5, max: 3, classes };
        let strange = Workload {
            series,
            request_ordinals: sketch,
            response_bytes: Sketch::one(u64::MAX, u64::MAX),
            ..workload
        };
        let view = workload_view("strange", &strange);
        drawn(&view, "text");
        drawn(&workloads_side_by_side(&[("a".to_owned(), &strange), ("b".to_owned(), &strange)]), "csv");
    }
}
