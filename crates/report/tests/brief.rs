//! The answer on one screen: what it says, and that it fits, whatever the document says.
#![allow(clippy::unwrap_used)]

mod kept;
mod synthetic;

use kept::expect;
use proptest::prelude::*;
use tlstax_doc::{Note, Outcome, Results, Severity};
use tlstax_report::{Brief, Printable, Published, Style, View};
use tlstax_spec::Stage;
use unicode_width::UnicodeWidthStr;

/// What `make run` may print, too.
const MOST: usize = 40;

/// What a run says while it goes on, and `make run` before it, has the rest.
const LINES: usize = 32;

const WIDTHS: [usize; 5] = [60, 80, 100, 140, 200];

fn published() -> Published {
    let mut published = Published::default();
    let text = include_str!("../../../reference/primitives.csv");
    published.read("primitives.csv", text, &|_| None);
    assert_eq!(published.problems(), []);
    published
}

fn brief(results: &Results) -> Brief {
    let rest = vec!["Every table: tlstax report results.json --full".to_owned()];
    Brief::of(results, &View::of(results), &published(), rest)
}

fn drawn(brief: &Brief, width: usize) -> Printable {
    brief.draw(&Style { width, unicode: true, colour: false })
}

/// The answer at each of the usual widths.
fn at_all_widths(results: &Results) -> String {
    let brief = brief(results);
    WIDTHS
        .map(|width| format!("{:-<width$}\n{}", format!("{width} columns "), &*drawn(&brief, width)))
        .concat()
}

#[test]
fn the_answer_is_drawn_as_before_at_every_width() {
    expect("brief.txt", &at_all_widths(&kept::results("results.json", || synthetic::results(1, |_| 1.0))));
    expect(
        "brief.servers.txt",
        &at_all_widths(&kept::results("servers.results.json", || synthetic::servers::results(1))),
    );
}

#[test]
fn the_machine_comes_first_then_the_question_and_the_rest_last() {
    let results = synthetic::results(1, |_| 1.0);
    let text = drawn(&brief(&results), 100);
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0].starts_with("Example CPU @ 2.50GHz, 2 cores, a virtual machine under KVM"),
        "{}",
        lines[0]
    );
    assert!(lines[1].starts_with("undisturbed for 83% of the run, its clock ±"), "{}", lines[1]);
    assert!(lines[1].ends_with("1 warning"), "{}", lines[1]);
    assert!(
        lines[3].starts_with(
            "What does a report look like? (study synthetic, 137 cases of openssl, rustls-aws-lc)"
        ),
        "{}",
        lines[3]
    );
    assert_eq!(*lines.last().unwrap(), "Every table: tlstax report results.json --full");
}

#[test]
fn every_kind_of_work_answers_with_figures_and_intervals() {
    let text = drawn(&brief(&synthetic::results(1, |_| 1.0)), 200);
    let is_of_one_figure = |line: &str, wanted: &str| line.contains(wanted) && line.contains('±');
    for wanted in [
        "One core encrypts with aes-128-gcm at 4828 MB/s ±",
        "Signing with ecdsa-p256 takes 20.0 µs ±",
        "A TLS 1.3 handshake with ECDSA P-256 in full costs the client 160 µs ±",
        "A gigabyte with AES_128_GCM_SHA256 costs the sender 0.2",
        "On kept connections, with bodies of 1 KB, HTTPS gives",
    ] {
        assert!(text.lines().any(|line| is_of_one_figure(line, wanted)), "{wanted}: {text}");
    }
}

#[test]
fn what_could_not_be_measured_is_counted_with_its_most_frequent_reason() {
    let mut results = synthetic::results(1, |_| 1.0);
    let count = results.measurements.len();
    let holes = results.measurements.iter().filter(|one| one.outcome.hole().is_some()).count();
    assert!(brief(&results).missing.starts_with(&format!("Not measured: {holes} of {count} cases; ")));
    assert!(brief(&results).missing.ends_with("Not available: absent."));
    for measurement in &mut results.measurements {
        measurement.outcome =
            Outcome::Failed { stage: Stage::Start, message: "no worker".to_owned(), stderr: String::new() };
    }
    let nothing = brief(&results);
    assert!(
        nothing
            .missing
            .starts_with(&format!("Not measured: {count} of {count} cases: failed (start): no worker."))
    );
    assert_eq!(nothing.answers.len(), 1);
    assert_eq!(nothing.answers[0].said, "Nothing was measured.");
    assert!(nothing.surprises.is_empty());
}

#[test]
fn ratios_far_from_the_usual_are_told_and_others_are_not() {
    // In the synthetic run every cost of a handshake follows from a formula: RSA costs 4.6 times ECDSA, which is usual.
    let usual = brief(&synthetic::results(1, |_| 1.0));
    assert!(
        !usual.surprises.iter().any(|said| said.contains("RSA-2048 costs the server")),
        "{:?}",
        usual.surprises
    );
    let slow = |id: &str| if id.contains("/full") && id.contains("rsa-2048") { 10.0 } else { 1.0 };
    let strange = brief(&synthetic::results(1, slow));
    let first = strange.surprises[0].replace('\u{a0}', " ");
    assert!(first.starts_with("A handshake with RSA-2048 costs the server 45.6x ±"), "{first}");
    assert!(first.ends_with("; usual 1.3x to 8.0x (tlstax's own runs)."), "{first}");
    assert!(strange.surprises.len() <= 3);
}

#[test]
fn a_run_that_counts_has_no_surprises() {
    let mut results = synthetic::results(1, |_| 1.0);
    assert!(!brief(&results).surprises.is_empty());
    results.counted = Some(serde_json::from_str(r#"{ "what": "instructions", "by": "callgrind" }"#).unwrap());
    assert!(brief(&results).surprises.is_empty());
}

/// Documents that say as much as they can, and what no document should.
fn documents() -> Vec<Results> {
    let mut empty = synthetic::results(1, |_| 1.0);
    empty.measurements.clear();
    empty.slices.clear();
    empty.study.question.clear();
    let mut hostile = synthetic::results(1, |_| 1.0);
    let evil = "\u{1b}[2J日本\u{202e}\n".repeat(2000);
    hostile.host.cpu.name = Some(evil.clone());
    hostile.study.question = evil.clone();
    hostile.notes = vec![Note { severity: Severity::Problem, what: evil.clone(), remedy: evil.clone() }; 50];
    for measurement in hostile.measurements.iter_mut().step_by(3) {
        measurement.outcome = Outcome::Unsupported { reason: evil.clone() };
    }
    vec![
        synthetic::results(1, |_| 1.0),
        synthetic::servers::results(1),
        synthetic::of_many(1),
        synthetic::all_equal(1),
        empty,
        hostile,
    ]
}

#[test]
fn whatever_a_document_says_its_answer_fits_into_the_screen() {
    for (place, results) in documents().iter().enumerate() {
        let brief = brief(results);
        for width in (20..250).step_by(7) {
            let text = drawn(&brief, width);
            assert!(text.lines().count() <= LINES.min(MOST), "document {place} at {width}: {text}");
            let wide = text.lines().find(|line| line.width() > width);
            assert_eq!(wide, None, "document {place} at {width}");
            assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn whatever_the_question_the_answer_fits_into_the_screen(question in ".{0,400}", name in ".{0,200}", width in 20usize..200) {
        let mut results = synthetic::results(1, |_| 1.0);
        results.measurements.truncate(9);
        results.study.question = question;
        results.host.cpu.name = Some(name);
        let text = drawn(&brief(&results), width);
        prop_assert!(text.lines().count() <= LINES);
        prop_assert!(text.lines().all(|line| line.width() <= width), "{text:?}");
    }
}
