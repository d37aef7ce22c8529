//! What is written can be read again; what cannot is refused with the place and the remedy.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::path::{Path, PathBuf};

use tlstax_doc::{
    Batch, Counted, CountedBy, Journal, Library, LibraryKind, Measurement, Object, Outcome, RESULTS_VERSION,
    Receipt, Results, Slice, StoreError, StudyFacts, Tool, read_journal, read_results, write, write_results,
};
use tlstax_spec::{
    Algorithm, Bytes, Case, Cpu, Host, Id, Nanos, Op, Pattern, Primitive, Proof, Sample, Stage, Switch,
    Workload,
};

/// A folder that goes with its handle, and the path of a file in it.
fn place(file: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(file);
    (folder, path)
}

fn case(size: u32) -> Case {
    let primitive = Primitive { op: Op::Digest, algorithm: Algorithm::Sha256, size, pattern: Pattern::Tls };
    Case { library: Id::literal("mock"), threads: 1, workload: Workload::Primitive(primitive) }
}

fn ready(size: u32) -> Measurement {
    let proof = Proof { answer: Some("00ff".into()), ..Proof::default() };
    Measurement::new(case(size), Outcome::Measured { proof, batches: Vec::new() })
}

fn results() -> Results {
    Results {
        schema: RESULTS_VERSION,
        tool: Tool { name: "tlstax".into(), version: "0.0.0".into(), reference_kernels: 1 },
        started: "2026-01-01T00:00:00Z".into(),
        ended: String::new(),
        host: Host::default(),
        study: StudyFacts {
            name: Id::literal("test"),
            question: "?".into(),
            seed: 1,
            budget_s: 1.0,
            precision: tlstax_stats::HalfWidth(tlstax_stats::Ratio(0.01)),
            max_rounds: 200,
            rounds: 0,
            interrupted: false,
        },
        libraries: Vec::new(),
        slices: Vec::new(),
        counted: None,
        measurements: vec![ready(64), ready(128)],
        notes: Vec::new(),
    }
}

fn slice(round: u32) -> Slice {
    let (latency_ns, throughput_ns, steal_ns, throttled_ns) = (Nanos(100), Nanos(200), Nanos(0), Nanos(0));
    Slice { round, sitting: 1, at_ms: 5, latency_ns, throughput_ns, steal_ns, throttled_ns }
}

fn batch(slice: u32) -> Batch {
    let cpu = Cpu { total: Nanos(2_000_000), ..Cpu::default() };
    let sample =
        Sample { iterations: 10, wall: Nanos(2_000_100), cpu, bytes: Bytes(640), ..Sample::default() };
    Batch { slice, sample, observed: Some(Nanos(2_100_000)), observed_server: None }
}

/// Results with a batch between two readings.
fn measured() -> Results {
    let mut results = results();
    results.slices = vec![slice(1), slice(1)];
    results.measurements[0].outcome = Outcome::Measured { proof: Proof::default(), batches: vec![batch(0)] };
    results
}

#[test]
fn results_survive_the_file() {
    let (_folder, path) = place("deep/er/results.json");
    let mut results = measured();
    results.measurements[1].outcome =
        Outcome::Failed { stage: Stage::Run, message: "it died".into(), stderr: "tail".into() };
    write_results(&path, &results).unwrap();
    assert_eq!(read_results(&path).unwrap(), results);
    let left: Vec<_> = std::fs::read_dir(path.parent().unwrap()).unwrap().collect();
    assert_eq!(left.len(), 1, "a part was left behind");
}

#[test]
fn a_newer_major_is_refused_and_a_newer_minor_is_read() {
    let (_folder, path) = place("results.json");
    let mut json = serde_json::to_value(results()).unwrap();
    json["schema"]["minor"] = 99.into();
    json["something_new"] = "ignored".into();
    write(&path, json.to_string().as_bytes()).unwrap();
    assert_eq!(read_results(&path).unwrap().measurements.len(), 2);
    json["schema"]["major"] = 2.into();
    write(&path, json.to_string().as_bytes()).unwrap();
    let error = read_results(&path).unwrap_err();
    assert!(matches!(error, StoreError::Newer { .. }));
    assert!(error.to_string().contains("2.99"), "{error}");
}

#[test]
fn a_truncated_file_says_where_and_what_to_do() {
    let (_folder, path) = place("results.json");
    let whole = serde_json::to_string(&results()).unwrap();
    write(&path, &whole.as_bytes()[..whole.len() / 2]).unwrap();
    let error = read_results(&path).unwrap_err().to_string();
    assert!(error.contains("line 1 column") && error.contains("--resume"), "{error}");
    let error = read_results(Path::new("no/such/file.json")).unwrap_err().to_string();
    assert!(error.contains("no/such/file.json"), "{error}");
}

#[test]
fn a_file_that_cannot_be_replaced_is_left_as_it_was() {
    let (folder, path) = place("results.json");
    std::fs::create_dir(&path).unwrap();
    let error = write_results(&path, &results()).unwrap_err();
    assert!(matches!(error, StoreError::Write { .. }), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "a part was left behind");
}

#[test]
fn a_journal_that_was_cut_off_gives_back_all_whole_lines() {
    let (_folder, path) = place("run.journal");
    let mut journal = begun(&path);
    journal.batch(0, &batch(0)).unwrap();
    journal.batch(1, &batch(0)).unwrap();
    journal.slice(&slice(2)).unwrap();
    journal.done(1).unwrap();
    let hole = Outcome::Failed { stage: Stage::Run, message: "died".into(), stderr: String::new() };
    journal.hole(0, &hole).unwrap();
    journal.flush().unwrap();
    drop(journal);
    let mut text = std::fs::read_to_string(&path).unwrap();
    text.push_str(r#"{"batch":[1,{"slice":1,"iter"#);
    std::fs::write(&path, text).unwrap();

    let unfinished = read_journal(&path).unwrap();
    assert_eq!(unfinished.done, [1]);
    assert_eq!(unfinished.results.slices.len(), 2);
    assert_eq!(unfinished.results.measurements[1].batches(), [batch(0)]);
    assert_eq!(unfinished.results.measurements[0].outcome, hole);

    // Going on begins on a line of its own, so nothing that follows the cut is lost.
    let mut journal = Journal::resume(&path).unwrap();
    journal.batch(1, &batch(1)).unwrap();
    journal.flush().unwrap();
    assert_eq!(read_journal(&path).unwrap().results.measurements[1].batches().len(), 2);
    journal.remove().unwrap();
    assert!(!path.exists());
}

/// A new journal with its first reading.
fn begun(path: &Path) -> Journal {
    let mut journal = Journal::claim(path).unwrap();
    journal.begin(&results()).unwrap();
    journal.slice(&slice(1)).unwrap();
    journal
}

/// A journal with two batches, a damaged line after the first, and its path.
fn damaged_journal(folder: &Path, line: &str) -> PathBuf {
    let path = folder.join("run.journal");
    if path.exists() {
        std::fs::remove_file(&path).unwrap();
    }
    let mut journal = begun(&path);
    journal.flush().unwrap();
    drop(journal);
    let text = std::fs::read_to_string(&path).unwrap() + line + "\n";
    std::fs::write(&path, text).unwrap();
    let mut journal = Journal::resume(&path).unwrap();
    journal.slice(&slice(2)).unwrap();
    journal.flush().unwrap();
    path
}

#[test]
fn d38_garbage_in_the_middle_of_a_journal_is_refused_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    for garbage in ["rubbish", r#"{"batch":[1,{"slice":1,"iter"#, r#"{"nonesuch":1}"#] {
        let error = read_journal(&damaged_journal(folder.path(), garbage)).unwrap_err().to_string();
        for words in ["run.journal", "line 3", "start the study anew"] {
            assert!(error.contains(words), "{error}");
        }
    }
}

#[test]
fn d38_a_journal_that_has_lost_a_reading_is_refused() {
    let (_folder, path) = place("run.journal");
    let mut journal = begun(&path);
    journal.batch(1, &batch(0)).unwrap();
    journal.slice(&slice(2)).unwrap();
    journal.batch(1, &batch(1)).unwrap();
    journal.flush().unwrap();
    drop(journal);
    assert_eq!(read_journal(&path).unwrap().results.measurements[1].batches().len(), 2);
    let text = std::fs::read_to_string(&path).unwrap();
    let without_first: String =
        text.lines().enumerate().filter(|(at, _)| *at != 1).map(|(_, line)| format!("{line}\n")).collect();
    std::fs::write(&path, without_first).unwrap();
    let error = read_journal(&path).unwrap_err().to_string();
    assert!(error.contains("line 2") && error.contains("is missing"), "{error}");
}

#[test]
fn d33_there_was_no_major_before_the_first() {
    let (_folder, path) = place("results.json");
    write_results(&path, &results()).unwrap();
    let text = std::fs::read_to_string(&path).unwrap().replace("\"major\":1", "\"major\":0");
    std::fs::write(&path, text).unwrap();
    assert!(matches!(read_results(&path), Err(StoreError::Newer { .. })));
}

#[test]
fn d38_a_journal_of_a_newer_major_version_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = damaged_journal(folder.path(), "");
    assert!(read_journal(&path).is_ok(), "an empty line is no damage");
    let text = std::fs::read_to_string(&path).unwrap().replacen("\"major\":1", "\"major\":2", 1);
    std::fs::write(&path, text).unwrap();
    let error = read_journal(&path).unwrap_err();
    assert!(matches!(error, StoreError::Newer { .. }), "{error}");
}

#[test]
fn d09_receipts_name_the_same_files_in_any_order() {
    let object = |file: &str| Object { file: file.to_owned(), bytes: 1, xxh3: file.to_owned() };
    let [one, other] = ["libssl.so.3", "libc.so.6"].map(object);
    let (before, after) = ([one.clone(), other.clone()], [other.clone(), one.clone()]);
    assert_eq!(Receipt { objects: before.into() }, Receipt { objects: after.into() });
    assert_ne!(Receipt { objects: vec![one.clone()] }, Receipt { objects: vec![other.clone()] });
    assert_eq!(Receipt::of(vec![one, other]).objects[0].file, "libc.so.6");
}

#[test]
fn a_file_that_is_no_journal_is_refused() {
    let (_folder, path) = place("run.journal");
    for text in ["", "{}", r#"{"done":3}"#, "rubbish"] {
        std::fs::write(&path, text).unwrap();
        assert!(read_journal(&path).is_err(), "{text:?}");
    }
}

/// `TLSTAX_BLESS=1 cargo test -p tlstax-doc` writes the schema anew, after a change that its version allows.
#[test]
fn the_schema_in_the_tree_is_that_of_the_types() {
    let (name, text) = tlstax_doc::results_schema();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas").join(name);
    if std::env::var_os("TLSTAX_BLESS").is_some() {
        write(&path, text.as_bytes()).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == text, "{} differs from the types; see the comment of this test", path.display());
}

/// Documents of every version that was ever written stay readable.
#[test]
fn golden_documents_of_all_versions_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let current = folder.join(format!("results.v{RESULTS_VERSION}.json"));
    if std::env::var_os("TLSTAX_BLESS").is_some() && !current.exists() {
        let counted = Some(Counted {
            what: "instructions".to_owned(),
            by: CountedBy::Callgrind,
            version: Some("valgrind-3.19.0".to_owned()),
        });
        write_results(&current, &Results { libraries: variants(), counted, ..measured() }).unwrap();
    }
    let mut read = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        read_results(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        read += 1;
    }
    assert!(read > 0 && current.exists(), "a document of version {RESULTS_VERSION} must be among them");
    assert_eq!(read_results(&current).unwrap().libraries, variants());
}

/// A library with something switched off, and a server with another TLS library.
fn variants() -> Vec<Library> {
    let base = |id| Some(Id::literal(id));
    let off =
        Library { base: base("openssl"), without: vec![Switch::Aes], ..Library::new(Id::literal("off")) };
    let server =
        Library { kind: LibraryKind::Server, base: base("nginx"), ..Library::new(Id::literal("server")) };
    vec![off, Library { uses: base("openssl-3.6"), ..server }]
}

#[test]
fn a_document_of_1_2_states_what_its_libraries_are() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../report/tests/golden/servers.results.json");
    let results = read_results(&path).unwrap();
    assert_eq!((results.schema.major, results.schema.minor), (1, 2));
    let kinds = ["nginx", "apache", "lean", "ab"].map(|id| results.kind(id));
    let [server, client] = [LibraryKind::Server, LibraryKind::Client];
    assert_eq!(kinds, [server, server, client, client]);
}

#[test]
fn d16_no_link_that_lies_in_wait_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let victim = path("victim");
    std::fs::write(&victim, "untouched").unwrap();
    let foreseen = format!("results.json.{}.part", std::process::id());
    for name in [foreseen.as_str(), "run.journal", "other.json"] {
        std::os::unix::fs::symlink(&victim, path(name)).unwrap();
    }
    write_results(&path("results.json"), &results()).unwrap();
    // A link that has the name itself is replaced, and not what it names.
    write_results(&path("other.json"), &results()).unwrap();
    assert!(path("other.json").symlink_metadata().unwrap().is_file());
    for journal in [Journal::claim(&path("run.journal")), Journal::resume(&path("run.journal"))] {
        assert!(matches!(journal, Err(StoreError::Write { .. })), "{journal:?}");
    }
    assert_eq!(std::fs::read_to_string(&victim).unwrap(), "untouched");
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 5, "a part was left behind");
}

#[test]
fn d16_what_is_no_file_is_no_journal() {
    let folder = tempfile::tempdir().unwrap();
    for journal in [Journal::claim(folder.path()), Journal::claim(Path::new("/dev/null"))] {
        assert!(matches!(journal, Err(StoreError::Write { .. })), "{journal:?}");
    }
}

#[test]
fn d10_a_journal_has_one_writer() {
    let (_folder, path) = place("run.journal");
    let mut first = Journal::claim(&path).unwrap();
    let busy = |journal: Result<Journal, StoreError>| matches!(journal, Err(StoreError::Busy { .. }));
    assert!(busy(Journal::claim(&path)) && busy(Journal::resume(&path)));
    first.begin(&results()).unwrap();
    assert!(busy(Journal::claim(&path)) && busy(Journal::resume(&path)));
    drop(first);
    // What was begun stays, to be gone on with; a name that was not used is free.
    assert!(matches!(Journal::claim(&path), Err(StoreError::Unfinished { .. })));
    Journal::resume(&path).unwrap().remove().unwrap();
    drop(Journal::claim(&path).unwrap());
    assert!(!path.exists());
}

#[test]
fn d32_the_remedy_fits_the_error() {
    let said = |number| {
        let source = std::io::Error::from_raw_os_error(number);
        StoreError::Write { path: "results/x.json".into(), source }.to_string()
    };
    for (number, words) in [
        (rustix::io::Errno::NOSPC, "free some space"),
        (rustix::io::Errno::DQUOT, "free some space"),
        (rustix::io::Errno::ROFS, "nothing can be written there"),
        (rustix::io::Errno::ACCESS, "permission"),
        (rustix::io::Errno::PERM, "permission"),
        (rustix::io::Errno::NAMETOOLONG, "shorter"),
        (rustix::io::Errno::NOTDIR, "a part of the path is a file"),
        (rustix::io::Errno::ISDIR, "a folder has that name"),
        (rustix::io::Errno::IO, "name another place"),
    ] {
        let text = said(number.raw_os_error());
        assert!(text.contains(words) && text.contains("--output"), "{text}");
        assert_eq!(text.contains("free some space"), words == "free some space", "{text}");
    }
}
