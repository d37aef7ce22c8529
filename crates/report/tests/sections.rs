//! What the sections say of threads, set-up, post-quantum handshakes, switches and many libraries.
#![allow(clippy::unwrap_used)]

mod synthetic;

use synthetic::shown::{self, column, only, says, section, tables, texts, titles};
use tlstax_doc::{Outcome, Results};
use tlstax_report::{Cell, Published, Style, View, format};
use tlstax_spec::{Contexts, Suite, Workload};

#[test]
fn the_regime_of_several_threads_is_named() {
    let section = section(&synthetic::results(1, |_| 1.0), "scaling").unwrap();
    let shared = tables(&section)[0];
    assert_eq!(
        texts(&column(shared, "openssl", "regime")),
        ["", "contended: 31 % lost", "taking turns: 31 % lost"]
    );
    assert_eq!(texts(&column(shared, "rustls-aws-lc", "regime")), ["", "scales", "taking turns"]);
    assert_eq!(texts(&column(shared, "openssl", "speed-up")), ["", "1.4", "1.4"]);
    assert_eq!(texts(&column(shared, "openssl", "sys")), ["", "20.0", "20.0"]);
    let wanted = [
        "scales in rustls-aws-lc; is contended in openssl (31 % of each thread is lost)",
        "4 threads are more than the 2 core(s): they take turns",
        "With 2 threads a handshake with a context of its own costs 2.3x one with a shared context",
        "that share a context takes 45 % more than one of threads that have one each (openssl)",
    ];
    says(&section.sentences, &wanted);
}

#[test]
fn threads_on_an_unknown_machine_are_blamed_for_nothing() {
    let mut results = synthetic::results(1, |_| 1.0);
    results.host.topology = Default::default();
    let section = section(&results, "scaling").unwrap();
    let shared = tables(&section)[0];
    assert_eq!(texts(&column(shared, "openssl", "regime")), ["", "cannot tell", "cannot tell"]);
    assert!(!section.sentences.iter().any(|said| said.contains("contended") || said.contains("turns")));
}

#[test]
fn without_one_thread_there_is_no_speed_up() {
    let mut results = synthetic::results(1, |_| 1.0);
    results.measurements.retain(|measurement| {
        let alone = measurement.case.threads == 1;
        !(alone && matches!(measurement.case.workload, Workload::Handshake(_)))
    });
    let section = section(&results, "scaling").unwrap();
    for cell in texts(&column(tables(&section)[0], "openssl", "speed-up")) {
        assert!(cell.contains("one thread was not measured"), "{cell}");
    }
    assert!(View::of(&results).sections.iter().all(|section| section.id != "handshakes" || {
        tables(section).iter().all(|table| !table.caption.contains("one handshake"))
    }));
}

#[test]
fn a_hole_of_several_threads_keeps_its_reason() {
    let mut results = synthetic::results(1, |_| 1.0);
    for measurement in &mut results.measurements {
        let own = matches!(&measurement.case.workload, Workload::Handshake(handshake)
            if handshake.contexts == Contexts::PerThread);
        if own || measurement.case.threads > 2 {
            measurement.outcome = Outcome::Unsupported { reason: "one thread is all it has".to_owned() };
        }
    }
    let view = View::of(&results);
    for name in ["text", "markdown", "html", "csv", "json"] {
        let drawn = format(name).unwrap().draw(&view, &Style::default());
        assert!(drawn.contains("one thread is all it has"), "{name}");
    }
}

#[test]
fn what_a_socket_takes_of_the_kernel_has_a_column_or_its_reason() {
    let mut results = synthetic::results(1, |_| 1.0);
    let memory = |results: &Results| {
        let section = section(results, "handshakes").unwrap();
        let table =
            tables(&section).into_iter().find(|table| table.caption.contains("idle")).unwrap().clone();
        (table, section.answers)
    };
    let (table, said) = memory(&results);
    // 702,500 and 19,200 bytes of 200 sockets.
    assert!((only(&table, "openssl", "TCP socket").value - 3.524).abs() < 1e-3, "{table:?}");
    says(&said, &["of the server's memory, and its TCP socket 3.52 KiB of the kernel's."]);
    results.host.sockets.as_mut().unwrap().unread = Some("only root may read it".to_owned());
    let (table, said) = memory(&results);
    assert_eq!(texts(&column(&table, "openssl", "TCP socket")), ["only root may read it"]);
    assert!(said.iter().all(|said| !said.contains("kernel's")), "{said:?}");
    results.host.sockets = None;
    assert_eq!(titles(&memory(&results).0), ["library", "client", "server"]);
}

#[test]
fn elapsed_time_of_several_threads_is_a_figure() {
    let view = View::of(&synthetic::results(1, |_| 1.0));
    let walls: Vec<Option<u16>> = view
        .figures
        .iter()
        .filter(|figure| figure.metric == "wall" && figure.case.kind == "handshake")
        .map(|figure| figure.case.threads)
        .collect();
    assert!(!walls.is_empty() && walls.iter().all(|threads| threads.is_some_and(|threads| threads > 1)));
}

#[test]
fn what_is_set_up_has_a_table_of_its_own() {
    let results = synthetic::results(1, |_| 1.0);
    let section = section(&results, "setup").unwrap();
    let [table] = tables(&section)[..] else { panic!("{section:?}") };
    assert_eq!(texts(&column(table, "openssl", "per root")), ["50.0"]);
    assert!(section.intro.contains("144 roots"));
    says(&section.sentences, &["rustls-aws-lc loads the CA bundle in 20 % more time than openssl."]);
    let keys = shown::section(&results, "public-keys").unwrap();
    assert!(tables(&keys).iter().all(|table| column(table, "ca-bundle", "algorithm").is_empty()));
}

#[test]
fn post_quantum_handshakes_are_told_in_time_and_bytes() {
    let results = synthetic::results(1, |_| 1.0);
    let section = section(&results, "post-quantum").unwrap();
    let wanted = [
        "With X25519MLKEM768 instead of X25519, the client sends 1184 bytes more and the server 1088",
        "a full handshake costs the client 49.9 µs more and the server 49.9 µs more (openssl)",
        "the client 29.9 µs less and the server 120 µs more (openssl)",
        "the server sends 18934 bytes: larger than TCP's initial window of 14600 bytes",
    ];
    says(&section.sentences, &wanted);
    let handshakes = shown::section(&results, "handshakes").unwrap();
    let own = tables(&handshakes)[0];
    assert_eq!(texts(&column(own, "TLS 1.2 ECDSA P-256", "trips")), ["2"]);
    let sent = only(own, "TLS 1.3 ML-DSA-87", "server sends");
    assert!(sent.remark.as_ref().unwrap().contains("one round trip more on a new TCP connection"));
    let sent = only(own, "TLS 1.3 RSA-2048", "server sends");
    assert_eq!(sent.remark, None);
}

#[test]
fn switches_are_told_apart_by_the_ids() {
    let section = section(&synthetic::of_many(1), "switches").unwrap();
    let wanted = [
        "without aes, openssl encrypts aes-128-gcm at 16 KiB 11 times as slowly",
        "Without asm, openssl-3.6 hashes with sha256 at 16 KiB 4.0 times as slowly.",
    ];
    says(&section.sentences, &wanted);
    // What the switch does not touch is not said: neither hashing nor handshakes without aes.
    assert_eq!(
        section.sentences.iter().filter(|said| said.to_lowercase().contains("without aes")).count(),
        1
    );
    let aes = tables(&section).into_iter().find(|table| table.caption.starts_with("openssl without aes"));
    assert_eq!(
        texts(&column(aes.unwrap(), "aes-128-gcm", "16 KiB")),
        ["11.3", "11.3"],
        "as TLS calls it, and speed"
    );
    assert!(shown::section(&synthetic::results(1, |_| 1.0), "switches").is_none());
}

#[test]
fn libraries_say_where_they_come_from() {
    let results = synthetic::of_many(1);
    let machine = section(&results, "machine").unwrap();
    let list = tables(&machine)[1];
    let said = |library: &str| {
        let row = list.rows.iter().find(|row| row.cells[0] == Cell::text(library)).unwrap();
        texts(&[&row.cells[1]]).remove(0)
    };
    assert!(said("openssl-without-aes").contains("; without aes; "));
    let made = said("rustls-graviola");
    for part in
        ["crate:rustls-graviola-sys@=0.39.1", "gcc (Debian 12.2.0-14) 12.2.0", "812 checks passed, 33 not"]
    {
        assert!(made.contains(part), "{made}");
    }
    assert!(said("absent").contains("tlstax libraries build absent"));
    let html = format("html").unwrap().draw(&View::of(&results), &Style::default());
    assert!(html.contains("-DNO_TESTS=1") && html.contains(&"fedcba9876543210".repeat(2)));
}

#[test]
fn many_libraries_stand_down_the_side() {
    let view = View::of(&synthetic::of_many(1));
    for section in &view.sections {
        assert!(section.sentences.len() <= 4, "{:?}", section.sentences);
        for table in tables(section) {
            let across = table
                .columns
                .iter()
                .filter(|column| synthetic::MANY.iter().any(|library| column.title.starts_with(library)));
            assert!(across.count() <= 1, "{}", table.caption);
        }
    }
    for width in [80, 100, 110] {
        let text = format("text").unwrap().draw(&view, &Style { width, ..Style::default() });
        for line in text.lines() {
            assert!(line.chars().count() <= width || !line.trim().contains(' '), "{width}: {line}");
        }
        // A piece of a table holds all libraries, and few pieces make a table.
        let pieces = text.lines().filter(|line| line.starts_with("library ")).count();
        assert!(pieces < 40, "{width}: {pieces}");
    }
    let said: Vec<&String> = view.sections.iter().flat_map(|section| &section.sentences).collect();
    assert!(said.iter().all(|said| said.len() < 500), "{said:#?}");
    assert!(said.iter().any(|said| said.contains("(all 14 libraries)")), "{said:#?}");
}

#[test]
fn d29_published_figures_stand_beside_each_library() {
    let mut published = Published::default();
    let text = "source,machine,software,kind,algorithm,operation,bytes,value,unit\n\
                s,Old Machine,openssl speed,primitive,rsa-2048,sign,,1000,op/s\n";
    published.read("own.csv", text, &|_| None);
    let view = View::with_published(&synthetic::results(1, |_| 1.0), &published);
    let section = view.sections.iter().find(|section| section.id == "published").unwrap();
    let table = tables(section)[0];
    assert_eq!(titles(table), ["machine", "rate", "openssl here is", "rustls-aws-lc here is"]);
    let value = |row: usize, column: usize| table.rows[row].cells[column].quantity().unwrap().value;
    // This machine's two libraries, then the other machine: each factor is that of the library it names.
    for library in 0..2 {
        assert!((value(2, 2 + library) - value(library, 1) / 1000.0).abs() < 1e-9);
        assert_eq!(table.rows[library].cells[2..], [Cell::Empty, Cell::Empty]);
    }
}

#[test]
fn published_transfers_stand_beside_those_of_the_same_client_and_direction() {
    let text = "machine,suite,client,direction,transfer_mb_s,client_cpu_mb_s\n\
                Old,(plain HTTP),curl (OpenSSL),download,100,400\n\
                Old,(plain HTTP),curl (OpenSSL),upload,,40\n\
                Old,NULL-SHA256,curl (OpenSSL),download,50,200\n\
                Old,RC4-MD5,curl (OpenSSL),download,10,20\n";
    let suites = [("NULL-SHA256", Suite::RsaNullSha256), ("RC4-MD5", Suite::RsaRc4128Md5)];
    let mut published = Published::default();
    let known = |name: &str| suites.iter().find(|(known, _)| *known == name).map(|(_, suite)| *suite);
    published.read("own.csv", text, &known);
    let view = View::with_published(&synthetic::servers::results(1), &published);
    let section = view.sections.iter().find(|section| section.id == "published").unwrap();
    let captions: Vec<_> = tables(section).iter().map(|table| table.caption.as_str()).collect();
    let down = "download by curl (OpenSSL): MiB in a second of ";
    let user = "the client's CPU time in user space";
    assert_eq!(
        captions,
        [
            format!("{down}elapsed time"),
            format!("{down}{user}"),
            format!("upload by curl (OpenSSL): MiB in a second of {user}"),
        ]
    );
    let table = tables(section)[0];
    assert_eq!(titles(table), ["cipher", "here: nginx", "Old"]);
    let names: Vec<_> = table.rows.iter().map(|row| row.cells[0].clone()).collect();
    assert_eq!(names, [Cell::text("(plain HTTP)"), Cell::text("NULL-SHA256")]);
    let [here, there] = [1, 2].map(|column| table.rows[0].cells[column].quantity().unwrap());
    assert_eq!(there.value, 100.0);
    let factor: f64 = there.aside.as_ref().unwrap()["here ".len()..].trim_end_matches('x').parse().unwrap();
    assert!((factor / (here.value / 100.0) - 1.0).abs() < 0.05, "{factor}");
    let text = format("text").unwrap().draw(&view, &Style::default());
    for words in
        ["own.csv, line 3: transfer_mb_s is empty", "not measured in this run: RC4-MD5 by curl (OpenSSL)"]
    {
        assert!(text.split_whitespace().collect::<Vec<_>>().join(" ").contains(words), "{words}");
    }
}
