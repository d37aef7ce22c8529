//! Inputs of `tlstax traffic` that are cut, mixed, hostile or no logs at all: nothing panics, bad lines are counted, and nothing
//! personal and no control character gets out.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::run::Run;
use crate::stage::{Stage, allow};

/// Stands in every field that is somebody's.
const PLANTED: &str = "pl4nted";
const ADDRESS: &str = "203.0.113.199";

/// The format of the lines below, as nginx has it.
const CONFIGURATION: &str = "http { log_format it '$remote_addr - $remote_user [$time_local] \"$request\" $status $body_bytes_sent \
     \"$http_referer\" \"$http_user_agent\" $connection_requests $ssl_protocol $ssl_cipher $ssl_session_reused'; \
     access_log access.log it; }\n";

fn good() -> String {
    of_nginx("22/Nov/2026:21:52:02 +0000", "1024", "TLSv1.3 TLS_AES_128_GCM_SHA256 .")
}

fn of_nginx(time: &str, bytes: &str, tls: &str) -> String {
    format!(
        "{ADDRESS} - {PLANTED} [{time}] \"GET /{PLANTED}?c={PLANTED} HTTP/1.1\" 200 {bytes} \"https://{PLANTED}.example/\" \
         \"{PLANTED}/1.0\" 1 {tls}\n"
    )
}

fn of_caddy() -> String {
    format!(
        "{{\"level\":\"info\",\"ts\":1795384483.7,\"logger\":\"http.log.access\",\"msg\":\"handled request\",\"request\":{{\
         \"remote_ip\":\"{ADDRESS}\",\"remote_port\":\"38246\",\"proto\":\"HTTP/1.1\",\"method\":\"GET\",\
         \"host\":\"{PLANTED}.example\",\"uri\":\"/{PLANTED}\",\"headers\":{{\"Cookie\":[\"{PLANTED}\"]}},\"tls\":{{\
         \"resumed\":false,\"version\":772,\"cipher_suite\":4865,\"proto\":\"\",\"server_name\":\"{PLANTED}.example\"}}}},\
         \"user_id\":\"{PLANTED}\",\"duration\":0.02,\"size\":1024,\"status\":200,\"resp_headers\":{{}}}}\n"
    )
}

/// A name, and what is in it.
fn bad_lines() -> Vec<(&'static str, Vec<u8>)> {
    let good = good();
    let text = |text: String| text.into_bytes();
    vec![
        ("cut", text(good[..good.len() / 2].to_owned() + "\n")),
        ("cut-in-request", text(good[..60].to_owned() + "\n")),
        ("prose", text(format!("it was {PLANTED}, the best of times\n"))),
        ("nul", text(good.replacen("GET", "G\0T", 1))),
        ("escape", text(good.replacen("GET", "\x1b]0;pl4nted\x07\x1b[31mGET", 1))),
        ("unclosed", text(good.replacen("HTTP/1.1\"", "HTTP/1.1", 1))),
        ("backslash", text(good.replacen("HTTP/1.1\"", "HTTP/1.1\\", 1))),
        ("time", text(of_nginx("31/Feb/2026:25:61:61 +0000", "1", "TLSv1.3 TLS_AES_128_GCM_SHA256 ."))),
        ("time-planted", text(of_nginx(PLANTED, "1", "TLSv1.3 TLS_AES_128_GCM_SHA256 ."))),
        ("number", text(of_nginx("22/Nov/2026:21:52:02 +0000", PLANTED, "TLSv1.3 TLS_AES_128_GCM_SHA256 ."))),
        ("huge-number", text(of_nginx("22/Nov/2026:21:52:02 +0000", &"9".repeat(40), "- - ."))),
        ("negative", text(of_nginx("22/Nov/2026:21:52:02 +0000", "-1", "- - ."))),
        ("other-suite", text(of_nginx("22/Nov/2026:21:52:02 +0000", "5", "TLSpl4nted TLS_pl4nted pl4nted"))),
        ("long", text(good.replacen("GET", &"x".repeat(1 << 20), 1))),
        ("longer", text(good.replacen("GET", &"x".repeat(5 << 20), 1))),
        ("no-utf-8", [good.as_bytes(), b"\xff\xfe\xf0\x9f\n"].concat()),
        ("caddy", text(of_caddy())),
        ("caddy-cut", text(of_caddy()[..200].to_owned() + "\n")),
        ("json", text(format!("{{\"{PLANTED}\":\"{PLANTED}\"}}\n"))),
        ("nested", text("[".repeat(100_000) + "\n")),
        ("empty-lines", text("\n\r\n \n".to_owned())),
    ]
}

/// That a run ended without a panic, and that nothing personal is in what it said and wrote.
#[track_caller]
fn keeps_quiet(stage: &Stage, run: &Run, written: &str) {
    assert!([0, 2, 3].contains(&run.code) && !run.stderr.contains("panicked"), "{run}");
    for text in [&run.stdout, &run.stderr] {
        is_clean(text, &run.to_string());
    }
    for end in ["json", "html"] {
        let name = format!("{written}.{end}");
        if stage.has(&name) {
            is_clean(&stage.read(&name), &name);
        }
    }
}

#[track_caller]
fn is_clean(text: &str, of: &str) {
    for planted in [PLANTED, ADDRESS] {
        assert!(!text.contains(planted), "{planted} in {of}");
    }
    assert!(!text.contains(['\x1b', '\x07', '\0']), "a control character in {of}");
}

fn stage() -> Stage {
    let stage = Stage::with(&[]);
    stage.write("nginx.conf", CONFIGURATION);
    stage
}

fn counted(stage: &Stage) -> Value {
    serde_json::from_str(&stage.read("out.json")).unwrap()
}

#[test]
fn nothing_personal_gets_out_of_lines_that_cannot_be_read() {
    let stage = stage();
    for (name, bad) in bad_lines() {
        // With good lines around it, and alone.
        let among = [good().repeat(30).as_bytes(), &bad, good().repeat(30).as_bytes()].concat();
        for (contents, format) in [
            (&among, "--format nginx:nginx.conf"),
            (&among, ""),
            (&bad, "--format nginx:nginx.conf"),
            (&bad, ""),
        ] {
            stage.write("access.log", contents);
            let run = stage.run(&format!("traffic access.log {format} -o out.json"));
            keeps_quiet(&stage, &run, "out");
            assert!(format.is_empty() || contents == &bad || run.code == 0, "{name}: {run}");
        }
    }
}

#[test]
fn bad_lines_are_counted_and_good_ones_with_them() {
    let stage = stage();
    for (name, bad) in bad_lines().into_iter().filter(|(name, _)| *name != "empty-lines") {
        stage
            .write("access.log", [good().repeat(30).as_bytes(), &bad, good().repeat(30).as_bytes()].concat());
        stage.run("traffic access.log --format nginx:nginx.conf -q -o out.json").ends(0);
        let workload = counted(&stage);
        let source = &workload["sources"][0];
        let sum = |field: &str| -> u64 {
            let counts = source[field].as_object();
            counts.into_iter().flatten().map(|(_, count)| count.as_u64().unwrap()).sum()
        };
        let shares = workload["shares"].as_array().unwrap();
        let requests: u64 = shares.iter().map(|share| share["requests"].as_u64().unwrap()).sum();
        let lines = bad.split_inclusive(|byte| *byte == b'\n').count() as u64;
        assert_eq!(source["entries"], 60 + lines, "{name}: {source}");
        assert_eq!(requests + sum("bad") + sum("passed_over"), 60 + lines, "{name}: {workload}");
        assert!(requests >= 60, "{name}: {workload}");
    }
}

#[test]
fn bad_lines_are_shown_where_they_are_asked_for_and_never_with_control_characters() {
    let stage = stage();
    stage.write("access.log", good().repeat(30) + &format!("\x1b[31m{PLANTED}\x07\0\n"));
    let run = stage.run("traffic access.log --format nginx:nginx.conf --show-bad -o out.json").ends(0);
    assert!((run.stdout.clone() + &run.stderr).contains(PLANTED), "{run}");
    assert!(!(run.stdout.clone() + &run.stderr).contains(['\x1b', '\x07', '\0']), "{run}");
    is_clean(&stage.read("out.json"), "out.json");
}

#[test]
fn more_than_a_tenth_of_bad_lines_is_the_first_thing_that_is_said() {
    let stage = stage();
    stage.write("access.log", good().repeat(8) + "nonsense\nnonsense\n");
    let run = stage.run("traffic access.log --format nginx:nginx.conf -o out.json").ends(0);
    let first = run.stdout.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().to_owned();
    assert!((first + &run.stderr).contains("20"), "{run}");
}

#[test]
fn what_is_no_log_is_refused_with_what_to_do() {
    let stage = stage();
    stage.write("empty", "");
    stage.write(
        "noise",
        (0..40_000u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect::<Vec<_>>(),
    );
    stage.write("secret", good());
    fs::create_dir(stage.path("folder")).unwrap();
    for (input, words) in
        [("missing", "missing"), ("folder", "folder"), ("noise", "noise"), ("/dev/zero", "/dev/zero")]
    {
        let run = stage.run(&format!("traffic {input} -q -o out.json"));
        assert!(run.code == 2 || run.code == 3, "{run}");
        keeps_quiet(&stage, &run, "out");
        run.says([words]);
        assert!(!stage.has("out.json"), "{input}");
    }
    keeps_quiet(&stage, &stage.run("traffic empty -o out.json"), "out");
    allow(&stage.path("secret"), 0o000);
    if fs::read(stage.path("secret")).is_err() {
        stage.run("traffic secret").ends(2).says(["secret"]);
    }
    allow(&stage.path("secret"), 0o644);
}

#[test]
fn what_is_read_is_not_written_over() {
    let stage = stage();
    stage.write("access.log", good());
    for output in ["access.log", "./access.log"] {
        stage.run(&format!("traffic access.log -o {output}")).ends(2).says(["would be written over"]);
    }
    assert_eq!(stage.read("access.log"), good());
    stage.run("traffic access.log --threads 100000").ends(2).says(["--threads"]);
}

#[test]
fn names_of_files_are_shown_without_control_characters() {
    let stage = stage();
    let name = "a\x1b[31m\x07.log";
    stage.write(name, good().repeat(10));
    for words in [
        &["traffic", name, "--format", "nginx:nginx.conf"][..],
        &["traffic", name],
        &["traffic", "b\x1b[31m"],
    ] {
        let run = Run::of(&mut stage.command(words));
        assert!(!(run.stdout.clone() + &run.stderr).contains(['\x1b', '\x07']), "{words:?}: {run}");
    }
}

#[test]
fn what_is_packed_and_cut_is_counted_up_to_there_and_said() {
    let stage = stage();
    stage.write("access.log", good().repeat(20_000));
    for (program, end) in [("gzip", "gz"), ("zstd", "zst")] {
        let packed = format!("access.log.{end}");
        let Ok(made) = std::process::Command::new(program).arg("-c").arg(stage.path("access.log")).output()
        else {
            continue;
        };
        stage.write(&packed, &made.stdout);
        stage.run(&format!("traffic {packed} --format nginx:nginx.conf -q -o out.json")).ends(0);
        assert_eq!(counted(&stage)["sources"][0]["entries"], 20_000);
        fs::remove_file(stage.path("out.json")).unwrap();
        stage.write(&packed, &made.stdout[..made.stdout.len() * 2 / 3]);
        let run = stage.run(&format!("traffic {packed} --format nginx:nginx.conf -o out.json"));
        keeps_quiet(&stage, &run, "out");
        assert!((run.stdout.clone() + &run.stderr).contains("cut"), "{run}");
    }
}

#[test]
fn a_log_comes_from_a_pipe_and_without_a_last_line_feed() {
    let stage = stage();
    let log = good().repeat(100);
    stage.write("access.log", log.trim_end());
    stage.run("traffic access.log --format nginx:nginx.conf -q -o file.json").ends(0);
    fs::remove_file(stage.path("access.log")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(stage.path("access.log")).status().unwrap();
    assert!(made.success());
    let path = stage.path("access.log");
    let writer = std::thread::spawn(move || write_slowly(&path, log.trim_end()));
    stage.run("traffic access.log --format nginx:nginx.conf -q -o out.json").ends(0);
    writer.join().unwrap();
    assert_eq!(stage.read("out.json"), stage.read("file.json"));
}

/// In pieces that end within lines.
fn write_slowly(path: &Path, text: &str) {
    use std::io::Write;
    let mut file = fs::OpenOptions::new().write(true).open(path).unwrap();
    for piece in text.as_bytes().chunks(777) {
        file.write_all(piece).unwrap();
    }
}
