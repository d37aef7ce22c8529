//! What names a row: something, and nothing that names another row of its table.
#![allow(clippy::unwrap_used)]

mod synthetic;

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use synthetic::cases::{full, params};
use synthetic::shown::{every_table, section, tables};
use tlstax_doc::LibraryKind;
use tlstax_report::{Cell, Role, Table, View};
use tlstax_spec::{
    Bulk, Case, Compression, Content, Contexts, Direction, Group, Handshake, Http, Id, Key, Load, Page,
    Params, Resumption, Suite, Tuning, Version, Workload,
};

/// Some of the ways to negotiate.
fn negotiated() -> impl Strategy<Value = Params> {
    let keys = select(vec![Key::EcdsaP256, Key::Rsa2048, Key::Ed25519]);
    (select(vec![Version::Tls12, Version::Tls13]), select(vec![Group::X25519, Group::Secp256r1]), keys)
        .prop_map(|(version, group, key)| {
            let suite = match version {
                Version::Tls13 => Suite::Aes128Gcm,
                _ => Suite::EcdheEcdsaAes128Gcm,
            };
            Params { version, suite, group: Some(group), key }
        })
}

fn resumption() -> impl Strategy<Value = Resumption> {
    select(vec![Resumption::Full, Resumption::Psk])
}

fn handshake() -> impl Strategy<Value = Workload> {
    let contexts = select(vec![Contexts::Shared, Contexts::PerThread, Contexts::PerConnection]);
    (negotiated(), 1..3u8, resumption(), any::<bool>(), contexts).prop_map(
        |(params, chain, resumption, mutual, contexts)| {
            Workload::Handshake(Handshake { params, chain, resumption, mutual, contexts })
        },
    )
}

fn bulk() -> impl Strategy<Value = Workload> {
    let direction = select(vec![Direction::Download, Direction::Upload]);
    let sent = select(vec![
        (Compression::None, Content::Text),
        (Compression::Deflate, Content::Text),
        (Compression::Deflate, Content::Random),
    ]);
    (negotiated(), direction, select(vec![1350u16, 16384]), select(vec![1024u32, 16384]), sent).prop_map(
        |(params, direction, record, write, (compression, content))| {
            Workload::Bulk(Bulk {
                direction,
                record: record.into(),
                write,
                compression,
                content,
                ..Bulk::usual(params)
            })
        },
    )
}

/// Loads of which only some differ in more than the usual.
fn load() -> impl Strategy<Value = Workload> {
    let request =
        (select(vec![16u32, 100]), select(vec![0u32, 1, 10]), select(vec![1024u32, 2 << 20, 16 << 20]));
    let how = (
        select(vec![Http::Http1, Http::Http2]),
        select(vec![0u32, 500]),
        select(vec![Page::Static, Page::FastCgi]),
    );
    let tuning = (any::<bool>(), select(vec![0u32, 4096]), 1..3u16, any::<bool>());
    let more = (select(vec!["lean", "curl"]), resumption(), select(vec![100u8, 80]), tuning);
    (prop::option::of(negotiated()), request, how, more).prop_map(
        |(params, (connections, requests_per_connection, body), (http, rate, page), more)| {
            let (client, resumption, percent, (sendfile, tls_buffer, workers, pinned)) = more;
            // Without TLS there is nothing to resume; and a share is one of those that resume.
            let resumption = if params.is_some() { resumption } else { Resumption::Full };
            let resumed_percent = if resumption == Resumption::Full { 100 } else { percent };
            let tuning = Tuning { sendfile, tls_buffer, workers, pinned, ..Tuning::default() };
            Workload::Load(Load {
                resumption,
                resumed_percent,
                http,
                connections,
                requests_per_connection,
                rate,
                body,
                page,
                tuning,
                ..Load::new(Id::literal(client), params)
            })
        },
    )
}

/// A run of such cases by one library or two, in one thread or more.
fn run(
    workload: impl Strategy<Value = Workload>,
    libraries: [&'static str; 2],
) -> impl Strategy<Value = Vec<Case>> {
    let libraries = subsequence(libraries.to_vec(), 1..=2);
    let threads = subsequence(vec![1u16, 2], 1..=2);
    (prop::collection::vec(workload, 1..7), libraries, threads).prop_map(|(work, libraries, threads)| {
        let mut cases: Vec<Case> = Vec::new();
        for (library, workload) in
            libraries.iter().flat_map(|library| work.iter().map(move |work| (library, work)))
        {
            for &threads in &threads {
                let case = Case { library: Id::literal(library), threads, workload: workload.clone() };
                if !cases.contains(&case) {
                    cases.push(case);
                }
            }
        }
        cases
    })
}

/// What the columns that name rows say of each ordinary row.
fn names(table: &Table) -> Vec<Vec<String>> {
    let said = |cell: &Cell| match cell {
        Cell::Text { text } => text.clone(),
        other => format!("{other:?}"),
    };
    let rows = table.rows.iter().filter(|row| row.role == Role::Plain);
    rows.map(|row| {
        let named = row.cells.iter().zip(&table.columns).filter(|(_, column)| column.label);
        named.map(|(cell, _)| said(cell)).collect()
    })
    .collect()
}

fn every_row_has_a_name_of_its_own(cases: Vec<Case>) {
    let mut results = synthetic::of_cases(cases);
    for library in results.libraries.iter_mut().filter(|library| library.id == "nginx") {
        library.kind = LibraryKind::Server;
    }
    for table in every_table(&View::of(&results)) {
        let names = names(table);
        let distinct: BTreeSet<_> = names.iter().collect();
        assert_eq!(distinct.len(), names.len(), "{}: {names:#?}", table.caption);
        let is_empty = |name: &Vec<String>| name.iter().all(|part| part.is_empty());
        assert!(!names.iter().any(is_empty), "{}: {names:#?}", table.caption);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn d28_handshakes_have_names_of_their_own(cases in run(handshake(), ["openssl", "rustls-ring"])) {
        every_row_has_a_name_of_its_own(cases);
    }

    #[test]
    fn d28_bulk_data_has_names_of_its_own(cases in run(bulk(), ["openssl", "rustls-ring"])) {
        every_row_has_a_name_of_its_own(cases);
    }

    #[test]
    fn d28_loads_have_names_of_their_own(cases in run(load(), ["openssl", "nginx"])) {
        every_row_has_a_name_of_its_own(cases);
    }
}

/// The names of handshakes in the table of the first library.
fn handshakes(work: &[Handshake]) -> Vec<String> {
    let case = |work: &Handshake| Case {
        library: Id::literal("openssl"),
        threads: 1,
        workload: Workload::Handshake(*work),
    };
    let results = synthetic::of_cases(work.iter().map(case).collect());
    names(tables(&section(&results, "handshakes").unwrap())[0]).concat()
}

#[test]
fn d28_a_resumed_handshake_says_so_however_many_there_are() {
    let of = |key, resumption| Handshake { resumption, ..full(params(key)) };
    let (full, psk) = (Resumption::Full, Resumption::Psk);
    let [rsa, ecdsa] = [Key::Rsa2048, Key::EcdsaP256];
    let names = handshakes(&[of(ecdsa, full), of(ecdsa, psk), of(rsa, psk)]);
    assert_eq!(names, ["ECDSA P-256", "ECDSA P-256 psk", "RSA-2048 psk"]);
}

#[test]
fn d28_a_row_that_differs_by_saying_nothing_has_a_name() {
    let of = |contexts| Handshake { contexts, ..full(params(Key::EcdsaP256)) };
    let names = handshakes(&[of(Contexts::Shared), of(Contexts::PerConnection)]);
    assert_eq!(names.iter().filter(|name| name.is_empty()).count(), 0, "{names:?}");
    assert!(names[1].ends_with("own context"), "{names:?}");
}
