//! `tlstax traffic`: logs of servers, counted and merged, and what of them may be told.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::processes::signal;
use crate::run::Run;
use crate::stage::{Stage, begin, root};

/// What somebody would not like to find anywhere else.
const PLANTED: [&str; 6] =
    ["203.0.113.77", "planted-user", "planted-path", "planted-site", "planted-agent", "planted-name"];

/// A line of the format nginx-tls, at a second after 2026-11-22T08:00:00Z.
fn line(number: u64, second: u64) -> String {
    let [address, user, path, site, agent, _] = PLANTED;
    let (minutes, seconds) = (second / 60 % 60, second % 60);
    let bytes = 200 + number * 7919 % 50_000;
    let (ordinal, resumed) = (number % 4 + 1, ["r", "."][usize::try_from(number % 3 % 2).unwrap()]);
    format!(
        "{address} - {user} [22/Nov/2026:08:{minutes:02}:{seconds:02} +0000] \"GET /{path}?q={number} HTTP/1.1\" 200 {bytes} \
         \"https://{site}.example/\" \"{agent}/1.0\" {} 300 {ordinal} TLSv1.3 TLS_AES_256_GCM_SHA384 X25519 {resumed} \"-\"\n",
        bytes + 250
    )
}

fn log(lines: u64) -> String {
    (0..lines).map(|number| line(number, number / 3)).collect()
}

#[track_caller]
fn counted(stage: &Stage, words: &str, name: &str) -> Value {
    stage.run(&format!("traffic {words} -q --json -o {name}.json")).ends(0);
    serde_json::from_str(&stage.read(&format!("{name}.json"))).unwrap()
}

fn requests(workload: &Value) -> u64 {
    let shares = workload["shares"].as_array().unwrap().iter();
    shares.map(|share| share["requests"].as_u64().unwrap()).sum()
}

fn gzip(stage: &Stage, name: &str) {
    let path = stage.path(name);
    assert!(Command::new("gzip").arg("-k").arg(path).status().unwrap().success());
}

#[test]
fn a_log_is_recognised_counted_and_kept() {
    let stage = Stage::with(&[]);
    stage.write("access.log", log(900));
    let run =
        stage.run("traffic access.log").ends(0).says(["access.log: nginx's combined", "results/workload-"]);
    run.shows(["900", "TLSv1.3"]);
    let folder = std::fs::read_dir(stage.path("results")).unwrap();
    let mut names: Vec<_> = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert!(names[0].ends_with(".html") && names[1].ends_with(".json") && names.len() == 2, "{names:?}");
    let kept = format!("results/{}", names[1]);
    let workload: Value = serde_json::from_str(&stage.read(&kept)).unwrap();
    assert_eq!((workload["document"].as_str(), requests(&workload)), (Some("workload"), 900));
    stage.run(&format!("report {kept}")).ends(0).shows(["TLSv1.3"]);
    stage
        .run(&format!("traffic {kept}"))
        .ends(2)
        .says(["workload document that tlstax wrote", "traffic merge"]);
}

#[test]
fn parts_in_any_order_merge_to_the_document_of_the_whole_byte_for_byte() {
    let (stage, log) = (Stage::with(&[]), log(700));
    stage.write("whole.log", &log);
    counted(&stage, "whole.log", "whole");
    let lines: Vec<&str> = log.split_inclusive('\n').collect();
    for parts in [1, 2, 7, 100] {
        let size = lines.len().div_ceil(parts);
        let mut names: Vec<String> = Vec::new();
        for (number, part) in lines.chunks(size).enumerate() {
            let name = format!("part-{parts}-{number}");
            stage.write(&format!("{name}.log"), part.concat());
            counted(&stage, &format!("{name}.log"), &name);
            names.push(format!("{name}.json"));
        }
        // Neither the order of the log nor its reverse.
        names.sort_by_key(|name| name.bytes().rev().map(|byte| byte.wrapping_mul(31)).collect::<Vec<_>>());
        stage.run(&format!("traffic merge {} -o merged-{parts}.json", names.join(" "))).ends(0);
        assert!(stage.read("whole.json") == stage.read(&format!("merged-{parts}.json")), "{parts} parts");
        let logs = names.join(" ").replace(".json", ".log");
        counted(&stage, &logs, "several");
        assert!(stage.read("whole.json") == stage.read("several.json"), "{parts} files");
    }
}

#[test]
fn archives_pipes_and_numbers_of_threads_change_nothing() {
    let stage = Stage::with(&[]);
    stage.write("access.log", log(5_000));
    gzip(&stage, "access.log");
    counted(&stage, "access.log --threads 1", "plain");
    counted(&stage, "access.log.gz", "packed");
    counted(&stage, "access.log --threads 7 --format nginx-tls", "threads");
    let words = ["traffic", "-", "-q", "-o", "piped.json"];
    let mut child = stage.command(words).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(stage.read("access.log").as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
    for name in ["packed", "threads", "piped"] {
        assert!(stage.read("plain.json") == stage.read(&format!("{name}.json")), "{name}");
    }
}

#[test]
fn nothing_personal_gets_anywhere_but_by_show_bad() {
    let stage = Stage::with(&[]);
    let [address, user, path, _, _, name] = PLANTED;
    // Lines that are bad in many ways, each with something to be found.
    let bad = format!(
        "{address} - {user} [22/Nov/2026:08:00:00 +0000] \"GET /{path}\n\
         {address} - {user} [99/Nov/2026:08:00:00 +0000] \"GET /{path} HTTP/1.1\" 200 x \"-\" \"-\" 1 1 1 - - - - \"-\"\n\
         {name} {path}\n\0{user}\n"
    );
    stage.write("access.log", log(100) + &bad);
    let run = stage.run("traffic access.log -o kept.json --class site=*.example").ends(0);
    run.says(["4 of 104 entries could not be read", "access.log, at byte ", "--show-bad"]);
    let run = stage.run("traffic access.log -o kept.json --json").ends(0);
    let mut everything = vec![stage.read("kept.json"), stage.read("kept.html"), run.stdout, run.stderr];
    let runs = [
        "report kept.json --full",
        "traffic replay kept.json",
        "traffic merge kept.json kept.json",
        "traffic broken",
    ];
    stage.write("broken", &bad);
    for words in runs {
        let run = stage.run(words);
        everything.extend([run.stdout, run.stderr]);
    }
    for text in everything {
        for planted in PLANTED {
            assert!(!text.contains(planted), "{planted} in {text}");
        }
    }
    let run = stage.run("traffic access.log -o kept.json --show-bad").ends(0).says([path, user]);
    assert!(run.stderr.contains("\\u0000") && !run.stderr.contains('\0'), "{run}");
}

#[test]
fn only_what_was_in_the_time_that_was_asked_for_counts() {
    let stage = Stage::with(&[]);
    stage.write("access.log", log(900));
    let since = |words: &str| requests(&counted(&stage, &format!("access.log {words}"), "some"));
    assert_eq!(since("--since 2026-11-22T08:01:00Z"), 720);
    assert_eq!(since("--until 2026-11-22T09:01:00+01:00"), 180);
    assert_eq!(since("--since 2026-11-22T08:01:00Z --until 2026-11-22T08:02:00Z"), 180);
    assert_eq!(since("--since 2026-11-22 --until 2026-11-23"), 900);
    assert_eq!(since("--until 30000d"), 0);
    stage.run("traffic access.log --since tomorrow").ends(2).says(["is no time"]);
    stage.run("traffic access.log --since 1h --until 2h").ends(2).says(["--since is not before --until"]);
}

#[test]
fn a_format_is_said_by_configuration_string_or_word() {
    let stage = Stage::with(&[]);
    stage.write("logs/access.log.1", log(90));
    stage.write("nginx.conf", "http { include conf.d/*.conf; access_log logs/access.log tls; }");
    let suggested = stage.run("traffic --suggest nginx").ends(0).stdout;
    stage.write("conf.d/log.conf", suggested.replace("log_format tlstax", "log_format tls"));
    stage.write("conf.d/other.conf", "log_format other '$status';");
    let by = |format: &str| {
        let words = ["traffic", "logs/access.log.1", "--format", format, "-q", "--json", "-o", "by.json"];
        let run = Run::of(&mut stage.command(words)).ends(0);
        (run, serde_json::from_str::<Value>(&stage.read("by.json")).unwrap())
    };
    for format in ["nginx:nginx.conf", "nginx:nginx.conf#tls", "nginx-tls"] {
        assert_eq!(requests(&by(format).1), 90, "{format}");
    }
    let format = "nginx=$remote_addr - $remote_user [$time_local] \"$request\" $status $rest";
    assert_eq!(requests(&by(format).1), 90);
    let (run, _) = by("nginx:nginx.conf#other");
    assert!(run.stderr.starts_with("warning: 90 of 90 entries could not be read"), "{run}");
    let fails = |format: &str| {
        Run::of(&mut stage.command(["traffic", "logs/access.log.1", "--format", format])).ends(2)
    };
    fails("nginx:nginx.conf#none").says(["there is no log format `none`"]);
    fails("nginx:missing.conf").says(["cannot read the configuration missing.conf"]);
    fails("nonsense").says(["there is no format 'nonsense'", "combined", "zeek"]);
    fails("zeek").says(["logs/access.log.1 is no zeek log"]);
    fails("nginx:").says(["says no format"]);
}

#[test]
fn what_cannot_be_counted_says_so_and_what_to_do() {
    let stage = Stage::with(&[]);
    stage.write("access.log", log(9));
    stage.write("empty.log", "");
    stage.write("prose.log", "it was the best of times\nit was the worst of times\n");
    stage.run("traffic").ends(2).says(["what is to be counted?"]);
    stage.run("traffic missing.log").ends(2).says(["cannot read missing.log"]);
    stage.run("traffic .").ends(2).says(["is a folder"]);
    stage.run("traffic empty.log").ends(2).says(["there is nothing in empty.log", "--format"]);
    stage.run("traffic prose.log").ends(2).says(["prose.log is of no format that is known", "combined"]);
    stage.run("traffic access.log -o .").ends(2).says(["is a folder: name a file in it"]);
    stage.run("traffic access.log --class api").ends(2).says(["'api'"]);
    stage.run("traffic merge access.log").ends(2).says(["no complete workload document"]);
    stage.run("traffic --interface no-such-0 --for 1s").ends(if has_raw_sockets(&stage) { 2 } else { 3 });
    assert!(!stage.has("results"));
    // An empty part of a log has a document, too, where its format is said.
    let empty = counted(&stage, "empty.log --format nginx-tls", "empty");
    assert_eq!((requests(&empty), empty["sources"][0]["entries"].as_u64()), (0, Some(0)));
    let twice = stage.run("traffic access.log ./access.log empty.log --json -o twice.json").ends(0);
    twice.says(["./access.log is the same file as access.log: it is counted once", "empty.log is empty"]);
    assert_eq!(requests(&serde_json::from_str(&stage.read("twice.json")).unwrap()), 9);
}

/// Whether this user may look at packets at all.
fn has_raw_sockets(stage: &Stage) -> bool {
    stage.run("traffic --interface lo --for 1s -q -o lo.json").code == 0
}

#[test]
fn of_a_cut_archive_what_comes_out_is_counted_and_said_to_be_a_part() {
    let stage = Stage::with(&[]);
    stage.write("access.log", log(20_000));
    gzip(&stage, "access.log");
    let packed = std::fs::read(stage.path("access.log.gz")).unwrap();
    stage.write("cut.gz", &packed[..packed.len() / 2]);
    let run =
        stage.run("traffic cut.gz -q --json -o cut.json").ends(0).says(["cut.gz is cut off", "are counted"]);
    let workload: Value = serde_json::from_str(&stage.read("cut.json")).unwrap();
    assert!((1_000..20_000).contains(&requests(&workload)), "{run}");
    assert_eq!(workload["sources"][0]["bad"], Value::Null);
    // Two archives, one behind the other, are one log.
    stage.write("twice.gz", [packed.as_slice(), &packed].concat());
    assert_eq!(requests(&counted(&stage, "twice.gz", "twice")), 40_000);
}

#[test]
fn what_is_interrupted_is_kept_and_said_to_be_a_part() {
    let stage = Stage::with(&[]);
    let mut child = begin(stage.command(["traffic", "-", "-o", "part.json"]).stdin(Stdio::piped()));
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all((log(100) + "127.0.0.1 - - [22/No").as_bytes()).unwrap();
    // Nothing tells from outside that it has taken that and waits for more.
    std::thread::sleep(Duration::from_secs(1));
    signal("-INT", child.id());
    let run = Run::end_of(child).ends(130).says(["interrupted: what follows is a part"]);
    drop(pipe);
    let workload: Value = serde_json::from_str(&stage.read("part.json")).unwrap();
    assert_eq!((requests(&workload), &workload["sources"][0]["bad"]), (100, &Value::Null), "{run}");
}

#[test]
fn captures_and_what_a_person_wrote_are_counted_as_well() {
    let stage = Stage::with(&[]);
    stage.write("ours.toml", "requests_per_second = 100\n");
    let by_hand = counted(&stage, "ours.toml", "by-hand");
    assert_eq!(by_hand["sources"][0]["format"], "by-hand");
    let golden = root().join("crates/traffic/tests/capture/golden");
    let mut files: Vec<_> = std::fs::read_dir(golden).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "pcap" || ending == "pcapng"));
    let words = files[0].display().to_string();
    let capture = counted(&stage, &words, "capture");
    assert_eq!(capture["sources"][0]["format"], "capture");
    assert!(capture["sources"][0]["entries"].as_u64().unwrap() > 0);
}
