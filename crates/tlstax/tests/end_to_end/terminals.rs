//! Terminals, pipes and locales: how wide, in which colours, in which letters.

use std::process::{Command, Stdio};

use crate::claims;
use crate::needs::not_tested;
use crate::run::{Run, holds, ids};
use crate::showing::{PRIMITIVES, is_harmless};
use crate::stage::{HANDSHAKES, Stage, root};

/// Handshakes measured into one.json; the ids of their cases.
fn handshakes(stage: &Stage) -> Vec<String> {
    let study = format!("{HANDSHAKES}keys = [\"ecdsa-p256\", \"rsa-2048\"]\n");
    ids(&stage.measured("one", &study)).into_iter().map(str::to_owned).collect()
}

#[test]
fn d40_ids_are_never_broken_and_into_a_pipe_a_row_is_a_line() {
    let stage = Stage::calm();
    let ids = handshakes(&stage);
    let words = ["compare", "one.json", "one.json"];
    let piped = Run::of(&mut stage.command(words)).stdout;
    let narrow = Run::of(stage.command(words).env("COLUMNS", "40")).stdout;
    for id in &ids {
        assert!(piped.lines().any(|line| line.contains("client") && line.ends_with(id)), "{id}: {piped}");
        assert!(narrow.split_whitespace().any(|word| word == id), "{id}: {narrow}");
    }
    // Nothing is broken that is in one piece: a sentence is a line, too.
    let is_whole = |line: &str| line.starts_with("Of ") && line.ends_with("it cannot be told.");
    assert!(piped.lines().any(is_whole), "{piped}");
    assert!(!narrow.lines().any(|line| line.starts_with("Of ") && line.ends_with("told.")), "{narrow}");
}

/// Runs the program in a terminal of its own, with this environment; none where there is no script(1).
fn in_a_terminal(stage: &Stage, words: &[&str], environment: &[(&str, &str)]) -> Option<String> {
    let quoted: String = words.iter().map(|word| format!(" '{word}'")).collect();
    let mut command = Command::new("script");
    command.args(["-qec", &(env!("CARGO_BIN_EXE_tlstax").to_owned() + &quoted), "/dev/null"]);
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM", "LC_ALL", "LC_CTYPE"] {
        command.env_remove(name);
    }
    command.env("LANG", "C.UTF-8").envs(environment.iter().copied());
    let Ok(output) = command.current_dir(stage.path("")).stdin(Stdio::null()).output() else {
        not_tested("script(1) is not installed");
        return None;
    };
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn d14_what_clap_repeats_of_the_command_line_moves_no_cursor() {
    let stage = Stage::calm();
    for word in ["--no\u{1b}[2Jflag", "no\u{9b}2Jverb"] {
        let Some(shown) = in_a_terminal(&stage, &[word], &[("TERM", "xterm")]) else { return };
        assert!(shown.contains("error: ") && shown.contains("--help"), "{shown}");
        is_harmless("an error of clap", &shown.replace('\r', ""));
    }
}

#[test]
fn d41_colours_go_where_they_are_understood() {
    let stage = Stage::calm();
    stage.measured("one", PRIMITIVES);
    let words = ["report", "one.json"];
    let coloured =
        |environment: &[(&str, &str)]| Some(in_a_terminal(&stage, &words, environment)?.contains('\x1b'));
    if coloured(&[]).is_none() {
        return;
    }
    assert_eq!(coloured(&[("TERM", "xterm")]), Some(true));
    assert_eq!(coloured(&[("TERM", "xterm"), ("NO_COLOR", "")]), Some(true), "as no-color.org has it");
    for environment in [
        &[("TERM", "dumb")][..],
        &[],
        &[("TERM", "xterm"), ("NO_COLOR", "1")],
        &[("TERM", "xterm"), ("CLICOLOR", "0")],
    ] {
        assert_eq!(coloured(environment), Some(false), "{environment:?}");
    }
    let piped =
        |name: &str, value: &str| Run::of(stage.command(words).env_remove("NO_COLOR").env(name, value));
    assert!(piped("CLICOLOR_FORCE", "1").stdout.contains("\x1b[1m"));
    assert!(!piped("CLICOLOR_FORCE", "0").stdout.contains('\x1b'));
    assert!(!piped("TERM", "xterm").stdout.contains('\x1b'));
}

#[test]
fn d41_text_keeps_to_the_locale_and_data_are_utf_8() {
    let stage = Stage::calm();
    handshakes(&stage);
    let drawn = |format: &str, environment: &[(&str, &str)]| {
        let mut command = stage.command(["report", "one.json", "--format", format]);
        for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
            command.env_remove(name);
        }
        Run::of(command.envs(environment.iter().copied())).stdout
    };
    for ascii in [
        &[("LANG", "C")][..],
        &[("LANG", "POSIX")],
        &[],
        &[("LC_ALL", "C"), ("LANG", "en_US.UTF-8")],
        &[("LC_ALL", ""), ("LC_CTYPE", "C"), ("LANG", "en_US.UTF-8")],
    ] {
        assert!(drawn("text", ascii).is_ascii(), "{ascii:?}");
        assert!(drawn("json", ascii).contains("µs"), "{ascii:?}");
    }
    for utf8 in [&[("LANG", "en_US.UTF-8")][..], &[("LC_ALL", "C.utf8"), ("LANG", "C")]] {
        assert!(drawn("text", utf8).contains("µs"), "{utf8:?}");
    }
}

/// That a text fits on one screen of this width, with all that `make run` says before it.
#[track_caller]
fn is_one_screen(shown: &str, width: usize) {
    assert!((5..=40).contains(&shown.lines().count()), "{shown}");
    let wide = shown.lines().find(|line| line.trim_end_matches('\r').chars().count() > width);
    assert_eq!(wide, None, "{shown}");
}

#[test]
fn a_terminal_gets_the_answer_on_one_screen_and_everything_else_every_table() {
    let stage = Stage::calm();
    handshakes(&stage);
    for width in ["60", "100"] {
        let environment = [("TERM", "dumb"), ("COLUMNS", width)];
        let shown = |words: &[&str]| in_a_terminal(&stage, words, &environment);
        let Some(answer) = shown(&["report", "one.json"]) else { return };
        is_one_screen(&answer, width.parse().unwrap());
        let said = answer.split_whitespace().collect::<Vec<_>>().join(" ");
        holds(&said, ["? (study one, 2 cases of mock)", "tlstax report one.json --full"]);
        assert!(!answer.contains("HANDSHAKES"), "{answer}");
        let full = shown(&["report", "one.json", "--full"]).unwrap();
        let piped = Run::of(&mut stage.command(["report", "one.json"])).stdout;
        let data = shown(&["report", "one.json", "--format", "markdown"]).unwrap();
        for (text, title) in [(&full, "HANDSHAKES"), (&piped, "HANDSHAKES"), (&data, "## Handshakes")] {
            holds(text, [title]);
        }
    }
}

#[test]
fn an_answer_on_claims_says_how_to_have_all_of_it() {
    let stage = claims::stage();
    claims::measured(&stage, "found", "");
    let words = ["claims", "A-twice", "--file", "mine.toml", "--from", "found.json"];
    let environment = [("TERM", "dumb"), ("COLUMNS", "100")];
    let Some(answer) = in_a_terminal(&stage, &words, &environment) else { return };
    holds(&answer, ["Every claim: tlstax claims A-twice --file mine.toml --from found.json --full"]);
}

#[test]
fn a_run_in_a_terminal_ends_with_its_answer_and_names_its_files() {
    let stage = Stage::calm();
    let file = stage.study("one", PRIMITIVES);
    let (home, registry) = (root().display().to_string(), stage.path("registry.toml").display().to_string());
    let environment = [("TERM", "dumb"), ("COLUMNS", "100"), ("TLSTAX_IF_BUSY", "go")];
    let run = |more: &[&str]| {
        let words = ["measure", &file, "--quiet", "-o", "one", "--registry", &registry, "--home", &home];
        in_a_terminal(&stage, &[&words, more].concat(), &environment)
    };
    let Some(answer) = run(&[]) else { return };
    // Another run may be told of, in a line that the terminal breaks.
    let own: Vec<&str> = answer.lines().filter(|line| !line.starts_with("another run")).collect();
    is_one_screen(&own.join("\n"), 100);
    holds(&answer, ["One core hashes with sha256", "one.html", "one.json", "tlstax report one.json --full"]);
    assert!(stage.has("one.json") && stage.has("one.html"));
    holds(run(&["--full"]).unwrap(), ["CIPHERS AND HASHES"]);
}
