//! Claims held against scripted libraries, whose costs are known: what is measured for them, what is said, and what is refused.

use std::path::Path;

use serde_json::{Value, json};

use crate::interruption::restless;
use crate::needs::are_there;
use crate::processes::{signal, within};
use crate::run::{Run, ids};
use crate::stage::{Stage, begin, root};

const MINE: &str = include_str!("claims.toml");

pub fn stage() -> Stage {
    let cost = |case: &str, ns: u64| json!({ "case": format!("*/{case}/*"), "ns": ns });
    let stage = Stage::with(&[(
        "mock",
        json!({ "costs": [cost("sha256", 3000), cost("sha512", 1500), cost("md5", 1000)] }),
    )]);
    stage.write("mine.toml", MINE);
    stage
}

fn claims(stage: &Stage, more: &str) -> Run {
    stage.run(&format!("claims --file mine.toml {more}"))
}

/// Measures the claims into NAME.json.
pub fn measured(stage: &Stage, name: &str, more: &str) -> (Run, Value) {
    stage.with_results(claims(stage, &format!("{more} -q --budget 20s -o {name}")).ends(0), name)
}

/// The rows of a claim in the JSON format.
fn rows<'a>(view: &'a Value, claim: &str) -> Vec<&'a Value> {
    view["claims"].as_array().unwrap().iter().filter(|row| row["claim"] == claim).collect()
}

const SUM: &str = "Of 5 claims 1 holds on this machine, 1 does not, 1 is a rate and has no verdict, 2 are not measurable here.";

#[test]
fn what_claims_need_is_measured_once_and_answered() {
    let stage = stage();
    let (run, results) = measured(&stage, "found", "");
    assert_eq!(
        ids(&results),
        ["sha256", "md5", "sha512"].map(|hash| format!("mock/primitive/{hash}/digest/1024"))
    );
    let run = run.shows([
        SUM,
        "A-twice: SHA-256 costs more than twice",
        "2.5x (Old Machine)",
        " 3x",
        "tlstax observe",
    ]);
    let first = run.stdout.find("Of 5 claims").unwrap();
    assert!(first < run.stdout.find("A-twice").unwrap(), "the sum comes first: {run}");
    run.shows([
        "A-long does not hold: mock: SHA-512 / MD5 is 1.5x here; claimed: above 2x.",
        "2.1 to 2.2x (Old Machine)",
    ]);
    assert!(stage.has("found.html") && !stage.has("found.journal"));
}

#[test]
fn results_that_exist_are_answered_as_if_measured_now() {
    let stage = stage();
    let (run, _) = measured(&stage, "found", "");
    let again = claims(&stage, "--from found.json").ends(0);
    assert_eq!(again.stdout, run.stdout);
    assert_eq!(again.stderr, "");
    stage.run("report found.json").ends(0);
    // Those of the write-ups are about other cases.
    stage.run("report found.json --claims").ends(0).shows(["CLAIMS", "not measured"]);
}

#[test]
fn only_what_is_asked_for_is_measured_and_answered() {
    let stage = stage();
    let (run, results) = measured(&stage, "one", "A-twice");
    assert_eq!(ids(&results).len(), 2);
    run.shows(["Of 1 claim 1 holds on this machine."]);
    let (run, results) = measured(&stage, "source", "B");
    assert_eq!(ids(&results), ["mock/primitive/md5/digest/1024"]);
    run.shows([
        "Of 3 claims 0 hold on this machine, 1 is a rate and has no verdict, 2 are not measurable here.",
    ]);
    let listed = claims(&stage, "A-long --list").ends(0);
    assert_eq!(listed.stdout.lines().count(), 2, "{listed}");
    // What needs no case is answered at once.
    claims(&stage, "B-share").ends(0).shows(["Of 1 claim 0 hold on this machine, 1 is not measurable here."]);
}

#[test]
fn every_format_has_figures_and_verdicts() {
    let stage = stage();
    measured(&stage, "found", "");
    let drawn = |format: &str| claims(&stage, &format!("--from found.json --format {format}")).ends(0);
    let view = drawn("json").json();
    let [there, here] = rows(&view, "A-twice")[..] else { panic!("{view}") };
    assert_eq!((&there["place"], &there["machine"]), (&json!("there"), &json!("Old Machine")));
    assert_eq!(
        (&here["place"], &here["verdict"], &here["unit"]),
        (&json!("here"), &json!("holds"), &json!("x"))
    );
    let figure = here["value"].as_f64().unwrap();
    assert!((figure - 3.0).abs() < 0.01 && here["low"].as_f64() <= Some(figure), "{here}");
    let rate = rows(&view, "B-rate")[1];
    assert_eq!((&rate["verdict"], &rate["unit"]), (&json!("compared"), &json!("MB/s")));
    assert_eq!(rows(&view, "B-share").len(), 1);

    let csv = drawn("csv");
    assert!(
        csv.stdout.starts_with("claim,source,words,kind,verdict,why,place,machine,of,value,low,high,unit\n"),
        "{csv}"
    );
    assert_eq!(csv.stdout.lines().count(), 1 + 2 + 2 + 2 + 1 + 1, "{csv}");
    drawn("md").shows(["## Claims", "| holds | A-twice: SHA-256", "| does not hold | A-long"]);
    assert_eq!(drawn("markdown").stdout, drawn("md").stdout);
    drawn("html").shows(["<section id=\"claims\">", "\"is\":\"marks\"", "does not hold"]);
    drawn("text").shows(["10.2x as fast"]);
}

#[test]
fn a_rate_and_a_ratio_of_two_machines_are_never_judged() {
    let stage = stage();
    // One run has what is divided, the other what it is divided by.
    for (name, hash) in [("above", "sha256"), ("below", "md5")] {
        stage.measured(name, &format!("[[primitive]]\nalgorithms = [\"{hash}\"]\nsizes = [1024]\n"));
    }
    let run = claims(&stage, "A-twice --from above.json below.json").ends(0);
    run.shows(["Of 1 claim 0 hold on this machine, 1 was not measured.", "A-twice", "not measured"]);
    let run = claims(&stage, "A-twice B-rate --from above.json below.json").ends(0);
    run.shows(["1 is a rate and has no verdict", "1 was not measured"]);
}

#[test]
fn what_can_be_answered_is_answered_and_the_rest_is_told() {
    let stage = stage();
    let (_, mut results) = measured(&stage, "found", "A-twice");
    claims(&stage, "A --from found.json")
        .ends(0)
        .shows(["Of 2 claims 1 holds on this machine, 1 was not measured."]);
    results["schema"]["major"] = 9.into();
    stage.write("newer.json", results.to_string());
    let text = stage.read("found.json");
    stage.write("cut.json", &text[..text.len() / 2]);
    let run = claims(&stage, "A-twice --from newer.json found.json cut.json").ends(2);
    run.shows(["Of 1 claim 1 holds"]).says([
        "left out: newer.json",
        "9.",
        "newer one",
        "left out: cut.json",
        "line 1 column",
    ]);
    let run = claims(&stage, "A-twice --from newer.json none.json").ends(2).says(["newer.json", "none.json"]);
    assert_eq!(run.stdout, "");
}

#[test]
fn words_that_name_no_claim_are_refused_with_what_would_do() {
    let stage = stage();
    stage.refuses(
        "claims --file mine.toml A-twise",
        ["mine.toml is called 'A-twise'", "did you mean A-twice?"],
    );
    stage.refuses("claims S1-aesnj --list", ["S1-aesnj", "S1-aesni"]);
    stage.refuses("claims --file none.toml", ["none.toml"]);
    stage.refuses("claims --without aes", ["--without"]);
    stage.refuses("claims --count instructions", ["--count"]);
    measured(&stage, "found", "A-twice");
    stage.refuses("report found.json found.json --claims", ["tlstax claims --from"]);
    stage.refuses("claims --quick --from found.json", ["--quick", "--from"]);
    stage.refuses("claims --from found.json S1-aesni", ["'S1-aesni' is no file", "before --from"]);
}

#[test]
fn claims_files_with_mistakes_are_refused_with_their_place() {
    let stage = stage();
    for (from, to, words) in [
        ("algorithm = \"sha512\"", "algorithm = \"sha513\"", &["line 24", "sha513", "did you mean"][..]),
        (
            "kind = \"primitive\", algorithm = \"sha512\"",
            "kind = \"primitif\", algorithm = \"sha512\"",
            &["line 24", "primitif"],
        ),
        ("value = \"sha512 / md5\"", "value = \"sha512 / md4\"", &["line 29", "md4"]),
        ("value = \"sha512 / md5\"", "value = \"sha512\"", &["line 29", "no ratio"]),
        ("words = \"MD5\"\nrule = \"rate\"", "words = \"MD5\"\nrule = \"rat\"", &["line 42", "rat", "known"]),
        ("id = \"B-rate\"", "id = \"A-long\"", &["line 33", "twice"]),
        ("id = \"B-rate\"", "id = \"a-LONG\"", &["line 33", "twice"]),
        ("[[claim]]\nid = \"B-rate\"", "[[claim]\nid = \"B-rate\"", &["line 32"]),
    ] {
        assert!(MINE.contains(from), "{from}");
        stage.write("bad.toml", MINE.replacen(from, to, 1));
        let words = words.iter().copied().chain(["bad.toml", "docs/claims.md"]);
        stage.refuses("claims --file bad.toml", words);
    }
}

#[test]
fn a_file_in_another_encoding_is_refused_with_its_line() {
    let stage = stage();
    let latin: Vec<u8> =
        MINE.replacen("takes a tenth", "nimmt f\u{fc}nf", 1).chars().map(|one| one as u8).collect();
    stage.write("latin.toml", latin);
    let line = 1 + MINE.lines().position(|line| line.contains("takes a tenth")).unwrap();
    stage.refuses("claims --file latin.toml", ["latin.toml", &format!("line {line} is no UTF-8")]);
}

#[test]
fn claims_that_are_interrupted_say_how_to_have_an_answer() {
    let stage = restless();
    stage.write("mine.toml", MINE);
    let words = ["claims", "A-twice", "--file", "mine.toml", "-q", "--budget", "60s", "-o", "own"];
    let child = begin(&mut stage.command(words));
    let is_begun = || stage.has("own.journal") && stage.read("own.journal").matches("\"batch\"").count() > 50;
    assert!(within(60, is_begun), "the run never began");
    signal("-INT", child.id());
    let answer =
        "tlstax measure --resume own.journal, then tlstax claims A-twice --file mine.toml --from own.json";
    Run::end_of(child).ends(130).says([answer]);
}

#[test]
fn the_claims_of_the_write_ups_need_no_source_tree() {
    let stage = stage();
    let (_, _) = measured(&stage, "found", "A-twice");
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("tlstax");
    std::fs::copy(env!("CARGO_BIN_EXE_tlstax"), &program).unwrap();
    std::fs::copy(stage.path("found.json"), folder.path().join("found.json")).unwrap();
    let mut command = std::process::Command::new(&program);
    command
        .args(["claims", "S1", "--from", "found.json"])
        .current_dir(folder.path())
        .env_remove("TLSTAX_HOME");
    Run::of(&mut command).ends(0).shows(["Of 9 claims", "S1-aesni"]);
}

/// What a reader meets: the section in a real browser, where there are one and Node.
#[test]
fn the_page_is_whole_in_a_browser() {
    let [node, chromium] = ["/usr/bin/node", "/usr/bin/chromium"].map(Path::new);
    if !are_there(&[node, chromium]) {
        return;
    }
    let stage = stage();
    measured(&stage, "found", "");
    let mut command = std::process::Command::new(node);
    command.arg(root().join("web/check/claims.mjs")).arg(chromium).arg(stage.path("found.html"));
    Run::of(&mut command).ends(0).shows([
        "5 claims in the table",
        "sorted by mouse and by keyboard",
        "on paper",
    ]);
}
