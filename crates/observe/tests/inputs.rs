//! Golden inputs, made by programs that are not ours: tests/inputs/README.md says of each how, and why it is there.
#![allow(clippy::unwrap_used)]

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use tlstax_doc::{Profile, Tool, Unit};
use tlstax_observe::{Classifier, Collector, Format, Input, SourceError, Surroundings, read};

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/inputs").join(name)
}

static CLASSIFIER: LazyLock<Classifier> = LazyLock::new(Classifier::built_in);

fn profile_of(input: Input<'_>) -> Result<Profile, SourceError> {
    let mut collector = Collector::new(&CLASSIFIER);
    let facts = read(input, &mut collector)?;
    let tool = Tool { name: "tlstax".to_owned(), version: "0.0.0".to_owned(), reference_kernels: 0 };
    Ok(collector.finish(facts, Surroundings::default(), tool))
}

fn profile(name: &str) -> Profile {
    profile_of(Input::file(name, File::open(path(name)).unwrap())).unwrap()
}

/// What every import has to get right: how many samples, of which weight altogether, by which event.
fn assert_sums(profile: &Profile, samples: u64, weight: u64, unit: Unit, event: Option<&str>) {
    let [capture] = &profile.captures[..] else { panic!("{} captures", profile.captures.len()) };
    assert_eq!(capture.processes.iter().map(|process| process.samples).sum::<u64>(), samples);
    assert_eq!(capture.spans.iter().map(|span| span.samples).sum::<u64>(), samples);
    assert_eq!(profile.stacks.iter().map(|stack| stack.weight).sum::<u64>(), weight);
    assert_eq!((profile.unit, capture.origin.event.as_deref()), (unit, event));
}

fn names(profile: &Profile) -> Vec<&str> {
    profile.captures[0].processes.iter().map(|process| process.name.as_str()).collect()
}

fn notes(profile: &Profile) -> Vec<&str> {
    profile.captures[0].notes.iter().map(|note| note.what.as_str()).collect()
}

/// The frames of a profile as `module function`.
fn frames(profile: &Profile) -> Vec<String> {
    let shown =
        |frame: &tlstax_doc::Frame| format!("{} {}", frame.module.as_deref().unwrap_or("-"), frame.function);
    profile.frames.iter().map(shown).collect()
}

/// The stack with most weight, the outermost frame first.
fn heaviest(profile: &Profile) -> Vec<String> {
    let stack = profile.stacks.iter().max_by_key(|stack| stack.weight).unwrap();
    let all = frames(profile);
    stack.frames.iter().map(|index| all[*index as usize].clone()).collect()
}

#[test]
fn perf_script_is_the_same_whichever_fields_were_printed() {
    let with_thread = profile("perf-script-frame-pointers.txt");
    assert_sums(&with_thread, 38, 38 * 10_309_278, Unit::Nanoseconds, Some("cpu-clock"));
    assert_eq!((names(&with_thread), notes(&with_thread)), (vec!["openssl"], vec![]));
    let with_process = profile("perf-script-pid-ns.txt");
    assert_eq!((&with_process.frames, &with_process.stacks), (&with_thread.frames, &with_thread.stacks));
    let duration = |profile: &Profile| profile.captures[0].duration_ns.unwrap();
    assert!(duration(&with_thread).abs_diff(duration(&with_process)) < 2000, "microseconds, and nanoseconds");
    let bare = profile("perf-script-bare.txt");
    assert_sums(&bare, 38, 38, Unit::Samples, None);
    assert_eq!(frames(&bare), ["- ?", "- CRYPTO_gcm128_encrypt"]);
}

#[test]
fn perf_script_keeps_places_of_what_has_no_name_and_the_file_of_what_was_inlined() {
    let dwarf = profile("perf-script-dwarf.txt");
    assert_sums(&dwarf, 12, 12 * 34_482_758, Unit::Nanoseconds, Some("cpu-clock"));
    let all = frames(&dwarf);
    for frame in
        ["libcrypto.so.3 EVP_EncryptUpdate", "libcrypto.so.3 +0x24259c", "libc.so.6 __libc_start_call_main"]
    {
        assert!(all.iter().any(|one| one == frame), "{frame} is not in {all:#?}");
    }
    // perf calls the last frame but one inlined, without the function that it would be in.
    assert!(all.iter().any(|one| one == "- __libc_start_main_impl"), "{all:#?}");
    assert_eq!(heaviest(&dwarf)[0], "openssl +0x424b0");
}

#[test]
fn perf_script_without_stacks_has_one_frame_each() {
    let profile = profile("perf-script-no-stack.txt");
    assert_sums(&profile, 40, 40 * 10_309_278, Unit::Nanoseconds, Some("cpu-clock"));
    assert!(profile.stacks.iter().all(|stack| stack.frames.len() == 1), "{:?}", profile.stacks);
    assert!(frames(&profile).contains(&"libcrypto.so.3 ?".to_owned()), "{:?}", frames(&profile));
}

#[test]
fn of_several_events_that_of_cpu_time_is_read_and_the_others_are_told() {
    let profile = profile("perf-script-two-events.txt");
    assert_sums(&profile, 46, 46 * 10_309_278, Unit::Nanoseconds, Some("cpu-clock"));
    assert_eq!(
        notes(&profile),
        ["samples of cpu-clock were read, those of other events left out: 6 of page-faults"]
    );
}

#[test]
fn java_is_known_by_the_map_that_the_jvm_has_written() {
    let profile = profile("perf-script-java.txt");
    assert_sums(&profile, 44, 44 * 20_408_163, Unit::Nanoseconds, Some("cpu-clock"));
    assert_eq!(names(&profile), ["C1 CompilerThre", "C2 CompilerThre", "java"]);
    let all = frames(&profile);
    let is_there = |wanted: &str| all.iter().any(|frame| frame.starts_with(wanted));
    assert!(is_there("[jit] Interpreter") && is_there("libjvm.so JavaCalls::call_helper"), "{all:#?}");
    assert!(
        all.iter().any(|frame| frame.starts_with("[jit] ") && frame.contains("com.sun.crypto.provider")),
        "{all:#?}"
    );
}

#[test]
fn folded_stacks_name_their_processes() {
    let by_name = profile("stackcollapse.txt");
    assert_sums(&by_name, 52, 52, Unit::Samples, None);
    assert_eq!(names(&by_name), ["openssl"]);
    let by_number = profile("stackcollapse-pid.txt");
    assert_sums(&by_number, 52, 52, Unit::Samples, None);
    assert_eq!(names(&by_number), ["openssl"]);
    assert!(frames(&by_number).contains(&"[kernel] elf_load".to_owned()));
    assert!(frames(&by_name).contains(&"- elf_load".to_owned()), "it has no mark for the kernel");
}

#[test]
fn pprof_of_go_is_cpu_time_with_its_functions() {
    let profile = profile("go-cpu.pb.gz");
    // `go tool pprof -top` says 390 ms of 10 ms each.
    assert_sums(&profile, 39, 390_000_000, Unit::Nanoseconds, Some("cpu"));
    let capture = &profile.captures[0];
    assert_eq!(capture.started.as_deref(), Some("2026-11-22T18:39:37Z"));
    assert_eq!((capture.origin.hertz, capture.duration_ns.unwrap() / 1_000_000_000), (Some(100.0), 1));
    assert_eq!(names(&profile), ["app"]);
    let all = frames(&profile);
    for frame in
        ["app crypto/ecdsa.SignASN1", "app crypto/internal/fips140/sha256.blockSHANI", "app main.main"]
    {
        assert!(all.iter().any(|one| one == frame), "{frame} is not in {all:#?}");
    }
    assert_eq!(heaviest(&profile)[0], "app runtime.main");
}

#[test]
fn a_profile_of_firefox_has_cpu_time_and_places_of_what_has_no_name() {
    let profile = profile("firefox.json");
    // Of ten samples two have no CPU time, the others a millisecond each.
    assert_sums(&profile, 8, 8_000_000, Unit::Nanoseconds, None);
    assert_eq!(heaviest(&profile), ["libssl.so.3 SSL_write", "libcrypto.so.3 +0xabc"]);
    assert_eq!(names(&profile), ["nginx"]);
    assert_eq!(notes(&profile), ["1 frames have an address and no function"]);
    let capture = &profile.captures[0];
    assert_eq!(capture.started.as_deref(), Some("2026-11-22T08:00:00Z"));
    assert_eq!((capture.origin.hertz, capture.duration_ns), (Some(1000.0), Some(9_000_000)));
}

#[test]
fn a_profile_of_firefox_may_have_its_tables_with_the_threads_or_beside_them() {
    let text = std::fs::read(path("firefox.json")).unwrap();
    let mut document: serde_json::Value = serde_json::from_slice(&text).unwrap();
    let thread = document["threads"][0].as_object_mut().unwrap();
    let tables = ["stackTable", "frameTable", "funcTable", "resourceTable", "stringArray"];
    let shared: serde_json::Map<_, _> =
        tables.iter().map(|name| ((*name).to_owned(), thread.remove(*name).unwrap())).collect();
    document["shared"] = shared.into();
    let text = document.to_string();
    let shared = profile_of(Input::stream("firefox.json", text.as_bytes())).unwrap();
    assert_eq!(shared, profile("firefox.json"));
}

/// What frames are called depends on the files of the machine that reads a recording, so they are not asked for here.
#[test]
fn recordings_of_perf_have_the_samples_that_perf_says() {
    let cases = [
        ("perf-frame-pointers.data", 38, 10_309_278, 97.0, "frame pointers"),
        ("perf-no-stack.data", 40, 10_309_278, 97.0, "none"),
        ("perf-dwarf.data", 12, 34_482_758, 29.0, "eh_frame"),
        ("perf-zstd.data", 40, 10_309_278, 97.0, "eh_frame"),
        ("perf-two-events.data", 46, 10_309_278, 97.0, "frame pointers"),
        ("perf-pipe.data", 39, 10_309_278, 97.0, "frame pointers"),
    ];
    for (name, samples, period, hertz, stacks) in cases {
        let profile = profile(name);
        assert_sums(&profile, samples, samples * period, Unit::Nanoseconds, Some("cpu-clock"));
        let capture = &profile.captures[0];
        assert_eq!((capture.origin.format.as_str(), capture.cpus), ("perf.data", Some(2)), "{name}");
        assert_eq!(
            (capture.origin.hertz, capture.origin.stacks.as_deref()),
            (Some(hertz), Some(stacks)),
            "{name}"
        );
        assert_eq!(names(&profile), ["openssl"], "{name}");
        let second = capture.duration_ns.unwrap() / 100_000_000;
        assert!((7..=11).contains(&second), "{name}: {second} tenths of a second");
        assert!(notes(&profile).iter().all(|note| !note.contains("cut")), "{name}: {:?}", notes(&profile));
        assert!(
            !serde_json::to_string(&profile).unwrap().contains("example"),
            "{name}: the name of the host"
        );
    }
}

#[test]
fn the_samples_of_a_recording_are_those_that_perf_prints() {
    let (recording, text) = (profile("perf-frame-pointers.data"), profile("perf-script-pid-ns.txt"));
    let [recording, text] = [&recording.captures[0], &text.captures[0]];
    assert_eq!(recording.duration_ns, text.duration_ns);
    assert_eq!(recording.processes, text.processes);
    let spans =
        |spans: &[tlstax_doc::Span]| spans.iter().map(|span| (span.at_ns, span.samples)).collect::<Vec<_>>();
    assert_eq!(spans(&recording.spans), spans(&text.spans));
}

/// A recording that was cut anywhere gives what stands before that, and never fails otherwise than in words.
#[test]
fn a_recording_that_was_cut_gives_what_is_there() {
    for name in ["perf-frame-pointers.data", "perf-dwarf.data", "perf-zstd.data", "perf-pipe.data"] {
        // The files that it names are not there, so that none is looked into time and again.
        let whole = std::fs::read(path(name)).unwrap();
        let text: String = whole.iter().map(|byte| char::from(*byte)).collect();
        let whole: Vec<u8> = text.replace("/usr/", "/nil/").chars().map(|letter| letter as u8).collect();
        let mut most = 0;
        for length in (0..whole.len()).step_by(whole.len() / 15) {
            match profile_of(Input::file(name, std::io::Cursor::new(&whole[..length]))) {
                Ok(profile) => {
                    let samples: u64 =
                        profile.captures[0].processes.iter().map(|process| process.samples).sum();
                    assert!(samples >= most, "{name}: {length} bytes have fewer samples than fewer bytes");
                    most = samples;
                    let is_told = |note: &&str| note.contains("cut") || note.contains("ends before");
                    // What stands last says more of the CPU than is read; a pipe does not say how long it is.
                    let has_all = profile.captures[0].cpus.is_some();
                    assert!(notes(&profile).iter().any(is_told) || has_all, "{name}: {length}");
                }
                Err(error) => assert!(error.to_string().starts_with(name), "{error}"),
            }
        }
        assert!(most >= 11, "{name}: {most} samples");
    }
}

#[test]
fn a_file_of_perf_can_come_through_a_pipe() {
    let stream = File::open(path("perf-two-events.data")).unwrap();
    let profile = profile_of(Input::stream("-", stream)).unwrap();
    assert_sums(&profile, 46, 46 * 10_309_278, Unit::Nanoseconds, Some("cpu-clock"));
    assert!(
        notes(&profile).iter().any(|note| note.contains("too late through a pipe")),
        "{:?}",
        notes(&profile)
    );
}

#[test]
fn what_is_of_no_format_says_what_can_be_given() {
    let error =
        |name: &str, bytes: &'static [u8]| profile_of(Input::stream(name, bytes)).unwrap_err().to_string();
    let text = error("notes.txt", b"hello world\n");
    assert!(
        text.starts_with("notes.txt is no profile that can be read: ") && text.contains("folded"),
        "{text}"
    );
    assert_eq!(
        error("none", b""),
        "none has no samples: it is empty: see whether what wrote it has ended well"
    );
    let text = error("page.json", br#"{"nodes": []}"#);
    assert!(text.starts_with("page.json is no firefox that can be read: missing field `meta`"), "{text}");
    let text = error("heap.gz", b"\x1f\x8b\x08\x00rubbish");
    assert!(text.starts_with("cannot read heap.gz: "), "{text}");
}

#[test]
fn a_format_can_be_named_where_it_cannot_be_known() {
    let input = || Input::stream("stdin", &b"# nothing but a remark\n"[..]);
    assert!(matches!(profile_of(input()), Err(SourceError::Format { .. })));
    assert!(matches!(profile_of(input().of(Format::Folded)), Err(SourceError::Empty { .. })));
    assert_eq!("perf-script".parse(), Ok(Format::PerfScript));
    assert!("svg".parse::<Format>().unwrap_err().contains("perf.data"));
}
