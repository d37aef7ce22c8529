//! Every command that the help and the documents show is one that the program takes.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use clap::{Command, CommandFactory, Parser};

use super::top::Cli;

/// The commands in a text: indented lines that begin with `tlstax`, and those at a prompt, without the comment behind them.
fn commands(text: &str) -> Vec<String> {
    let is_command = |line: &&str| line.starts_with("  tlstax ") || line.starts_with("    tlstax ");
    let at_prompt = |line: &str| line.starts_with("$ tlstax ");
    let lines = text.lines().filter(|line| is_command(line) || at_prompt(line));
    let alone = lines.map(|line| line.split(" #").next().unwrap().trim_start_matches("$ ").trim().to_owned());
    // In a table of a document, commands stand between backticks.
    let cells =
        text.lines().filter(|line| line.starts_with('|')).flat_map(|line| line.split('`').skip(1).step_by(2));
    alone
        .chain(cells.filter(|cell| cell.starts_with("tlstax ") && !cell.contains("...")).map(str::to_owned))
        .collect()
}

/// The words of a command line whose only quotes are single ones, up to a redirection or a pipe.
fn words(command: &str) -> Vec<String> {
    let parts = command.split('\'').enumerate();
    let words = parts.flat_map(|(place, part)| match place % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.take_while(|word| word != ">" && word != "|").collect()
}

fn all_help(command: &Command) -> String {
    let own = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    command.get_subcommands().map(all_help).fold(own, |text, more| text + "\n" + &more)
}

#[track_caller]
fn are_taken(place: &str, text: &str, least: usize) {
    let commands = commands(text);
    assert!(commands.len() >= least, "{place}: {commands:?}");
    for command in commands {
        if let Err(error) = Cli::try_parse_from(words(&command)) {
            assert!(!error.use_stderr(), "{place}: {command}\n{error}");
        }
    }
}

#[test]
fn d42_examples_of_the_help_are_taken() {
    are_taken("help", &all_help(&Cli::command()), 20);
}

#[test]
fn commands_of_the_documents_are_taken() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let documents = [
        ("README.md", 10),
        ("docs/using.md", 30),
        ("docs/gate.md", 4),
        ("docs/write-ups.md", 40),
        ("docs/traffic.md", 8),
        ("docs/plan.md", 5),
        ("docs/plan-lines.md", 5),
        ("docs/adding-a-server.md", 1),
        ("docs/adding-a-library.md", 1),
    ];
    for (file, least) in documents {
        are_taken(file, &std::fs::read_to_string(root.join(file)).unwrap(), least);
    }
}

#[test]
fn the_command_line_is_sound() {
    Cli::command().debug_assert();
}

/// Every verb with the path to it.
fn verbs(command: &Command, path: &str) -> Vec<(String, Command)> {
    let path = format!("{path} {}", command.get_name());
    let below = command.get_subcommands().flat_map(|verb| verbs(verb, &path));
    below.chain([(path.clone(), command.clone())]).collect()
}

#[test]
fn d42_flags_of_every_verb_stand_under_headings_with_the_global_ones_last() {
    let mut top = Cli::command();
    top.build();
    for (path, verb) in verbs(&top, "") {
        let headings: Vec<&str> = verb.get_arguments().filter_map(clap::Arg::get_help_heading).collect();
        let Some(first) = headings.iter().position(|heading| *heading == "Global") else { continue };
        assert!(headings[first..].iter().all(|heading| *heading == "Global"), "{path}: {headings:?}");
        for name in ["home", "registry"] {
            let argument = verb.get_arguments().find(|one| one.get_id() == name).unwrap();
            assert_eq!(argument.get_help_heading(), Some("Global"), "{path}");
        }
    }
}
