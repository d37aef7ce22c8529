//! What the sections say of loads on servers that people run.
#![allow(clippy::unwrap_used)]

mod synthetic;

use synthetic::shown::{self, column, only, says, section, tables, texts, titles};
use tlstax_doc::{Outcome, Results};
use tlstax_report::{Block, Section, Table, View};
use tlstax_spec::{Load, Nanos, Workload};

/// Results of loads on servers, of those alone that are wanted.
fn served(is_wanted: impl Fn(&str, &Load) -> bool) -> Results {
    let mut results = synthetic::servers::results(1);
    results.measurements.retain(|measurement| match &measurement.case.workload {
        Workload::Load(load) => is_wanted(&measurement.case.library, load),
        _ => false,
    });
    results
}

fn ids(results: &Results) -> Vec<String> {
    View::of(results).sections.into_iter().map(|section| section.id).collect()
}

#[test]
fn loads_on_servers_have_the_sections_that_they_are_about() {
    let small = |load: &Load| load.body < 1 << 20;
    let all = ["machine", "load", "transfers", "https", "server-handshakes", "http2"];
    assert_eq!(ids(&served(|_, _| true)), all);
    // A file of many megabytes is told by its bytes, and nowhere else.
    assert_eq!(ids(&served(|_, load| !small(load))), ["machine", "transfers"]);
    let kept = |load: &Load| small(load) && load.requests_per_connection == 0;
    assert_eq!(ids(&served(|_, load| kept(load))), ["machine", "load", "https", "http2"]);
    assert_eq!(ids(&served(|_, load| small(load) && load.params.is_none())), ["machine", "load"]);
}

#[test]
fn ends_stand_side_by_side_where_one_of_them_is_the_same() {
    let beside = |results: &Results| -> Vec<Table> {
        let section = section(results, "load").unwrap();
        tables(&section)
            .into_iter()
            .filter(|table| table.caption.ends_with("side by side"))
            .cloned()
            .collect()
    };
    let servers = beside(&served(|_, load| load.client == "lean"));
    let [table] = &servers[..] else { panic!("{servers:?}") };
    assert_eq!(titles(table), ["requests", "nginx", "apache"]);
    assert_eq!(texts(&column(table, "HTTPS new 1 KB", "apache")), ["392.5"]);
    let clients = beside(&served(|server, load| server == "nginx" && load.body <= 100_000));
    assert_eq!(clients.len(), 2);
    assert!(clients.iter().all(|table| titles(table) == ["requests", "lean", "ab"]), "{clients:?}");
    // What the server needs while it waits for its client is no figure of a busy server.
    let bound = only(&clients[0], "HTTP new 1 KB", "ab");
    assert!(bound.remark.as_ref().unwrap().contains("no figure of a busy server"));
    assert!(beside(&served(|_, load| load.body <= 100_000)).is_empty());
}

#[test]
fn a_table_has_the_columns_that_its_loads_call_for() {
    let section = section(&synthetic::servers::results(1), "load").unwrap();
    let of = |client: &str| {
        titles(tables(&section).into_iter().find(|table| table.caption.ends_with(client)).unwrap())
    };
    let lean = of("nginx as the server, lean as the client");
    for title in ["offered", "resumed", "p50", "p99"] {
        assert!(lean.contains(&title), "{title}: {lean:?}");
    }
    assert!(!lean.contains(&"p99.9"), "a hundred requests make no p99.9: {lean:?}");
    let ab = of("nginx as the server, ab as the client");
    assert!(!ab.iter().any(|known| ["offered", "p50"].contains(known)), "{ab:?}");
}

#[test]
fn an_open_loop_says_what_was_offered_and_whether_it_was_met() {
    let section = section(&synthetic::servers::results(1), "load").unwrap();
    let table = tables(&section)[0];
    let rate = |row: &str| only(table, row, "req/s").clone();
    let met = rate("HTTPS keep-alive 1 KB 500 req/s offered");
    // The machine's state changes nothing in a rate that the clock sets.
    assert_eq!((met.value.round(), met.remark, met.sign), (500.0, None, None));
    let behind = rate("HTTP keep-alive 1 KB 90000 req/s offered");
    assert!(behind.remark.unwrap().contains("fell behind the offered rate"));
    assert!(section.intro.contains("corrected for coordinated omission"));
    let closed = served(|_, load| load.rate == 0);
    assert!(!shown::section(&closed, "load").unwrap().intro.contains("Open loop"));
}

#[test]
fn the_hit_rate_is_what_the_server_saw() {
    let section = section(&synthetic::servers::results(1), "load").unwrap();
    let seen = |row: &str| texts(&column(tables(&section)[0], row, "resumed"));
    assert_eq!(seen("HTTPS new psk 1 KB"), ["100.0"]);
    assert_eq!(seen("HTTPS new 80% psk 1 KB"), ["80.0"]);
    assert_eq!(seen("HTTPS new 80% psk 1 KB 2 workers sessions per worker"), ["40.0"]);
    assert_eq!(seen("HTTPS new 1 KB"), [""]);
}

fn notes(section: &Section) -> String {
    let notes = section.blocks.iter().filter_map(|block| match block {
        Block::Notes { notes } => {
            Some(notes.iter().map(|note| format!("{:?}: {}\n", note.severity, note.what)))
        }
        _ => None,
    });
    notes.flatten().collect()
}

#[test]
fn accounts_that_differ_by_more_than_a_hundredth_are_a_warning() {
    let said =
        |is_wanted: fn(&Load) -> bool| notes(&section(&served(|_, load| is_wanted(load)), "load").unwrap());
    let all = said(|_| true);
    assert!(
        all.contains("Warning: the server's CPU time by the scheduler and by its control group"),
        "{all}"
    );
    assert!(all.contains("by 2.9% in the worst, nginx/load/"), "{all}");
    let good = said(|load| load.tuning.workers == 1);
    assert!(good.contains("Info: the server's CPU time") && !good.contains("Warning"), "{good}");
}

#[test]
fn what_a_client_leaves_out_is_said_once() {
    let all = notes(&section(&synthetic::servers::results(1), "load").unwrap());
    assert_eq!(all.matches("the client lean leaves out 2 things").count(), 1, "{all}");
    let others = notes(&section(&served(|_, load| load.client == "ab"), "load").unwrap());
    assert!(!others.contains("leaves out"), "{others}");
}

#[test]
fn the_parts_of_what_https_adds_add_up() {
    let section = section(&synthetic::servers::results(1), "https").unwrap();
    let parts: Vec<&Table> =
        tables(&section).into_iter().filter(|table| table.caption.contains("what HTTPS adds")).collect();
    assert_eq!(parts.len(), 3);
    for table in parts {
        for row in &table.rows {
            let value = |place: usize| row.cells[place].quantity().map_or(0.0, |quantity| quantity.value);
            let (added, sum) = (value(2), (3..row.cells.len()).map(value).sum::<f64>());
            assert!((added - sum).abs() < 1e-6, "{}: {row:?}", table.caption);
        }
    }
    says(
        &section.sentences,
        &["For a file of 1 KB on a new connection, HTTPS costs the server 5.8x HTTP, and nginx answers"],
    );
}

#[test]
fn large_files_are_told_in_bytes_beside_both_kinds_of_http() {
    let section = section(&synthetic::servers::results(1), "transfers").unwrap();
    let [.., speeds, costs] = tables(&section)[..] else { panic!("{section:?}") };
    let row = "curl download AES_128_GCM_SHA256";
    // In user space a client is busy for less time than in all.
    let [user, all] = ["client, user", "client, all"].map(|title| texts(&column(speeds, row, title)));
    assert_ne!(user, all);
    assert_eq!(texts(&column(costs, row, "server: of HTTP")), ["12.3"]);
    assert_eq!(texts(&column(costs, row, "server: of HTTP, no sendfile")), ["3.1"]);
    let wanted = [
        "HTTP without sendfile costs the server 4.0x HTTP with sendfile",
        "0.0898 of it are the loss of sendfile",
        "encrypts nothing: it makes a message authentication code of every byte",
        "wget costs, in CPU time, 2.1x curl",
    ];
    says(&section.sentences, &wanted);
    assert!(section.blocks.iter().any(|block| matches!(block, Block::Chart(chart) if chart.log)));
}

#[test]
fn user_time_of_a_few_ticks_is_no_figure() {
    let mut results = synthetic::servers::results(1);
    for measurement in &mut results.measurements {
        let Outcome::Measured { batches, .. } = &mut measurement.outcome else { continue };
        for side in batches.iter_mut().filter_map(|batch| batch.sample.client.as_mut()) {
            side.user = Some(Nanos(1_000_000));
        }
    }
    let section = section(&results, "transfers").unwrap();
    for cell in texts(&column(tables(&section)[3], "curl download HTTP", "client, user")) {
        assert!(cell.contains("too little to tell"), "{cell}");
    }
}

#[test]
fn choices_of_a_handshake_on_a_server_are_told_one_at_a_time() {
    let section = section(&synthetic::servers::results(1), "server-handshakes").unwrap();
    let wanted = [
        "a connection with RSA-2048 costs the server 3.3x one with ECDSA P-256 (server nginx, client lean)",
        "a connection in full costs the server 40 % more than one resumed by psk (server nginx, client lean)",
        "with X25519MLKEM768 costs the server 20 % more than one with X25519 (server nginx, client lean)",
    ];
    says(&section.sentences, &wanted);
    let own = tables(&section)[0];
    assert_eq!(texts(&column(own, "X25519 TLS 1.2 ticket", "server's TLS")), ["43.2"]);
    // A mixture that was not met is there with what was seen.
    assert_eq!(
        texts(&column(own, "X25519 TLS 1.3 80% psk 2 workers sessions per worker", "resumed")),
        ["40.0"]
    );
}

#[test]
fn the_rise_from_http_to_h2_is_taken_apart() {
    let section = section(&synthetic::servers::results(1), "http2").unwrap();
    let [costs, rise] = tables(&section)[..] else { panic!("{section:?}") };
    let quiet = only(costs, "500 req/s offered", "h2");
    assert_eq!(quiet.aside.as_deref(), Some("1.2%"));
    let value = |title: &str| only(rise, "as fast as it goes", title).value;
    assert!((value("TLS") + value("HTTP/2") - value("all")).abs() < 1e-6);
    says(&section.sentences, &["TLS adds 3.34 µs, HTTP/2 adds 7.98 µs"]);
}

#[test]
fn d08_a_pair_of_ends_says_which_is_the_server() {
    let view = View::of(&synthetic::servers::results(1));
    let said: Vec<&String> = view.sections.iter().flat_map(|section| &section.sentences).collect();
    assert!(said.iter().any(|said| said.contains("(server nginx, client curl)")), "{said:#?}");
    for (server, client) in ["nginx", "apache"].iter().flat_map(|s| ["lean", "ab", "curl"].map(|c| (s, c))) {
        // That is how libraries are listed.
        assert!(!said.iter().any(|said| said.contains(&format!("({server}, {client})"))), "{said:#?}");
    }
}
