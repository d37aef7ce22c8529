//! A study is refused with its place, or becomes cases that can exist, each once and not too many.
#![allow(clippy::unwrap_used)]

use std::collections::HashSet;
use std::path::Path;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use tlstax_libraries::{Home, LibraryPattern};
use tlstax_run::{Cast, Extent, Study, StudyError};
use tlstax_spec::{
    Algorithm, Case, Direction, Group, Id, Key, Op, Params, Pattern, Resumption, Side, Suite, Version,
    Workload,
};

static CONTROL: Id = Id::literal("control");

/// The libraries, all of them usable as clients, and nginx beside them.
fn cast<'a>(libraries: &'a [Id], control_row: Option<&'a Id>) -> Cast<'a> {
    Cast {
        libraries,
        servers: &[],
        control_row,
        is_peer: &|id| id == "nginx",
        usable: &|client| ["openssl", "rustls", "lean", "nginx"].contains(&client),
    }
}

fn two() -> [Id; 2] {
    [Id::literal("openssl"), Id::literal("rustls")]
}

fn cases(matrices: &str) -> Result<Vec<Case>, StudyError> {
    study(matrices)?.cases(&cast(&two(), Some(&CONTROL)))
}

fn study(matrices: &str) -> Result<Study, StudyError> {
    Study::parse(
        &format!("name = \"some-study\"\nquestion = \"?\"\n{matrices}"),
        "some-study.toml",
        Extent::Full,
    )
}

fn unique_ids(cases: &[Case]) -> HashSet<String> {
    let ids: HashSet<String> = cases.iter().map(Case::id).collect();
    assert_eq!(ids.len(), cases.len(), "two cases have one id");
    ids
}

fn numbers(from: &[u64]) -> String {
    from.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}

fn threads(number: u64) -> String {
    let numbers: Vec<u64> = (1..=number).collect();
    format!(
        "[[primitive]]\nalgorithms = [\"md5\"]\nsizes = [{0}]\nthreads = [{0}]\n",
        self::numbers(&numbers)
    )
}

const TLS13: &str = "versions = [\"TLSv1.3\"]\nsuites = [\"TLS_AES_128_GCM_SHA256\"]\ngroups = [\"X25519\"]\n\
                     keys = [\"ecdsa-p256\"]\n";

#[test]
fn every_declared_study_has_cases_with_ids_of_their_own() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let home = Home::find(Some(root)).unwrap();
    let names = Study::names(&home);
    // No study names these as its own servers.
    let asked = [Id::literal("one"), Id::literal("other")];
    assert!(names.iter().any(|name| name == "quick"), "{names:?}");
    for name in names {
        let study = Study::read(&home, &name, Extent::Full).unwrap();
        assert_eq!(study.name.as_str(), name, "a study goes by the name of its file");
        // A study whose matrices are about some libraries each is asked of those.
        let is_named = study.primitive.iter().any(|matrix| !matrix.libraries.is_empty());
        let named: Vec<Id> = study.libraries.iter().filter_map(LibraryPattern::id).cloned().collect();
        let libraries = if is_named { named.as_slice() } else { &asked };
        let cases = study.cases(&cast(libraries, Some(&CONTROL))).unwrap();
        unique_ids(&cases);
        for library in libraries {
            assert!(cases.iter().any(|case| case.library == *library), "{name} has nothing for {library}");
        }
        // Both libraries are asked the same.
        let of = |library: &str| cases.iter().filter(|case| case.library == library).count();
        assert_eq!(of("one"), of("other"), "{name}");
    }
}

#[test]
fn what_two_matrices_share_is_measured_once() {
    let matrix = |sizes| format!("[[primitive]]\nalgorithms = [\"sha256\"]\nsizes = {sizes}\n");
    let cases = cases(&(matrix("[64, 128, 64]") + &matrix("[128, 256]"))).unwrap();
    let of_openssl: Vec<String> =
        cases.iter().filter(|case| case.library == "openssl").map(Case::id).collect();
    let id = |size: u32| format!("openssl/primitive/sha256/digest/{size}");
    assert_eq!(of_openssl, [id(64), id(128), id(256)]);
    assert_eq!(cases.len(), 6);
}

#[test]
fn the_control_takes_part_where_there_are_connections_in_memory() {
    let matrices = ["handshake", "bulk", "idle", "load"].map(|kind| format!("[[{kind}]]\n{TLS13}"));
    let cases = cases(&(matrices.concat() + "[[primitive]]\nalgorithms = [\"md5\"]\n")).unwrap();
    let kinds: HashSet<&str> =
        cases.iter().filter(|case| case.library == "control").map(|case| case.workload.kind()).collect();
    assert_eq!(kinds, HashSet::from(["handshake", "bulk"]));
}

#[test]
fn what_is_compressed_is_of_versions_that_compress_and_not_of_the_control() {
    let bulk = |version: &str, more: &str| {
        cases(&format!(
            "[[bulk]]\nversions = [{version}]\nkeys = [\"ecdsa-p256\"]\ngroups = [\"X25519\"]\n\
             suites = [\"TLS_AES_128_GCM_SHA256\", \"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256\"]\n{more}"
        ))
    };
    let both = bulk(
        "\"TLSv1.2\", \"TLSv1.3\"",
        "compressions = [\"none\", \"deflate\"]\ncontents = [\"text\", \"zeros\"]\n",
    );
    let of = |cases: &[Case], library: &str| -> Vec<String> {
        let ids = cases.iter().filter(|case| case.library == library).map(Case::id);
        ids.map(|id| {
            id.split_once("/bulk/")
                .unwrap()
                .1
                .replace("/X25519/ecdsa-p256/download/record-16384/write-16384", "")
        })
        .collect()
    };
    let cases = both.unwrap();
    let old = "TLSv1.2/TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256/buffer-262144";
    let new = "TLSv1.3/TLS_AES_128_GCM_SHA256/buffer-262144";
    let with = |end: &str| format!("{old}{end}");
    assert_eq!(
        of(&cases, "openssl"),
        [with(""), with("/deflate/text"), with("/deflate/zeros"), new.to_owned()]
    );
    assert_eq!(of(&cases, "control"), [old, new]);
    for (more, words) in [
        ("compressions = [\"deflate\"]\n", "TLSv1.3 has no compression, and compressions names deflate"),
        ("contents = [\"random\"]\n", "contents matters to what is compressed only"),
    ] {
        let error = bulk("\"TLSv1.3\"", more).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn headers_are_none_or_as_long_as_their_line_at_least() {
    let of = |sizes: &str| cases(&format!("[[load]]\nplain = true\nresponse_headers = {sizes}\n"));
    let ids: Vec<String> = of("[0, 32, \"4k\"]").unwrap().iter().map(Case::id).take(3).collect();
    let id = |headers: &str| {
        format!("openssl/load/http/from-openssl/16-connections/keep-alive/body-1024{headers}")
    };
    assert_eq!(ids, [id(""), id("/headers-32"), id("/headers-4096")]);
    for size in ["31", "8193"] {
        let error = of(&format!("[{size}]")).unwrap_err().to_string();
        assert!(error.contains("response_headers") && error.contains("0 or from 32 to 8192"), "{error}");
    }
}

#[test]
fn a_client_that_is_not_there_is_replaced_by_the_servers_library() {
    let clients = |client: &str| -> Vec<(Id, Id)> {
        let cases = cases(&format!("[[load]]\nplain = true\nclient = \"{client}\"\n")).unwrap();
        let ends = cases.into_iter().filter_map(|case| match case.workload {
            Workload::Load(load) => Some((case.library, load.client)),
            _ => None,
        });
        ends.collect()
    };
    let pair = |server, client| (Id::literal(server), Id::literal(client));
    assert_eq!(clients("rustls"), [pair("openssl", "rustls"), pair("rustls", "rustls")]);
    assert_eq!(clients("absent"), [pair("openssl", "openssl"), pair("rustls", "rustls")]);
}

#[test]
fn a_mistake_is_refused_with_the_file_and_the_place() {
    for (matrices, words) in [
        (
            "[[primitive]]\nalgorithms = [\"md5\"]\nsizes = [0]\n",
            &["[[primitive]] sizes", "0 is out of range"][..],
        ),
        ("[[load]]\nplain = true\nbodies = [1099511627776]\n", &["[[load]] bodies"]),
        ("max_rounds = 0\n", &["max_rounds"]),
        ("precision = nan\n", &["precision"]),
        ("budget_s = inf\n", &["budget_s"]),
        ("colour = 1\n", &["line 3", "colour"]),
    ] {
        let error = study(matrices).unwrap_err().to_string();
        for word in [&["some-study.toml"], words].concat() {
            assert!(error.contains(word), "{error:?} does not say {word:?}");
        }
    }
    for (matrices, word) in [
        ("", "no matrix"),
        ("[[load]]\n", "[[load]]"),
        ("[[primitive]]\nalgorithms = []\n", "[[primitive]]"),
        ("[[primitive]]\nalgorithms = [\"md5\"]\nops = [\"sign\"]\n", "[[primitive]]"),
    ] {
        let error = cases(matrices).unwrap_err().to_string();
        assert!(error.contains("some-study") && error.contains(word), "{error}");
    }
}

#[test]
fn lists_that_multiply_beyond_measure_are_refused() {
    // 100 sizes on 100 numbers of threads are too many for two libraries, though not for one.
    assert!(study(&threads(100)).unwrap().cases(&cast(&two()[..1], None)).is_ok());
    assert!(study(&threads(101)).unwrap().cases(&cast(&two()[..1], None)).is_ok());
    let error = cases(&threads(101)).unwrap_err();
    assert!(matches!(error, StudyError::TooMany { what: "cases", found: 20_402, .. }), "{error}");

    // Far more are refused before they are made, and so are lists beside an empty one.
    let error = study(&threads(1024)).unwrap_err().to_string();
    assert!(error.contains("some-study.toml") && error.contains("1048576 combinations"), "{error}");
    let many = numbers(&[1; 5000]);
    let beside_nothing =
        format!("[[handshake]]\n{TLS13}resumptions = []\nchains = [{many}]\nthreads = [{many}]\n");
    assert!(study(&beside_nothing).is_err());
}

#[test]
fn every_handshake_that_the_vocabulary_allows_can_be_declared() {
    let names = |names: Vec<&str>| format!("{names:?}");
    let all = |version: &Version| {
        format!(
            "[[handshake]]\nversions = {}\nsuites = {}\ngroups = {}\nkeys = {}\nresumptions = {}\nchains = [1, 3]\n\
         mutual = [false, true]\n",
            names(vec![version.name()]),
            names(Suite::ALL.iter().map(|one| one.name()).collect()),
            names(Group::ALL.iter().map(|one| one.name()).collect()),
            names(Key::ALL.iter().map(|one| one.name()).collect()),
            names(Resumption::ALL.iter().map(|one| one.name()).collect()),
        )
    };
    let cases = |version| study(&all(version)).unwrap().cases(&cast(&two(), Some(&CONTROL))).unwrap();
    unique_ids(&Version::ALL.iter().flat_map(cases).collect::<Vec<_>>());
}

/// `key = [...]`, or nothing; the names are all of one vocabulary, unless one is nobody's.
fn names(key: &'static str, known: Vec<&'static str>) -> impl Strategy<Value = String> {
    let most = known.len().min(4);
    let mixed = (subsequence(known, 0..=most), prop::bool::weighted(0.02)).prop_map(|(mut names, wrong)| {
        names.extend(wrong.then_some("nobody's"));
        names
    });
    mixed.prop_map(move |names| format!("{key} = {names:?}\n"))
}

fn some_numbers(key: &'static str, good: std::ops::Range<u64>) -> impl Strategy<Value = String> {
    let any = prop_oneof![60 => good, 1 => any::<u32>().prop_map(u64::from)];
    prop::option::of(vec(any, 0..4)).prop_map(move |values| match values {
        Some(values) => format!("{key} = [{}]\n", numbers(&values)),
        None => String::new(),
    })
}

fn params() -> impl Strategy<Value = String> {
    (
        names("versions", Version::ALL.iter().map(|one| one.name()).collect()),
        names("suites", Suite::ALL.iter().map(|one| one.name()).collect()),
        names("groups", Group::ALL.iter().map(|one| one.name()).collect()),
        names("keys", Key::ALL.iter().map(|one| one.name()).collect()),
    )
        .prop_map(|(versions, suites, groups, keys)| versions + &suites + &groups + &keys)
}

fn matrix() -> impl Strategy<Value = String> {
    let resumptions = || names("resumptions", Resumption::ALL.iter().map(|one| one.name()).collect());
    let algorithms = Algorithm::ALL.iter().map(|one| one.name()).collect();
    prop_oneof![
        (
            names("algorithms", algorithms),
            names("ops", Op::ALL.iter().map(|one| one.name()).collect()),
            names("patterns", Pattern::ALL.iter().map(|one| one.name()).collect()),
            some_numbers("sizes", 1..70_000),
            some_numbers("threads", 1..9),
        )
            .prop_map(|(a, b, c, d, e)| format!("[[primitive]]\n{a}{b}{c}{d}{e}")),
        (params(), resumptions(), some_numbers("chains", 1..4), some_numbers("threads", 1..9))
            .prop_map(|(a, b, c, d)| format!("[[handshake]]\n{a}{b}{c}{d}")),
        (
            params(),
            names("directions", Direction::ALL.iter().map(|one| one.name()).collect()),
            some_numbers("records", 512..16385),
            some_numbers("buffers", 1..70_000),
        )
            .prop_map(|(a, b, c, d)| format!("[[bulk]]\n{a}{b}{c}{d}")),
        (
            params(),
            names("sides", Side::ALL.iter().map(|one| one.name()).collect()),
            some_numbers("connections", 1..1000)
        )
            .prop_map(|(a, b, c)| format!("[[idle]]\n{a}{b}{c}")),
        (
            params(),
            resumptions(),
            select(&["", "plain = true\n", "client = \"rustls\"\n", "client = \"absent\"\n"][..]),
            some_numbers("connections", 1..1000),
            some_numbers("requests_per_connection", 0..4),
            some_numbers("bodies", 0..4),
        )
            .prop_map(|(a, b, c, d, e, f)| format!("[[load]]\n{a}{b}{c}{d}{e}{f}")),
    ]
}

proptest! {
    #[test]
    fn a_study_is_refused_by_name_or_has_cases_that_can_exist(matrices in vec(matrix(), 0..4)) {
        match cases(&matrices.concat()) {
            Err(error) => prop_assert!(error.to_string().contains("some-study"), "{}", error),
            Ok(cases) => {
                unique_ids(&cases);
                let params: Vec<Params> = cases.iter().filter_map(|case| case.workload.params()).collect();
                prop_assert!(params.iter().all(Params::is_coherent), "{:?}", params);
                for case in &cases {
                    match &case.workload {
                        Workload::Primitive(one) => prop_assert!(one.algorithm.ops().contains(&one.op)),
                        Workload::Handshake(one) => prop_assert!(one.resumption.fits(one.params.version)),
                        Workload::Load(one) => prop_assert!(one.client != "absent"),
                        Workload::Bulk(_) | Workload::Idle(_) => {}
                    }
                }
            }
        }
    }

    #[test]
    fn rubbish_is_refused_with_the_file(text in ".*") {
        let error = Study::parse(&text, "some-study.toml", Extent::Full).unwrap_err().to_string();
        prop_assert!(error.contains("some-study.toml"), "{}", error);
    }
}

#[test]
fn a_matrix_may_name_its_servers() {
    let servers = |named: &[Id]| {
        let text = "[[load]]\nplain = true\nservers = [\"nginx\", \"openssl\"]\n";
        let cases = study(text).unwrap().cases(&Cast { servers: named, ..cast(&two(), None) }).unwrap();
        cases
            .into_iter()
            .map(|case| match case.workload {
                Workload::Load(load) => format!("{} from {}", case.library, load.client),
                _ => unreachable!("there are loads only"),
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(servers(&[]), ["nginx from lean", "openssl from openssl"]);
    assert_eq!(servers(&[Id::literal("nginx")]), ["nginx from lean", "openssl from openssl"]);
}

#[test]
fn real_servers_alone_have_nothing_to_do_with_primitives() {
    let named = [Id::literal("nginx")];
    let study = study("[[primitive]]\nalgorithms = [\"sha256\"]\n").unwrap();
    let error = study.cases(&Cast { servers: &named, libraries: &[], ..cast(&[], None) }).unwrap_err();
    assert!(error.to_string().contains("nothing for nginx"), "{error}");
}

#[test]
fn the_quick_form_leaves_out_and_replaces() {
    let text = "name = \"some\"\nquestion = \"?\"\nbudget_s = 600\n\
                [[load]]\nplain = true\nbodies = [1, 2, 3]\nquick = { bodies = [2] }\n\
                [[load]]\nplain = true\nbodies = [9]\nquick = false\n";
    let count = |extent| {
        let study = Study::parse(text, "some.toml", extent).unwrap();
        (study.cases(&cast(&two()[..1], None)).unwrap().len(), study.budget_s)
    };
    assert_eq!(count(Extent::Full), (4, 600.0));
    assert_eq!(count(Extent::Quick), (1, 120.0));
}

#[test]
fn variables_that_change_nothing_make_no_case() {
    let count = |matrix: &str| {
        let text = format!(
            "[[load]]\nplain = true\nversions = [\"TLSv1.3\"]\nsuites = [\"TLS_AES_128_GCM_SHA256\"]\n\
                            groups = [\"X25519\"]\nkeys = [\"ecdsa-p256\"]\n{matrix}\n"
        );
        study(&text).unwrap().cases(&cast(&two()[..1], None)).unwrap().len()
    };
    // Only plain HTTP has sendfile to do without; only HTTPS has records, and only what resumes has a share of it.
    assert_eq!(count("sendfile = [true, false]"), 3);
    assert_eq!(count("tls_buffers = [0, 4096]"), 3);
    assert_eq!(count("resumptions = [\"full\", \"psk\"]\nresumed_percent = [100, 80]"), 4);
    assert_eq!(count("resumptions = [\"full\", \"psk\"]\nsessions = [\"shared\", \"per-worker\"]"), 4);
}

#[test]
fn a_matrix_may_be_about_some_of_the_libraries() {
    let of = |matrix: &str| {
        let text = format!("[[primitive]]\nalgorithms = [\"md5\"]\nsizes = [16]\n{matrix}");
        cases(&text).map(|cases| cases.iter().map(|case| case.library.to_string()).collect::<Vec<_>>())
    };
    assert_eq!(of("").unwrap(), ["openssl", "rustls"]);
    assert_eq!(of("libraries = [\"rustls\", \"gnutls\"]").unwrap(), ["rustls"]);
    let nobody = of("libraries = \"gnutls\"").unwrap_err();
    assert!(matches!(nobody, StudyError::OnlyOthers(_)), "{nobody}");

    let handshake = "[[handshake]]\nversions = [\"1.3\"]\nsuites = [\"TLS_AES_128_GCM_SHA256\"]\ngroups = [\"X25519\"]\nkeys = [\"ecdsa\"]\n";
    let libraries = |matrix: &str| {
        cases(&format!("{handshake}{matrix}"))
            .map(|cases| cases.iter().map(|case| case.library.to_string()).collect::<Vec<_>>())
    };
    assert_eq!(libraries("libraries = [\"rustls\"]").unwrap(), ["rustls", "control"]);
    let alone = libraries("libraries = [\"gnutls\"]").unwrap_err();
    assert!(matches!(alone, StudyError::OnlyOthers(_)), "the control row alone measures nothing: {alone}");
}

#[test]
fn a_study_of_single_cases_has_these_and_no_others() {
    let wanted = cases("[[primitive]]\nalgorithms = [\"md5\"]\nsizes = [16, 1024]\n").unwrap();
    let study = Study::of(Id::literal("claims"), "?", wanted[1..3].to_vec());
    assert_eq!(study.cases(&cast(&two(), Some(&CONTROL))).unwrap(), wanted[1..3]);
    let named: Vec<_> = study.servers().map(Id::as_str).collect();
    assert_eq!(named, wanted[1..3].iter().map(|case| case.library.as_str()).collect::<Vec<_>>());
}
