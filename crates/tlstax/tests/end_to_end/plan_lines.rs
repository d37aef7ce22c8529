//! `tlstax plan line-rate` and `tlstax plan scale`: what is computed, printed and refused.

use serde_json::Value;

use crate::stage::{HANDSHAKES, Stage, plain, root};

/// Data, ciphers at three sizes, and two handshakes.
fn study() -> String {
    let suite = "versions = [\"TLSv1.3\"]\nsuites = [\"TLS_AES_128_GCM_SHA256\"]\ngroups = [\"X25519\"]\nkeys = [\"ecdsa-p256\"]\n";
    let ciphers = "algorithms = [\"aes-128-gcm\", \"chacha20-poly1305\"]\nsizes = [1024, 8192, 16384]\n";
    format!(
        "[[bulk]]\n{suite}[[primitive]]\n{ciphers}{HANDSHAKES}keys = [\"ecdsa-p256\"]\nresumptions = [\"full\", \"psk\"]\n"
    )
}

fn measured() -> Stage {
    let stage = Stage::calm();
    stage.measured("line", &study());
    stage
}

/// The value in a row that has these words and a column of this title, of a view.
#[track_caller]
fn value(view: &Value, section: &str, words: &[&str], title: &str) -> f64 {
    let sections = view["sections"].as_array().unwrap();
    let section = sections.iter().find(|one| one["id"] == section).unwrap();
    let tables = section["blocks"].as_array().unwrap().iter().filter(|block| block["is"] == "table");
    let found = tables.flat_map(|table| {
        let place = table["columns"].as_array().unwrap().iter().position(|column| column["title"] == title);
        let rows = table["rows"].as_array().unwrap().iter();
        rows.filter_map(move |row| Some((row, row["cells"].get(place?)?)))
    });
    let has = |row: &Value| words.iter().all(|word| row.to_string().contains(word));
    let mut values = found.filter(|(row, _)| has(row)).filter_map(|(_, cell)| cell["value"].as_f64());
    values.next().unwrap_or_else(|| panic!("{words:?}, {title} in {section}"))
}

#[test]
fn a_rate_alone_is_arithmetic_as_its_source_did_it() {
    let run = plain("plan line-rate --rate 99.02MB/s --bytes 100MB --gbit 1").ends(0);
    let words = "100 MB take 1.0099 s to encrypt with the rate that was given and 0.8 s to send over 1 Gbit/s: the line waits for one \
                 core, and 2 fill it.";
    run.shows([words, "one stream cannot fill 1 Gbit/s"]);
    let view = plain("plan line-rate --rate 99.02MB/s --bytes 100MB --gbit 1 --json").ends(0).json();
    assert!((value(&view, "time", &["encrypt"], "time") - 1.009_897).abs() < 1e-6);
    assert!((value(&view, "time", &["send over"], "time") - 0.8).abs() < 1e-12);
}

#[test]
fn cores_follow_from_what_was_measured() {
    let stage = measured();
    let view = stage.run("plan line-rate line.json --gbit 10,100 --json").ends(0).json();
    let cost = |words: &[&str], title| value(&view, "line", words, title);
    // 0.4 ns a byte and 1500 ns a buffer: 21 Gbit/s of the line.
    let one = cost(&["record layer"], "one core sends");
    assert!((one / 20.98 - 1.0).abs() < 0.05, "{one}");
    let [ten, hundred] = ["10 Gbit/s", "100 Gbit/s"].map(|line| cost(&["record layer"], line));
    assert!((hundred / ten - 10.0).abs() < 1e-9 && (ten * one / 10.0 - 1.0).abs() < 1e-9);
    assert!(cost(&["cipher alone", "aes-128-gcm"], "10 Gbit/s") < ten);
    // Packets of a tunnel cost the cipher's call each.
    let packet = |words: &[&str]| value(&view, "tunnels", words, "cipher, a packet");
    assert!((packet(&["IPsec ESP", "aes-128-gcm"]) / (90.0 + 0.19 * 1448.0) - 1.0).abs() < 0.05);
    assert!((packet(&["WireGuard"]) / (170.0 + 0.45 * 1440.0) - 1.0).abs() < 0.05);
    assert!(packet(&["TLS", "aes-128-gcm"]) < packet(&["IPsec ESP", "aes-128-gcm"]));
    // Three round trips, and 640 µs of both sides.
    let first = value(&view, "latency", &["TLS 1.3, full"], "first byte");
    assert!((first - 60.64).abs() < 0.1, "{first}");
    assert_eq!(value(&view, "latency", &["TLS 1.3, 0-RTT"], "first byte"), 40.0);
}

#[test]
fn every_format_has_it_and_what_is_modelled_says_so() {
    let stage = measured();
    let drawn = |format: &str| stage.run(&format!("plan line-rate line.json --format {format}")).ends(0);
    for format in ["text", "markdown", "html"] {
        drawn(format).shows(["One core fills", "Modelled, not measured", "WireGuard"]);
    }
    let csv = drawn("csv").stdout;
    assert!(csv.starts_with("section,table,row,column,value,low,high,unit,hole\n"), "{csv}");
    assert!(csv.contains("mock / TLS_AES_128_GCM_SHA256 / record layer,one core sends"), "{csv}");
    assert!(csv.lines().filter(|line| line.starts_with("tunnels,")).all(|line| line.contains("Modelled")));
}

#[test]
fn what_was_not_measured_is_a_hole_with_the_command_for_it() {
    let stage = measured();
    let run = stage.run("plan line-rate line.json --record 4k").ends(0);
    run.shows([
        "measured at 16384 bytes, and not at 4096; tlstax bulk --record 4096 measures it",
        "between sizes",
    ]);
    stage.measured("one", crate::stage::ONE);
    stage.refuses("plan line-rate one.json", ["no bulk data", "tlstax bulk", "--rate 99.02MB/s"]);
    stage.refuses("plan line-rate line.json -l nobody", ["of nobody"]);
    stage.refuses("plan scale line.json", ["no case", "tlstax handshake --threads 1,2,4"]);
}

#[test]
fn absurd_numbers_are_refused() {
    for (flags, words) in [
        ("--rate 0MB/s", "from 1 to"),
        ("--rate -5MB/s", "is no size"),
        ("--rate 99", "write 99.02MB/s"),
        ("--rate 1MB/s --gbit 0", "no line has 0 Gbit/s"),
        ("--rate 1MB/s --gbit -10", "no line has -10 Gbit/s"),
        ("--rate 1MB/s --gbit NaN", "no line has NaN Gbit/s"),
        ("--rate 1MB/s --record 64k", "from 512 to 16384"),
        ("--rate 1MB/s --mtu 70", "from 576 on"),
        ("--rate 1MB/s --mtu 1279 --ip 6", "from 1280"),
        ("--rate 1MB/s --rtt 2h", "write 20ms"),
        ("--rate 1MB/s --rtt 0ms", "from 1us to 60s"),
        ("--rate 1MB/s --loss 30%", "from 0% to 20%"),
        ("--rate 1MB/s --bytes 0", "from 1 to"),
    ] {
        plain(&format!("plan line-rate {flags}")).ends(2).says([words]);
    }
    plain("plan scale none.json --at 0").ends(2).says(["from 1 to 1024"]);
    plain("plan line-rate none.json").ends(2).says(["cannot read none.json"]);
}

#[test]
fn curves_have_a_regime_and_predictions_stop_where_data_stop() {
    let results = root().join("crates/report/tests/golden/results.json");
    let run = |flags: &str| plain(&format!("plan scale {} {flags}", results.display())).ends(0);
    run("-l openssl --at 2,8").shows([
        "contended up to 2 threads: each loses 31.0 %",
        "no prediction for 8, measured from 1 to 2 threads",
        "too few points for one",
        "4 are more than the CPUs of that machine: they take turns",
    ]);
    assert!(!run("-l openssl").stdout.contains("rustls"), "others were not asked for");
    let csv = run("--format csv --at 8").stdout;
    assert!(csv.contains("at 8,,,,,measured from 1 to 2 threads"), "{csv}");
}
