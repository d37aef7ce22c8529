//! Claims held against the synthetic results: what is said, shown and drawn of each verdict.
#![allow(clippy::unwrap_used)]

mod synthetic;

use synthetic::shown::{column, texts, titles};
use tlstax_claims::{Book, answer};
use tlstax_doc::Results;
use tlstax_report::{Block, Cell, Chart, FORMATS, Section, Style, Table, View, claims_view, format};

const BOOK: &str = include_str!("claims.toml");

fn book() -> Book {
    Book::read(BOOK, "book.toml").unwrap_or_else(|error| panic!("{error}"))
}

fn view(runs: &[&Results]) -> View {
    claims_view(&answer(&book(), &[], runs).unwrap(), runs)
}

fn one() -> View {
    view(&[&synthetic::results(1, |_| 1.0)])
}

fn table(section: &Section) -> &Table {
    section.tables().next().unwrap()
}

#[test]
fn the_sum_comes_first_and_what_does_not_hold_is_said() {
    let view = one();
    let [claims, machine] = view.sections.as_slice() else { panic!("{:?}", view.sections) };
    assert_eq!((claims.id.as_str(), machine.id.as_str()), ("claims", "machine"));
    let sum = "Of 5 claims 1 holds on this machine, 1 does not, 1 is a rate and has no verdict, 1 is not measurable here, 1 was not \
               measured. ";
    assert!(claims.intro.starts_with(sum), "{}", claims.intro);
    let [said] = claims.sentences.as_slice() else { panic!("{:?}", claims.sentences) };
    let wanted = "X-chacha does not hold: openssl: ChaCha20-Poly1305 / AES-128-GCM, 64 B is 1.19x ±";
    assert!(said.starts_with(wanted) && said.ends_with("% here; claimed: below 1x."), "{said}");
    assert_eq!(claims.answers, [sum.trim_end(), said], "one screen says as much");
}

#[test]
fn each_claim_has_its_figures_and_its_verdict() {
    let view = one();
    let table = table(&view.sections[0]);
    assert_eq!(titles(table), ["verdict", "claim", "there", "here"]);
    let cells = |verdict: &str, title: &str| texts(&column(table, verdict, title)).concat();
    assert_eq!(cells("holds", "there"), "2.4 to 2.6x (Old Machine), 2.9 / 2.2x (Other Machine)");
    assert!(cells("holds", "here").starts_with("2.77x ±"), "{}", cells("holds", "here"));
    let three = cells("does not hold", "here");
    assert!(
        three.starts_with("1.19 / 2.3") && three.contains(" / 2.93x, ±") && three.ends_with("% at most"),
        "{three}"
    );
    assert_eq!(cells("compared", "claim"), "Y-rate: RSA-2048 signs 1000 times a second");
    assert!(
        cells("compared", "here").starts_with("1.67x as fast (1667 op/s"),
        "{}",
        cells("compared", "here")
    );
    assert_eq!(cells("not measurable here", "here"), "no such card");
    assert_eq!(cells("not measured", "here"), "");
    let notes = view.sections[0].blocks.iter().find_map(|block| match block {
        Block::Notes { notes } => Some(notes),
        _ => None,
    });
    let [note] = notes.unwrap().as_slice() else { panic!("{notes:?}") };
    assert!(
        note.what.starts_with("not measured, Y-absent: ") && note.remedy.ends_with("tlstax claims Y-absent"),
        "{note:?}"
    );
}

#[test]
fn every_figure_stands_by_itself_with_what_was_claimed_of_it() {
    let view = one();
    let details = view.sections[0].blocks.iter().find_map(|block| match block {
        Block::Details(table) => Some(table),
        _ => None,
    });
    let details = details.unwrap();
    assert_eq!(texts(&column(details, "X-sha", "what was measured")), ["openssl: SHA-384 / SHA-256, 16 KiB"]);
    assert_eq!(texts(&column(details, "X-sha", "claimed")), ["2 to 3x"]);
    assert_eq!(texts(&column(details, "X-chacha", "claimed")), ["below 1x"; 3]);
    assert_eq!(column(details, "Y-absent", "verdict").len(), 1);
}

fn picture(view: &View) -> &Chart {
    let found = view.sections[0].blocks.iter().find_map(|block| match block {
        Block::Marks(chart) => Some(chart),
        _ => None,
    });
    found.unwrap()
}

#[test]
fn the_picture_sets_claimed_beside_measured_with_the_verdict_as_a_form() {
    let view = one();
    let chart = picture(&view);
    assert!(chart.log && chart.unit == "x");
    let sizes = ["64 B", "1350 B", "16 KiB"].map(|size| format!("X-chacha: {size}"));
    assert_eq!(chart.labels, [&["X-sha".to_owned()][..], &sizes].concat());
    let names: Vec<&str> = chart.series.iter().map(|series| series.name.as_str()).collect();
    assert_eq!(names, ["claimed", "at least", "at most", "holds", "does not hold"]);
    let points = |name: &str| {
        let series = chart.series.iter().find(|series| series.name == name).unwrap();
        series.points.iter().map(Cell::quantity).collect::<Vec<_>>()
    };
    // Both machines, and not the figure of another size.
    let claimed = points("claimed")[0].unwrap();
    assert_eq!((claimed.low, claimed.high), (2.4, 2.9));
    // The only figure of a claim is of all of it.
    assert!(points("claimed")[1..].iter().all(|claimed| claimed.is_some_and(|claimed| claimed.low == 0.5)));
    assert!(points("holds")[0].is_some() && points("holds")[1..].iter().all(Option::is_none));
    assert!(points("does not hold")[0].is_none() && points("does not hold")[1..].iter().all(Option::is_some));
}

#[test]
fn every_figure_is_a_row_for_data_frames() {
    let view = one();
    assert!(view.figures.is_empty());
    let count = |place: &str| view.claims.iter().filter(|row| row.place == place).count();
    assert_eq!((count("there"), count("here"), count("")), (5, 5, 2));
    let range = view.claims.iter().find(|row| row.low != row.high && row.place == "there").unwrap();
    assert_eq!((range.value, range.low, range.high, range.unit), (None, Some(2.4), Some(2.6), "x"));
}

#[test]
fn of_two_machines_each_has_its_answers_and_no_ratio_is_made_between_them() {
    let here = synthetic::results(1, |_| 1.0);
    let mut other = synthetic::results(2, |id| if id.contains("sha384") { 3.0 } else { 1.0 });
    other.host.cpu.name = Some("Another CPU".to_owned());
    let view = view(&[&here, &other]);
    let table = table(&view.sections[0]);
    assert_eq!(titles(table), ["verdict", "claim", "there", "machine", "here"]);
    let machines = texts(&column(table, "does not hold", "machine"));
    assert!(machines.len() == 3 && machines.contains(&"Another CPU".to_owned()), "{machines:?}");
    assert!(view.sections[0].intro.contains("hold on Another CPU"), "{}", view.sections[0].intro);
    let ids: Vec<&str> = view.sections.iter().map(|section| section.id.as_str()).collect();
    assert_eq!(ids, ["claims", "machine-1", "machine-2"]);

    // What is divided and what it is divided by are from two machines.
    let only = |results: &Results, hash: &str| {
        let mut results = results.clone();
        results.measurements.retain(|measurement| measurement.id.contains(hash));
        results
    };
    let halves = [only(&here, "sha384"), only(&other, "sha256")];
    let book = book();
    let answers = answer(&book, &["X-sha".to_owned()], &[&halves[0], &halves[1]]).unwrap();
    assert!(answers.iter().all(|answer| answer.here.is_empty()), "{answers:?}");
}

#[test]
fn a_report_has_the_section_where_it_is_asked_for_and_once() {
    let mut results = synthetic::results(1, |_| 1.0);
    let has = |view: &View| view.sections.iter().filter(|section| section.id == "claims").count();
    assert_eq!(has(&View::of(&results)), 0);
    let book = book();
    let answers = answer(&book, &[], &[&results]).unwrap();
    let view = View::of(&results).with_claims(&answers).with_claims(&answers);
    assert_eq!(has(&view), 1);
    assert!(!view.figures.is_empty() && view.sections[1].id == "claims");
    results.study.name = "claims".parse().unwrap();
    let view = View::of(&results);
    assert_eq!(has(&view), 1);
    assert!(
        view.claims.iter().any(|row| row.claim == "S3-ecdsa-rsa" && row.place == "here"),
        "it was measured"
    );
}

#[test]
fn every_format_tells_every_claim() {
    let view = one();
    for format in FORMATS {
        let drawn = format.draw(&view, &Style::default());
        for id in ["X-sha", "X-chacha", "Y-rate", "Y-absent", "Y-never"] {
            assert!(drawn.contains(id), "{} says nothing of {id}", format.name);
        }
    }
    assert!(!format("html").unwrap().draw(&view, &Style::default()).contains("<b>a card"));
}
