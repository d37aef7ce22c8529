//! What a profile says: planted weights, and what every format makes of them.
#![allow(clippy::unwrap_used)]

use tlstax_claims::{Book, Verdict, answer_with};
use tlstax_doc::{
    Algorithm, Capture, Class, Cost, Evidence, Frame, Origin, OwnCost, PROFILE_VERSION, Process, Profile,
    Span, Stack, Tool, Unit, Weight, Work,
};
use tlstax_report::{
    ProfileWitness, Style, View, compare_profiles, flame_graph, format, profile_view, profiles_side_by_side,
};

mod kept;

/// Nanoseconds that a sample stands for.
const SAMPLE: u64 = 2_000_000;

/// What a second of the planted server has, in samples: 20 of 100 are TLS, which is 40 of 400 of the machine.
const PLANTED: [(Cost, Option<Algorithm>, u64); 8] = [
    (Cost::Signature, Some(Algorithm::P256), 6),
    (Cost::KeyExchange, Some(Algorithm::P256), 2),
    (Cost::KeyExchange, Some(Algorithm::X25519), 2),
    (Cost::KeySchedule, Some(Algorithm::Sha256), 3),
    (Cost::RecordCipher, Some(Algorithm::AesGcm), 6),
    (Cost::Protocol, None, 1),
    (Cost::Socket, None, 50),
    (Cost::Application, None, 30),
];

const SECONDS: u64 = 30;

/// A server whose signatures take so many samples more in each second.
fn profile(more: u64) -> Profile {
    let planted = |place: usize| PLANTED[place].2 + if place == 0 { more } else { 0 };
    let class = |place: usize| Class::of(PLANTED[place].0, PLANTED[place].1);
    let weights =
        (0..PLANTED.len()).map(|place| Weight { class: class(place), weight: planted(place) * SAMPLE });
    let weights: Vec<Weight> = weights.collect();
    let samples: u64 = (0..PLANTED.len()).map(planted).sum();
    let span = |second| Span { at_ns: second * 1_000_000_000, samples, weights: weights.clone() };
    let evidence = |place: usize| match place {
        0..=3 => Evidence::Boundary("EVP_DigestSign".to_owned()),
        4 => Evidence::Instructions("AES and carry-less multiplication".to_owned()),
        5 => Evidence::Module("libssl.so.3".to_owned()),
        _ => Evidence::Symbol("sendmsg".to_owned()),
    };
    let stack = |place: usize| Stack {
        frames: vec![0, u32::try_from(place).unwrap() + 1],
        class: class(place),
        evidence: evidence(place),
        weight: planted(place) * SAMPLE * SECONDS,
    };
    let frame = |function: &str, module: &str| Frame {
        module: Some(module.to_owned()),
        function: function.to_owned(),
    };
    let functions = PLANTED.iter().map(|(cost, ..)| frame(&format!("f<{}>", cost.word()), "libcrypto.so.3"));
    Profile {
        schema: PROFILE_VERSION,
        document: "profile".to_owned(),
        tool: Tool { name: "tlstax".to_owned(), version: "0.1.0".to_owned(), reference_kernels: 1 },
        unit: Unit::Nanoseconds,
        captures: vec![Capture {
            origin: Origin {
                format: "live".to_owned(),
                event: Some("cpu-clock".to_owned()),
                hertz: Some(499.0),
                stacks: Some("eh_frame".to_owned()),
            },
            target: "nginx (3 processes)".to_owned(),
            started: Some("2026-11-22T18:00:00Z".to_owned()),
            duration_ns: Some(SECONDS * 1_000_000_000),
            host: None,
            cpus: Some(1),
            processes: vec![Process {
                name: "nginx".to_owned(),
                count: 3,
                samples: samples * SECONDS,
                weight: samples * SECONDS * SAMPLE,
                cpu_ns: Some(6_100_000_000),
            }],
            lost: 100,
            own: Some(OwnCost { cpu_ns: 40_000_000, target_ns: None }),
            span_ns: 1_000_000_000,
            spans: (0..SECONDS).map(span).collect(),
            work: Some(Work { requests: Some(60_000), handshakes: Some(6_000), bytes: Some(600_000_000) }),
            notes: Vec::new(),
        }],
        frames: std::iter::once(frame("main", "nginx")).chain(functions).collect(),
        stacks: (0..PLANTED.len()).map(stack).collect(),
    }
}

fn drawn(view: &View, name: &str) -> String {
    format(name).unwrap().draw(view, &Style { width: 150, unicode: true, ..Style::default() }).to_string()
}

#[test]
fn a_planted_profile_is_told_as_it_was_planted() {
    let view = profile_view("a", &profile(0));
    kept::expect("profile.txt", &drawn(&view, "text"));
    kept::expect("profile.csv", &drawn(&view, "csv"));
    let share = |cost: &str, algorithm: &str, of: &str| {
        let row = |row: &&tlstax_report::Share| (row.cost, row.algorithm, row.of) == (cost, algorithm, of);
        view.shares.iter().find(row).unwrap().value
    };
    assert!((share("signature", "p256", "tls") - 30.0).abs() < 1e-9);
    assert!((share("signature", "p256", "process") - 6.0).abs() < 1e-9);
    // 100 samples of 2 ms in each second of one CPU: a fifth of the machine.
    assert!((share("signature", "p256", "machine") - 1.2).abs() < 1e-9);
}

#[test]
fn shares_of_the_three_tables_multiply() {
    let view = profile_view("a", &profile(0));
    let find = |cost: &str, algorithm: &str, of: &str| {
        view.shares
            .iter()
            .find(|row| (row.cost, row.algorithm, row.of) == (cost, algorithm, of))
            .unwrap()
            .value
    };
    for (cost, algorithm) in [("signature", "p256"), ("key-exchange", "p256"), ("record-cipher", "aes-gcm")] {
        let product = find(cost, algorithm, "tls") * 20.0 / 100.0;
        assert!((product - find(cost, algorithm, "process")).abs() < 1e-9, "{cost} {algorithm}");
    }
}

#[test]
fn a_change_is_told_in_the_class_that_changed_and_for_each_request() {
    let view = compare_profiles(["before", "after"], &profile(0), &profile(6));
    let text = drawn(&view, "text");
    kept::expect("profile.comparison.txt", &text);
    let rows = |name: &str| {
        text.lines().filter(|line| line.starts_with(name)).map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(rows("signature").iter().all(|row| row.ends_with("more")), "{text}");
    // By share everything else became less; for each request nothing did.
    assert!(rows("application")[1].ends_with("cannot tell"), "{text}");
}

#[test]
fn a_fleet_has_a_column_for_each() {
    let (a, b) = (profile(0), profile(6));
    let view = profiles_side_by_side(&[("web-1".to_owned(), &a), ("web-2".to_owned(), &b)]);
    kept::expect("profile.fleet.txt", &drawn(&view, "text"));
}

#[test]
fn the_flame_graph_is_text_that_cannot_be_markup() {
    let svg = flame_graph(&profile(0));
    assert!(svg.contains("f&lt;signature&gt;") && !svg.contains("f<"), "{svg}");
    assert!(!svg.contains("<script") && !svg.contains("href"));
    let page = drawn(&profile_view("a", &profile(0)), "html");
    assert!(page.contains("<svg") && page.contains("AES-GCM"));
}

#[test]
fn an_empty_profile_says_so() {
    let mut empty = profile(0);
    empty.captures[0].spans.clear();
    empty.stacks.clear();
    let text = drawn(&profile_view("a", &empty), "text");
    assert!(text.contains("There are no samples."), "{text}");
}

#[test]
fn a_profile_answers_the_claims_that_ask_for_one() {
    let (planted, book) = (profile(0), Book::built_in());
    let of =
        |id: &str| answer_with(&book, &[id.to_owned()], &[], &[&ProfileWitness(&planted)]).unwrap().remove(0);
    let share = of("S3-share");
    assert_eq!(share.verdict, Verdict::DoesNotHold);
    assert!((share.here[0].value - 20.0).abs() < 1e-9, "{share:?}");
    // P-256: 6 of signatures and 2 of exchanges; X25519: 2.
    let ratio = of("S3-p256-x25519");
    assert!((ratio.here[0].value - 4.0).abs() < 1e-9, "{ratio:?}");
    let unseen = of("S3-rsa-half");
    assert!(unseen.why.unwrap().contains("no sample of RSA"));
}
