//! The verbs, and which file answers each.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use tlstax_libraries::{Home, Registry, RegistryError};

use super::project::Project;
use super::{
    bulk, calibrate, check, claims, compare, complete, gate, generate, handshake, libraries, load, measure,
    observe, plan, report, speed, suites, traffic,
};
use crate::failure;
use crate::output::warn;

/// What TLS costs on this machine: measured, explained, compared.
///
/// Start with `tlstax check`, which says what is wrong with this machine for measuring, then `tlstax measure quick`.
/// The short cuts speed, handshake, bulk, load and suites measure what their flags say; `measure` runs whole studies.
/// `claims` holds what five write-ups say of the cost of TLS against this machine.
/// `observe` says how much of a running server's CPU time is TLS, `traffic` what servers were really asked for.
/// `calibrate` fits what each thing costs a server, `plan` predicts what traffic will cost it and what a change would do.
/// `gate` says in continuous integration whether a build is slower than another.
/// Every figure carries its 95 % interval, was proved by the library that made it, and can be written as JSON.
#[derive(Debug, Parser)]
#[command(name = "tlstax", version, propagate_version = true, max_term_width = 110)]
#[command(
    after_help = "Exit codes: 0 fine, 1 compare or gate found a regression, 2 wrong use or a bad document, 3 something is \
                        missing on this machine, 4 a mistake of ours, 130 interrupted.\nEnvironment: NO_COLOR, CLICOLOR and \
                        CLICOLOR_FORCE choose colours, COLUMNS the width; text is ASCII unless the locale names UTF-8."
)]
pub struct Cli {
    #[command(subcommand)]
    verb: Verb,

    /// The folder of tlstax's own files (workers/, studies/, pki/); found by itself in a source tree.
    #[arg(
        long,
        global = true,
        help_heading = "Global",
        value_name = "DIR",
        env = "TLSTAX_HOME",
        hide_env_values = true
    )]
    home: Option<PathBuf>,

    /// Another registry of libraries than workers/workers.toml.
    #[arg(long, global = true, help_heading = "Global", value_name = "FILE")]
    registry: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Verb {
    // What each is about stands on its arguments, in its own file.
    Check(check::Args),
    Measure(measure::Args),
    Speed(speed::Args),
    Handshake(handshake::Args),
    Bulk(bulk::Args),
    Load(Box<load::Args>),
    Suites(suites::Args),
    Claims(Box<claims::Args>),
    Observe(Box<observe::Args>),
    Traffic(Box<traffic::Args>),
    Calibrate(Box<calibrate::Args>),
    Plan(Box<plan::Args>),
    Compare(compare::Args),
    Gate(Box<gate::Args>),
    Report(report::Args),
    Libraries(libraries::Args),
    Generate(generate::Args),
}

/// Puts what begins as a negative number to the flag before it, `--rate=-5`: no flag of ours is a digit, so it is a value, and
/// whoever reads the flag's values says what is wrong with it. Otherwise it would be an unknown flag.
fn join_negative_values(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut joined: Vec<OsString> = Vec::new();
    for word in words {
        let bytes = word.as_encoded_bytes();
        let is_negative = bytes.first() == Some(&b'-') && bytes.get(1).is_some_and(u8::is_ascii_digit);
        match joined.last_mut().filter(|flag| is_negative && is_bare_flag(flag)) {
            Some(flag) => {
                flag.push("=");
                flag.push(&word);
            }
            None => joined.push(word),
        }
    }
    joined
}

/// Whether a word is a flag without a value: `--rate`, `-s`.
fn is_bare_flag(word: &OsString) -> bool {
    let bytes = word.as_encoded_bytes();
    bytes.len() > 1 && bytes.first() == Some(&b'-') && bytes != b"--" && !bytes.contains(&b'=')
}

/// Reads the command line and does what it says.
pub fn main() -> anyhow::Result<ExitCode> {
    if complete::answer(Cli::command)? {
        return Ok(ExitCode::SUCCESS);
    }
    let cli = match Cli::try_parse_from(join_negative_values(std::env::args_os())) {
        Ok(cli) => cli,
        Err(error) => return Ok(failure::refuse(&error)),
    };
    let project = || open(cli.home, cli.registry.as_deref());
    match cli.verb {
        // These need none of the project's files.
        Verb::Report(args) => report::run(args),
        Verb::Compare(args) => compare::run(args),
        Verb::Observe(args) => observe::run(*args),
        Verb::Traffic(args) => traffic::run(*args),
        Verb::Generate(args) => generate::run(args, Cli::command()),
        Verb::Check(args) => check::run(args, &project()?),
        Verb::Measure(args) => measure::run(args, &project()?),
        Verb::Speed(args) => speed::run(args, &project()?),
        Verb::Handshake(args) => handshake::run(args, &project()?),
        Verb::Gate(args) => gate::run(*args, &project()?),
        Verb::Bulk(args) => bulk::run(args, &project()?),
        Verb::Load(args) => load::run(*args, &project()?),
        Verb::Suites(args) => suites::run(args, &project()?),
        // Needs them where it measures.
        Verb::Claims(args) => claims::run(*args, project),
        Verb::Plan(args) => plan::run(*args, project),
        Verb::Calibrate(args) => calibrate::run(*args, project),
        Verb::Libraries(args) => libraries::run(args, &project()?),
    }
}

fn open(home: Option<PathBuf>, registry: Option<&Path>) -> anyhow::Result<Project> {
    let home = Home::find(home)?;
    let registry = match Registry::read(&home, registry) {
        // What the user added is not needed for everything.
        Err(error @ RegistryError::Own { .. }) => {
            warn(&format!("going on without the libraries that you added: {error}"));
            Registry::read(&home, Some(&home.registry()))?
        }
        registry => registry?,
    };
    Ok(Project { home, registry })
}
