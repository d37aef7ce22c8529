//! What stands beside what: ciphers and ways of large files, ratios of throughputs, and several machines.
#![allow(clippy::unwrap_used)]

mod synthetic;

use synthetic::shown::{column, section, tables, titles};
use tlstax_report::{Cell, Role, Table, side_by_side};

#[track_caller]
fn captioned<'a>(tables: &[&'a Table], words: &str) -> &'a Table {
    let found = tables.iter().find(|table| table.caption.contains(words));
    found.unwrap_or_else(|| {
        panic!("{words}: {:?}", tables.iter().map(|table| &table.caption).collect::<Vec<_>>())
    })
}

#[test]
fn large_files_have_ciphers_down_and_clients_with_directions_across() {
    let section = section(&synthetic::servers::results(1), "transfers").unwrap();
    let tables = tables(&section);
    let [elapsed, client, server] = ["elapsed time", "the client's CPU time", "the server's CPU time"]
        .map(|what| captioned(&tables, what));
    for table in [elapsed, client, server] {
        assert_eq!(titles(table), ["cipher", "curl download", "curl upload", "wget download"]);
    }
    let names: Vec<_> = server.rows.iter().map(|row| row.cells[0].clone()).collect();
    let expected = ["HTTP", "HTTP no sendfile", "TLS 1.3 AES_128_GCM_SHA256", "NULL_SHA256"];
    for (name, expected) in names.iter().zip(expected) {
        let Cell::Text { text } = name else { panic!("{name:?}") };
        let words: Vec<_> = expected.split(' ').collect();
        assert!(words.iter().any(|word| text.contains(word)), "{text}: {expected}");
    }
    assert_eq!(names.len(), expected.len());
    // Without sendfile nothing was sent to the server, and no upload was NULL.
    assert_eq!(server.rows[1].cells[2], Cell::Empty);
    assert_eq!(server.rows[3].cells[2], Cell::Empty);
    // The synthetic server needs 0.03 ns for a byte over HTTP by sendfile, and 12 us for the request.
    let found = server.rows[0].cells[1].quantity().unwrap().value;
    let expected = 64.0 / (12e-6 + 0.03e-9 * f64::from(64 << 20));
    assert!((found / expected - 1.0).abs() < 0.02, "{found} of {expected}");
}

#[test]
fn throughputs_are_set_in_relation_with_and_without_a_switch_at_each_size() {
    let section = section(&synthetic::of_many(1), "primitives").unwrap();
    let tables = tables(&section);
    let off = captioned(&tables, "openssl-without-aes: MB/s by message size");
    for size in ["64 B", "1350 B", "16 KiB"] {
        let percent: Vec<f64> = off
            .rows
            .iter()
            .filter(|row| row.role == Role::Ratio && row.cells[0] == Cell::text("aes on / off"))
            .map(|row| {
                let place = off.columns.iter().position(|column| column.title == size).unwrap();
                row.cells[place].quantity().unwrap().value
            })
            .collect();
        // AES of both key lengths with GCM, that of openssl speed besides, and CBC; no hash and no ChaCha20.
        assert_eq!(percent.len(), 4, "{off:?}");
        assert!(percent.iter().all(|percent| (percent / 1130.0 - 1.0).abs() < 0.05), "{percent:?}");
    }
    let on = captioned(&tables, "openssl: MB/s by message size");
    assert!(column(on, "aes on / off", "64 B").is_empty());
}

#[test]
fn several_machines_have_a_column_each_and_no_ratio_between_them() {
    let fast = synthetic::results(1, |_| 1.0);
    let slow = synthetic::results(2, |_| 3.0);
    let runs = [("laptop".to_owned(), &fast), ("board".to_owned(), &slow)];
    let view = side_by_side(&runs);
    let of = |id: &str| view.sections.iter().find(|section| section.id == id).unwrap();
    let table = tables(of("primitives"))[0];
    assert_eq!(titles(table), ["library", "", "laptop", "board"]);
    // What a library does not have is a hole on both.
    let measured: Vec<_> = table.rows.iter().filter(|row| row.cells[2].quantity().is_some()).collect();
    assert!(measured.len() > 10 && measured.len() < table.rows.len(), "{table:?}");
    for row in measured {
        let [laptop, board] = [2, 3].map(|column| row.cells[column].quantity().unwrap());
        assert!((laptop.value / board.value / 3.0 - 1.0).abs() < 0.05, "{row:?}");
        assert!(laptop.half_width().is_some() && laptop.unit == "MB/s");
    }
    assert_eq!(
        titles(tables(of("handshakes"))[0])[2..],
        ["laptop server", "board server", "laptop client", "board client"]
    );
    let units: Vec<&str> = view
        .sections
        .iter()
        .filter(|section| section.id != "ratios")
        .flat_map(tables)
        .flat_map(|table| &table.columns)
        .map(|column| column.unit)
        .collect();
    assert!(!units.contains(&"x") && !units.contains(&"%"), "{units:?}");
    let ratios = tables(of("ratios"));
    let ciphers = captioned(&ratios, "Throughput in percent");
    for row in &ciphers.rows {
        let [laptop, board] = [2, 3].map(|column| row.cells[column].quantity().unwrap().value);
        assert!((laptop / board - 1.0).abs() < 0.03, "a factor on everything is in no ratio: {row:?}");
    }
    captioned(&ratios, "HTTPS as a multiple of HTTP");
    let machines = tables(of("machines"))[0];
    assert_eq!(column(machines, "board", "study"), [&Cell::text("synthetic")]);
}

#[test]
fn what_one_machine_has_alone_is_counted_and_left_out() {
    let whole = synthetic::results(1, |_| 1.0);
    let mut part = synthetic::results(2, |_| 1.0);
    part.measurements.retain(|measurement| measurement.id.starts_with("openssl/handshake/"));
    let runs = [("a".to_owned(), &whole), ("b".to_owned(), &part)];
    let view = side_by_side(&runs);
    assert!(view.sections.iter().all(|section| ["machines", "handshakes"].contains(&section.id.as_str())));
    let text = format!("{:?}", view.sections[0].blocks);
    let control = |id: &str| id.starts_with("control/");
    let alone = whole.measurements.iter().filter(|one| !control(&one.id)).count() - part.measurements.len();
    assert!(text.contains(&format!("{alone} cases are in one of the runs only")), "{text}");
}
