//! `tlstax libraries`: what is there, and how to get what is not.

use std::process::ExitCode;

use clap::Subcommand;
use tlstax_doc::Library;
use tlstax_measure::signal::interrupted;
use tlstax_run::{Entry, build, survey};

use super::top::Project;
use crate::failure;
use crate::output::{print, warn};

/// List the TLS libraries, what they can do, and how to get those that are missing.
///
/// Each line says what the library itself answers when it is started: its version, its build, what it can do.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,

    /// Print everything the libraries say of themselves, as JSON.
    #[arg(long)]
    json: bool,

    /// Also list capabilities and loaded files.
    #[arg(long, short)]
    verbose: bool,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Build workers: those named, or all; one that fails does not stop the others.
    Build {
        /// Ids of libraries.
        ids: Vec<String>,
        /// Fail if any of them cannot be built, not only if none can.
        #[arg(long)]
        strict: bool,
    },
}

/// Lists or builds libraries.
pub fn run(args: Args, project: &Project) -> anyhow::Result<ExitCode> {
    if let Some(Verb::Build { ids, strict }) = args.verb {
        return build_all(&ids, strict, project);
    }
    let libraries = survey(&project.home, &project.registry)?;
    let text = match args.json {
        true => serde_json::to_string_pretty(&libraries)? + "\n",
        false => libraries
            .iter()
            .zip(&project.registry.entries)
            .map(|(library, entry)| describe(library, entry, args.verbose))
            .collect(),
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn build_all(ids: &[String], strict: bool, project: &Project) -> anyhow::Result<ExitCode> {
    let entries = match ids {
        [] => project.registry.entries.iter().collect(),
        ids => project.registry.choose(ids)?,
    };
    let mut usable = 0;
    for (at, entry) in entries.iter().enumerate() {
        warn(&format!("[{}/{}] building {}: {}", at + 1, entries.len(), entry.id, entry.about));
        let built = build(entry, &project.home);
        if interrupted() {
            warn(&format!("interrupted while building {}: build it again", entry.id));
            return Ok(ExitCode::from(failure::INTERRUPTED));
        }
        match built {
            Ok(()) => usable += 1,
            Err(error) => warn(&format!("not available: {error}")),
        }
    }
    // Some are enough to go on with; none is not.
    let wanted = if strict { entries.len() } else { 1 };
    Ok(if usable >= wanted { ExitCode::SUCCESS } else { ExitCode::from(failure::ENVIRONMENT) })
}

fn describe(library: &Library, entry: &Entry, verbose: bool) -> String {
    let default = if entry.default { " (default)" } else { "" };
    let mut text = format!("{}{default}: {}\n", entry.id, entry.about);
    match (&library.unavailable, &library.hello) {
        (Some(why), _) => text += &format!("  not available: {why}\n"),
        (None, None) => {}
        (None, Some(hello)) => {
            text += &format!("  {}\n", hello.version);
            if verbose {
                let lists = [
                    ("versions", &hello.versions),
                    ("suites", &hello.suites),
                    ("groups", &hello.groups),
                    ("keys", &hello.keys),
                    ("resumption", &hello.resumptions),
                    ("primitives", &hello.primitives),
                ];
                text += &format!("  build: {}\n  cpu: {}\n", hello.build, hello.cpu);
                text.extend(lists.iter().map(|(name, list)| format!("  {name}: {}\n", list.join(" "))));
            }
        }
    }
    if verbose && let Some(receipt) = &library.receipt {
        text.extend(
            receipt
                .objects
                .iter()
                .map(|object| format!("  {} {} bytes, {}\n", object.xxh3, object.bytes, object.file)),
        );
    }
    text
}
