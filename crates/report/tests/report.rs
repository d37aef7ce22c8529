//! What a report may say, and that every format says all of it.
#![allow(clippy::unwrap_used)]

mod synthetic;

use synthetic::shown::{every_table, says};
use tlstax_doc::{Measurement, Outcome, Results};
use tlstax_report::{Cell, FORMATS, Role, Row, Sign, Style, Table, View, compare, compare_libraries, format};
use tlstax_spec::{Id, Workload};
use tlstax_stats::{Percent, Settings, Verdict};

fn drawn(view: &View, name: &str) -> String {
    format(name).unwrap().draw(view, &Style::default()).to_string()
}

fn sentences(results: &Results) -> Vec<String> {
    View::of(results).sections.into_iter().flat_map(|section| section.sentences).collect()
}

#[test]
fn nothing_is_called_dearer_where_all_is_equal() {
    for seed in 1..6 {
        let mut said = sentences(&synthetic::all_equal(seed));
        said.extend(sentences(&synthetic::servers::all_equal(seed)));
        let is_factor =
            |word: &str| word.strip_suffix('x').is_some_and(|number| number.parse::<f64>().is_ok());
        let wrong = said.iter().find(|sentence| {
            let factor = sentence.split(' ').any(is_factor);
            factor || sentence.contains("% more than") || sentence.contains("adds")
        });
        assert_eq!(wrong, None, "seed {seed}");
        assert!(said.iter().any(|sentence| sentence.contains("the same within")), "{said:?}");
    }
}

#[test]
fn the_expected_sentences_are_said() {
    let said = sentences(&synthetic::results(1, |_| 1.0));
    let wanted = [
        "On this machine a full handshake with RSA-2048 costs the server 4.6x one with ECDSA P-256 (openssl",
        "a TLS 1.3 handshake in full costs the server 23 % more than one resumed by pre-shared key (",
        "chacha20-poly1305 costs 2.9x aes-128-gcm (openssl, rustls-aws-lc).",
        "rustls-aws-lc costs the server 20 % more than openssl",
        "a gigabyte with AES_128_GCM_SHA256 costs the sender 0.22",
        "HTTPS adds about 33.0 of the 55.0 µs that a keep-alive request of 100 KB costs the server (openssl)",
    ];
    says(&said, &wanted);
}

#[test]
fn every_table_is_rectangular() {
    for results in synthetic::both() {
        let view = View::of(&results);
        assert!(every_table(&view).count() > 10);
        for table in every_table(&view) {
            assert!(!table.rows.is_empty(), "{}", table.caption);
            for row in &table.rows {
                assert_eq!(row.cells.len(), table.columns.len(), "{}", table.caption);
            }
        }
    }
}

#[test]
fn every_hole_is_in_every_format() {
    let results = synthetic::results(1, |_| 1.0);
    let reasons: Vec<String> = results.measurements.iter().filter_map(|m| m.outcome.hole()).collect();
    assert!(reasons.len() > 5);
    let view = View::of(&results);
    for format in FORMATS {
        let text = format.draw(&view, &Style::default());
        let plain = text.replace("&lt;", "<").replace("&gt;", ">").replace("\\<", "<").replace("\\>", ">");
        for reason in &reasons {
            assert!(plain.contains(reason), "{} does not say '{reason}'", format.name);
        }
    }
}

#[test]
fn what_was_not_measured_has_no_section() {
    let mut results = synthetic::results(1, |_| 1.0);
    results.measurements.retain(|m| matches!(m.case.workload, Workload::Bulk(_)));
    let ids: Vec<String> = View::of(&results).sections.into_iter().map(|section| section.id).collect();
    assert_eq!(ids, ["machine", "bulk", "wire"]);
    results.measurements.clear();
    results.slices.clear();
    assert_eq!(View::of(&results).sections.len(), 1);
}

#[test]
fn cases_with_too_few_batches_are_holes() {
    let mut results = synthetic::results(1, |_| 1.0);
    for Measurement { outcome, .. } in &mut results.measurements {
        if let Outcome::Measured { batches, .. } = outcome {
            batches.truncate(2);
        }
    }
    let view = View::of(&results);
    let quantities =
        view.figures.iter().filter(|figure| figure.value.is_some() && figure.metric != "memory").count();
    assert_eq!(quantities, 0);
    assert!(drawn(&view, "text").contains("2 batches make no interval"));
}

#[test]
fn a_client_bound_row_is_marked() {
    let view = View::of(&synthetic::results(1, |_| 1.0));
    let mut marked = 0;
    for table in every_table(&view).filter(|table| table.caption.contains("as the server")) {
        for row in &table.rows {
            // The client alone was the limit.
            let bound = row.cells.iter().any(|cell| {
                matches!(cell, Cell::Text { text } if text.ends_with('*') && text.matches('*').count() == 1)
            });
            let rate = row.cells[1].quantity().unwrap();
            assert_eq!(bound, rate.sign == Some(Sign::AtLeast), "{row:?}");
            marked += usize::from(bound);
        }
    }
    assert!(marked > 0);
    assert!(view.legend.contains("the client was the limit"));
    assert!(drawn(&view, "text").contains("  >"));
}

#[test]
fn figures_without_quiet_rounds_are_marked() {
    let mut results = synthetic::results(1, |_| 1.0);
    assert!(!drawn(&View::of(&results), "text").contains('~'));
    // A machine that never does the same twice.
    for (place, slice) in results.slices.iter_mut().enumerate() {
        let slower = 1.0 + 0.1 * (place * 7 % 11) as f64;
        slice.latency_ns.0 = (150_000.0 * slower) as u64;
        slice.throughput_ns.0 = (160_000.0 * slower) as u64;
    }
    for name in ["text", "markdown", "html"] {
        let text = drawn(&View::of(&results), name);
        assert!(text.contains('~') && text.contains("too few quiet rounds"), "{name}");
    }
}

#[test]
fn the_control_stands_in_every_handshake_table_and_has_no_rate() {
    let view = View::of(&synthetic::results(1, |_| 1.0));
    let handshakes: Vec<&Table> =
        every_table(&view).filter(|table| table.caption.contains("one handshake")).collect();
    assert_eq!(handshakes.len(), synthetic::LIBRARIES.len());
    for table in handshakes {
        let controls: Vec<&Row> = table.rows.iter().filter(|row| row.role == Role::Control).collect();
        assert_eq!(controls.len(), 1);
        let rate = table.columns.iter().position(|column| column.unit == "1/s").unwrap();
        assert_eq!(controls[0].cells[rate], Cell::Empty);
    }
}

#[test]
fn no_section_says_more_than_four_sentences() {
    for section in synthetic::both().iter().flat_map(|results| View::of(results).sections) {
        assert!(section.sentences.len() <= 4, "{:?}", section.sentences);
    }
}

#[test]
fn what_is_long_is_in_details_of_the_page_alone() {
    let view = View::of(&synthetic::results(1, |_| 1.0));
    let whole = "0123456789abcdef".repeat(2);
    assert!(drawn(&view, "html").contains("<details>") && drawn(&view, "html").contains(&whole));
    assert!(drawn(&view, "json").contains(&whole));
    assert!(!drawn(&view, "text").contains(&whole) && drawn(&view, "text").contains("01234567"));
}

#[test]
fn text_keeps_to_the_width_and_to_ascii_where_asked() {
    for view in synthetic::both().iter().map(View::of) {
        for width in [80, 100, 200] {
            let style = Style { width, unicode: false, colour: false };
            let text = format("text").unwrap().draw(&view, &style);
            assert!(text.is_ascii());
            for line in text.lines() {
                // An identifier of a case is one word.
                assert!(line.len() <= width || !line.trim().contains(' '), "{width}: {line}");
            }
        }
    }
    let view = View::of(&synthetic::results(1, |_| 1.0));
    let plain = drawn(&view, "text");
    assert!(!plain.contains('\x1b'));
    let coloured = format("text").unwrap().draw(&view, &Style { colour: true, ..Style::default() });
    assert!(coloured.contains("\x1b[1m"));
    let stripped = ["1", "2", "32", "33", "31", "0"]
        .iter()
        .fold(coloured.to_string(), |text, code| text.replace(&format!("\x1b[{code}m"), ""));
    assert_eq!(stripped, plain);
}

#[test]
fn csv_has_one_row_per_figure() {
    let view = View::of(&synthetic::results(1, |_| 1.0));
    let text = drawn(&view, "csv");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let ids = reader.headers().unwrap().iter().position(|name| name == "id").unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
    assert_eq!(rows.len(), view.figures.len());
    assert!(rows.iter().zip(&view.figures).all(|(row, figure)| row[ids] == figure.id));
}

#[test]
fn json_is_the_view() {
    let view = View::of(&synthetic::results(1, |_| 1.0));
    let json: serde_json::Value = serde_json::from_str(&drawn(&view, "json")).unwrap();
    assert_eq!(json["sections"].as_array().unwrap().len(), view.sections.len());
    assert_eq!(json["figures"].as_array().unwrap().len(), view.figures.len());
}

#[test]
fn html_is_well_formed_and_has_every_cell() {
    synthetic::both().iter().for_each(|results| has_every_cell(&View::of(results)));
}

fn has_every_cell(view: &View) {
    let html = drawn(view, "html");
    balanced(&html);
    let body = &html[..html.find("<script").unwrap()];
    for table in every_table(view) {
        assert!(body.contains(&escaped(&table.caption)));
        for (cell, column) in table.rows.iter().flat_map(|row| row.cells.iter().zip(&table.columns)) {
            let text = match cell {
                Cell::Text { text } => text.clone(),
                Cell::Quantity(found) => found.show(column),
                Cell::Hole { reason } => reason.clone(),
                Cell::Empty => continue,
            };
            assert!(body.contains(&format!(">{}<", escaped(&text))), "{text}");
        }
    }
    for sentence in view.sections.iter().flat_map(|section| &section.sentences) {
        assert!(body.contains(&escaped(sentence)), "{sentence}");
    }
}

#[test]
fn html_asks_no_network_and_its_data_is_whole() {
    let view = View::of(&synthetic::results(1, |_| 1.0));
    let html = drawn(&view, "html");
    for attribute in [" src=", "<link", "@import", "url("] {
        assert!(!html[..html.find("<script").unwrap()].contains(attribute), "{attribute}");
    }
    let start = html.find("id=\"view\">").unwrap() + "id=\"view\">".len();
    let data = &html[start..start + html[start..].find("</script>").unwrap()];
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["sections"].as_array().unwrap().len(), view.sections.len());
    assert!(data.to_string().contains("<of shame>"));
}

/// Every element that begins ends, in the right order.
fn balanced(html: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        let end = rest.find('>').unwrap();
        let tag = &rest[..end];
        rest = &rest[end + 1..];
        let name = tag.split_whitespace().next().unwrap();
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if ["!doctype", "meta"].contains(&name) => {}
            None => open.push(name),
        }
        if ["script", "style"].contains(&name) {
            rest = &rest[rest.find(&format!("</{name}>")).unwrap()..];
        }
    }
    assert_eq!(open, Vec::<&str>::new());
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

#[test]
fn a_planted_slowdown_is_a_regression_and_nothing_else_is() {
    let old = synthetic::results(1, |_| 1.0);
    let new = synthetic::results(2, |id| if id.contains("sha256/digest") { 1.06 } else { 1.0 });
    let comparison = compare(&old, &new, &Settings::default());
    let regressions = comparison.regressions(Percent(3.0));
    assert_eq!(regressions.len(), 6, "{regressions:?}");
    assert!(
        regressions
            .iter()
            .all(|found| found.id.contains("sha256/digest") && (found.ratio.0 - 1.06).abs() < 0.01)
    );
    assert!(comparison.regressions(Percent(10.0)).is_empty());
    assert!(compare(&new, &old, &Settings::default()).regressions(Percent(0.0)).is_empty());
}

#[test]
fn the_same_run_is_the_same() {
    let old = synthetic::results(1, |_| 1.0);
    let comparison = compare(&old, &synthetic::results(2, |_| 1.0), &Settings::default());
    assert!(!comparison.changes.is_empty());
    assert!(
        comparison
            .changes
            .iter()
            .all(|change| !matches!(change.found.verdict, Verdict::Slower | Verdict::Faster))
    );
}

#[test]
fn what_else_differs_is_noted() {
    let old = synthetic::results(1, |_| 1.0);
    let mut new = synthetic::results(2, |_| 1.0);
    new.host.kernel = Some("6.2.0".to_owned());
    new.libraries[0].hello.as_mut().unwrap().version = "openssl 3.9.9".to_owned();
    new.measurements[0].outcome = Outcome::Skipped { why: "no time".to_owned() };
    let gone = new.measurements.pop().unwrap();
    let notes: Vec<String> =
        compare(&old, &new, &Settings::default()).notes.into_iter().map(|note| note.what).collect();
    let wanted = [
        "another kernel: 6.1.0 before, 6.2.0 now",
        "openssl, another version: openssl 3.0.1 before, openssl 3.9.9 now",
        "no figure any more",
        "1 cases are only in the first run",
    ];
    says(&notes, &wanted);
    assert!(!gone.id.is_empty());
}

/// In a gate what there was no time for is no regression; what went wrong is one.
#[test]
fn of_two_libraries_in_one_run_only_what_failed_is_lost() {
    let [old, new] = ["openssl", "rustls-aws-lc"].map(Id::literal);
    let mut results = synthetic::results(1, |_| 1.0);
    let is_shared = |one: &&Measurement| {
        let work = (&one.case.workload, one.case.threads);
        let beside = results
            .measurements
            .iter()
            .find(|other| other.case.library == old && (&other.case.workload, other.case.threads) == work);
        one.case.library == new
            && [Some(*one), beside].iter().all(|side| side.is_some_and(|side| side.outcome.hole().is_none()))
    };
    let shared: Vec<String> =
        results.measurements.iter().filter(is_shared).map(|one| one.id.clone()).take(2).collect();
    let holes = [
        Outcome::Skipped { why: "no time".to_owned() },
        Outcome::Unsupported { reason: "it has none".to_owned() },
    ];
    for (id, hole) in shared.iter().zip(holes) {
        let measurement = results.measurements.iter_mut().find(|one| one.id == *id).unwrap();
        measurement.outcome = hole;
    }
    let found = compare_libraries(&results, &old, &new, &Settings::default());
    let is_lost = |id: &String| found.lost.iter().any(|lost| lost.id == *id);
    assert_eq!(shared.iter().map(is_lost).collect::<Vec<_>>(), [false, true]);
    let notes: Vec<String> = found.notes.iter().map(|note| note.what.clone()).collect();
    shared.iter().for_each(|id| assert!(notes.iter().any(|note| note.contains(id)), "{id}: {notes:?}"));
}

#[test]
fn readings_of_different_reference_kernels_decide_nothing() {
    let old = synthetic::results(1, |_| 1.0);
    let mut new = synthetic::results(2, |_| 1.5);
    new.tool.reference_kernels = 2;
    let comparison = compare(&old, &new, &Settings::default());
    assert!(comparison.changes.iter().all(|change| change.found.verdict == Verdict::CannotTell));
    assert!(comparison.regressions(Percent(0.0)).is_empty());
}

#[test]
fn exports_have_every_figure_of_the_view() {
    let view = View::of(&synthetic::results(1, |_| 1.0));
    let drawn = |name: &str| format(name).unwrap().draw(&view, &Style::default());
    let (bmf, metrics) = (drawn("bmf"), drawn("openmetrics"));
    let bmf: serde_json::Value = serde_json::from_str(&bmf).unwrap();
    let action: serde_json::Value = serde_json::from_str(&drawn("github-action-benchmark")).unwrap();
    let figures: Vec<_> = view.figures.iter().filter(|figure| figure.value.is_some()).collect();
    assert_eq!(action.as_array().unwrap().len(), figures.len());
    assert_eq!(
        bmf.as_object().unwrap().values().map(|one| one.as_object().unwrap().len()).sum::<usize>(),
        figures.len()
    );
    for (figure, entry) in figures.iter().zip(action.as_array().unwrap()) {
        let found = bmf[&figure.id].as_object().unwrap();
        let measure = found.iter().find(|(name, _)| name.starts_with(figure.metric)).unwrap().1;
        // Numbers are read back with an error in the last digit.
        let is = |found: &serde_json::Value, figure: Option<f64>| {
            (found.as_f64().unwrap() / figure.unwrap() - 1.0).abs() < 1e-15
        };
        assert!(is(&measure["lower_value"], figure.low) && is(&measure["upper_value"], figure.high));
        assert!(is(&measure["value"], figure.value) && is(&entry["value"], figure.value), "{}", figure.id);
        let id = format!("{{id=\"{}\"", figure.id);
        assert!(
            metrics.lines().any(|line| line.contains(&id) && line.contains(figure.metric)),
            "{}",
            figure.id
        );
    }
    assert!(metrics.ends_with("\n# EOF\n"));
}
