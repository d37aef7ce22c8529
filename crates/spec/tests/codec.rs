//! Whatever can be said on the bridge comes back as it was said.
#![allow(clippy::unwrap_used)]

use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;
use tlstax_spec::wire::{Answer, Hello, Request, Target, Usage};
use tlstax_spec::{
    Algorithm, Bulk, Bytes, Case, ClientCore, Compression, Content, Contexts, Cpu, Direction, FlatCase,
    Group, Handshake, Http, Id, Idle, Instructions, Key, Load, Method, Nanos, Op, Page, Params, Parts,
    Pattern, Primitive, Proof, Resumption, Sample, Sessions, Side, Suite, Tuning, Version, Workload,
};

fn params() -> impl Strategy<Value = Params> {
    (select(Version::ALL), select(Suite::ALL), of(select(Group::ALL)), select(Key::ALL))
        .prop_map(|(version, suite, group, key)| Params { version, suite, group, key })
}

fn id() -> impl Strategy<Value = Id> {
    "[A-Za-z0-9][A-Za-z0-9._+@:%-]{0,99}".prop_map(|text| text.parse().unwrap())
}

fn how() -> impl Strategy<Value = (u8, Http, Direction, Page)> {
    (any::<u8>(), select(Http::ALL), select(Direction::ALL), select(Page::ALL))
}

fn tuning() -> impl Strategy<Value = Tuning> {
    (any::<[bool; 2]>(), any::<u32>(), any::<u16>(), select(Sessions::ALL)).prop_map(
        |([sendfile, pinned], tls_buffer, workers, sessions)| Tuning {
            sendfile,
            tls_buffer,
            workers,
            pinned,
            sessions,
        },
    )
}

fn workload() -> impl Strategy<Value = Workload> {
    prop_oneof![
        (select(Op::ALL), select(Algorithm::ALL), any::<u32>(), select(Pattern::ALL)).prop_map(
            |(op, algorithm, size, pattern)| Workload::Primitive(Primitive { op, algorithm, size, pattern })
        ),
        (params(), any::<u8>(), select(Resumption::ALL), any::<bool>(), select(Contexts::ALL)).prop_map(
            |(params, chain, resumption, mutual, contexts)| {
                Workload::Handshake(Handshake { params, chain, resumption, mutual, contexts })
            }
        ),
        (params(), select(Direction::ALL), any::<[u32; 3]>(), select(Compression::ALL), select(Content::ALL))
            .prop_map(|(params, direction, [record, write, buffer], compression, content)| {
                Workload::Bulk(Bulk { params, direction, record, write, buffer, compression, content })
            }),
        (params(), select(Side::ALL), any::<u32>())
            .prop_map(|(params, side, connections)| Workload::Idle(Idle { params, side, connections })),
        (id(), of(params()), select(Resumption::ALL), any::<[u32; 6]>(), how(), tuning()).prop_map(
            |(client, params, resumption, numbers, how, tuning)| {
                let [connections, requests_per_connection, body, work_us, rate, response_headers] = numbers;
                let (resumed_percent, http, direction, page) = how;
                Workload::Load(Load {
                    client,
                    params,
                    resumption,
                    resumed_percent,
                    http,
                    connections,
                    requests_per_connection,
                    rate,
                    direction,
                    body,
                    work_us,
                    page,
                    response_headers,
                    form: response_headers % 2 == 1,
                    tuning,
                })
            }
        ),
    ]
}

fn case() -> impl Strategy<Value = Case> {
    (id(), any::<u16>(), workload()).prop_map(|(library, threads, workload)| Case {
        library,
        threads,
        workload,
    })
}

fn cpu() -> impl Strategy<Value = Cpu> {
    any::<(u64, Option<u64>, Option<u64>)>().prop_map(|(total, user, system)| Cpu {
        total: Nanos(total),
        user: user.map(Nanos),
        system: system.map(Nanos),
    })
}

fn parts() -> impl Strategy<Value = Parts> {
    let list = || prop::collection::vec(any::<u64>().prop_map(Nanos), 0..20);
    (list(), list(), list()).prop_map(|(whole, client, server)| Parts { whole, client, server })
}

fn sample() -> impl Strategy<Value = Sample> {
    (any::<[u64; 3]>(), cpu(), of(cpu()), of(cpu()), of(".*"), parts(), parts(), of(any::<[u64; 3]>()))
        .prop_map(|([iterations, wall, bytes], cpu, client, server, latency, parts, read, counted)| Sample {
            iterations,
            wall: Nanos(wall),
            cpu,
            bytes: Bytes(bytes),
            client,
            server,
            latency,
            parts,
            client_core: ClientCore { latency: read.client, throughput: read.server, round_trip: read.whole },
            client_waited: counted.map(|[waited, ..]| Nanos(waited)),
            instructions: counted.map(|[whole, client, server]| {
                Box::new(Instructions { whole, client: Some(client), server: Some(server) })
            }),
        })
}

fn proof() -> impl Strategy<Value = Proof> {
    let flights = prop::collection::vec(any::<u64>(), 0..6);
    (of(params()), any::<[u64; 5]>(), flights, of(".*")).prop_map(
        |(params, [resumed, handshakes, early, client_bytes, server_bytes], flights, answer)| Proof {
            round_trips: None,
            flights,
            version: params.map(|params| params.version),
            suite: params.map(|params| params.suite),
            group: params.and_then(|params| params.group),
            key: params.map(|params| params.key),
            compression: params.filter(|params| params.group.is_none()).map(|_| Compression::Deflate),
            resumed,
            handshakes,
            early,
            client_bytes,
            server_bytes,
            answer,
        },
    )
}

fn target() -> impl Strategy<Value = Option<Target>> {
    let method = prop_oneof![Just(Method::Post), Just(Method::Put)];
    of((any::<[String; 3]>(), method).prop_map(|([address, name, path], method)| Target {
        address,
        name,
        path,
        method,
    }))
}

proptest! {
    #[test]
    fn a_case_survives_being_flat(case in case()) {
        let json = serde_json::to_string(&case).unwrap();
        prop_assert_eq!(serde_json::from_str::<Case>(&json).unwrap(), case.clone());
        prop_assert_eq!(Case::try_from(FlatCase::from(case.clone())).unwrap(), case);
    }

    #[test]
    fn a_request_survives_the_line(case in case(), slot in any::<u32>(), end in of(select(Side::ALL)), port in any::<Option<u16>>(), target in target()) {
        let request = Request::Prepare { slot, case, end, port, target };
        let line = request.encode();
        prop_assert!(!line.contains('\n'));
        prop_assert_eq!(Request::decode(&line).unwrap(), request);
    }

    #[test]
    fn a_batch_survives_the_line(slot in any::<u32>(), [iterations, warmup, part] in any::<[u64; 3]>()) {
        let request = Request::Run { slot, iterations, warmup, part, count: None };
        prop_assert_eq!(Request::decode(&request.encode()).unwrap(), request);
    }

    #[test]
    fn words_for_suites_survive_the_line(string in ".*", ciphersuites in any::<Option<String>>(), names in any::<Vec<String>>()) {
        let request = Request::Expand { string, ciphersuites };
        let line = request.encode();
        prop_assert!(!line.contains('\n'));
        prop_assert_eq!(Request::decode(&line).unwrap(), request);
        let answer = Answer::Suites { names };
        prop_assert_eq!(Answer::decode(&answer.encode()).unwrap(), answer);
    }

    #[test]
    fn an_answer_survives_the_line(slot in any::<u32>(), sample in sample(), proof in proof()) {
        let answer = Answer::Sampled { slot, sample, proof };
        prop_assert_eq!(Answer::decode(&answer.encode()).unwrap(), answer);
    }

    #[test]
    fn rubbish_is_an_error_and_never_a_panic(line in ".*") {
        let _ = Request::decode(&line);
        let _ = Answer::decode(&line);
    }
}

#[test]
fn messages_are_flat() {
    let hello = Hello { protocol: 1, family: "openssl".into(), ..Hello::default() };
    let usage = Usage { cpu_ns: Nanos(5), requests: 7, ..Usage::default() };
    for line in [
        Answer::Hello(Box::new(hello)).encode(),
        Answer::Usage { slot: 3, usage }.encode(),
        Answer::Sampled { slot: 3, sample: Sample::default(), proof: Proof::default() }.encode(),
    ] {
        let value: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert!(value.as_object().unwrap().values().all(|field| !field.is_object()), "{line}");
        Answer::decode(&line).unwrap();
    }
}

#[test]
fn what_protocol_1_says_of_a_batch_is_still_understood() {
    let line = r#"{"do":"run","slot":3,"iterations":8,"warmup":2}"#;
    let whole = Request::Run { slot: 3, iterations: 8, warmup: 2, part: 0, count: None };
    assert_eq!((Request::decode(line).unwrap(), whole.encode().as_str()), (whole, line));
    let line = r#"{"is":"sampled","slot":3,"iterations":8,"wall_ns":5,"cpu_ns":5,"bytes":0,"resumed":0,"handshakes":0,"early":0,"client_bytes":0,"server_bytes":0}"#;
    let sampled = Answer::decode(line).unwrap();
    assert_eq!(sampled.encode(), line);
    assert!(matches!(sampled, Answer::Sampled { sample, .. } if sample.parts.is_empty()));
}

#[test]
fn parts_are_whole_numbers() {
    let sampled = |parts: &str| {
        Answer::decode(&format!(
            r#"{{"is":"sampled","slot":3,"iterations":8,"wall_ns":5,"cpu_ns":5,"parts_ns":{parts}}}"#
        ))
    };
    let Answer::Sampled { sample, .. } = sampled("[3,2]").unwrap() else { panic!("another kind") };
    assert_eq!(sample.parts.whole, [Nanos(3), Nanos(2)]);
    for parts in ["[-1]", "[1.5]", r#"["1"]"#, "7", "[[1]]", "[18446744073709551616]"] {
        assert!(sampled(parts).is_err(), "{parts}");
    }
}

#[test]
fn a_case_with_a_field_missing_names_the_field() {
    let line = r#"{"do":"prepare","slot":1,"library":"x","kind":"primitive","op":"sign","algorithm":"rsa-2048","pattern":"tls"}"#;
    let error = Request::decode(line).unwrap_err().to_string();
    assert!(error.contains("'size'"), "{error}");
}

#[test]
fn a_server_that_is_wrong_is_not_taken_for_none() {
    let request = Request::decode(r#"{"do":"look","port":1}"#).unwrap_err().to_string();
    assert!(request.contains("address"), "{request}");
    let prepare = |more: &str| {
        let case =
            r#""library":"x","kind":"primitive","op":"sign","algorithm":"rsa-2048","pattern":"tls","size":1"#;
        Request::decode(&format!(r#"{{"do":"prepare","slot":1,{case}{more}}}"#))
    };
    prepare("").unwrap();
    prepare(r#","address":"127.0.0.1""#).unwrap();
    prepare(r#","address":5"#).unwrap_err();
}

#[test]
fn an_unknown_name_is_answered_with_the_known_ones() {
    let error = "x448".parse::<Group>().unwrap_err().to_string();
    assert!(error.contains("x448") && error.contains("X25519MLKEM768"), "{error}");
}

#[test]
fn ids_differ_where_cases_do() {
    let params = Params {
        version: Version::Tls13,
        suite: Suite::Aes128Gcm,
        group: Some(Group::X25519),
        key: Key::EcdsaP256,
    };
    let handshake = |resumption, mutual, chain| Case {
        library: Id::literal("openssl"),
        threads: 1,
        workload: Workload::Handshake(Handshake { resumption, mutual, chain, ..Handshake::usual(params) }),
    };
    let ids = [
        handshake(Resumption::Full, false, 2).id(),
        handshake(Resumption::Psk, false, 2).id(),
        handshake(Resumption::Full, true, 2).id(),
        handshake(Resumption::Full, false, 3).id(),
        Case { threads: 2, ..handshake(Resumption::Full, false, 2) }.id(),
    ];
    assert_eq!(ids[0], "openssl/handshake/TLSv1.3/TLS_AES_128_GCM_SHA256/X25519/ecdsa-p256/chain-2/full");
    assert_eq!(ids.iter().collect::<std::collections::HashSet<_>>().len(), ids.len());
}
