//! `tlstax libraries check`: the conformance suite, and every library against others over sockets.

use std::process::ExitCode;

use anyhow::bail;
use tlstax_doc::LibraryKind;
use tlstax_libraries::Entry;
use tlstax_run::{Meeting, interop};
use tlstax_spec::Id;

use crate::cli::complete;
use crate::cli::project::Project;
use crate::failure::{self, Usage};
use crate::output::print_document;
use crate::progress::Screen;

mod answer;

use answer::Pairs;

/// With whom libraries are tried where nobody says: two that are maintained apart from each other.
const PARTNERS: [&str; 3] = ["openssl-3.6", "openssl", "rustls-aws-lc"];

/// Try libraries with each other over loopback, both ways: what both claim, both must negotiate and prove.
///
/// Each library is server and client of itself, and of each library of --against, on new connections and on those that are
/// kept alive; lean, which is no library, is a client alone. A figure of a library that cannot talk to others is worth
/// nothing. The conformance suite, which each worker passes when it is built, is counted beside it.
///
/// Exit code 3 says that a pair does not understand each other, or that there was none to try.
#[derive(Debug, clap::Args)]
#[group(id = "checking")]
pub struct Args {
    /// Ids of libraries; all that can be started if none are named.
    #[arg(value_name = "ID", add = complete::ids())]
    ids: Vec<Id>,

    /// The libraries that each is tried with; OpenSSL and rustls if none are named.
    #[arg(long, value_name = "ID", value_delimiter = ',', add = complete::ids())]
    against: Vec<Id>,

    /// Every combination of suite, group and certificate key, instead of each of them once: minutes for each pair.
    #[arg(long)]
    every: bool,

    /// Print every combination with what came of it, as JSON.
    #[arg(long)]
    json: bool,
}

/// Lets libraries meet and prints the answer; exit code 3 if a pair failed.
pub fn run(args: Args, project: &Project) -> anyhow::Result<ExitCode> {
    let (libraries, against) = (examined(&args.ids, project)?, partners(&args.against, project)?);
    let meeting = Meeting { libraries, against, every: args.every };
    let mut screen = Screen::new(args.json);
    let found = interop(&meeting, &project.home, &mut screen);
    screen.clear();
    let found = found?;
    let pairs = Pairs::of(&found.outcomes);
    let json = || serde_json::to_string_pretty(&found.outcomes);
    print_document(args.json, json, || answer::text(&pairs, &found))?;
    Ok(if pairs.are_fine() { ExitCode::SUCCESS } else { ExitCode::from(failure::ENVIRONMENT) })
}

fn examined<'a>(ids: &[Id], project: &'a Project) -> anyhow::Result<Vec<&'a Entry>> {
    if ids.is_empty() {
        let there = |entry: &&Entry| is_there(entry, project) && entry.kind != LibraryKind::Control;
        return Ok(project.registry.entries.iter().filter(there).collect());
    }
    let named = project.registry.choose(ids)?;
    if let Some(other) = named.iter().find(|entry| entry.kind == LibraryKind::Control || entry.is_peer()) {
        bail!(Usage(format!("{} is no TLS library: there is nothing to check", other.id)));
    }
    Ok(named)
}

fn is_there(entry: &Entry, project: &Project) -> bool {
    entry.program_path(&project.home).is_some_and(|program| program.exists())
}

/// The partners that were named, or of the usual ones those that are there: one OpenSSL, and rustls.
fn partners<'a>(ids: &[Id], project: &'a Project) -> anyhow::Result<Vec<&'a Entry>> {
    if !ids.is_empty() {
        return Ok(project.registry.choose(ids)?);
    }
    let there = |id: &&str| project.registry.entry(id).ok().filter(|entry| is_there(entry, project));
    let mut found: Vec<&Entry> = PARTNERS.iter().filter_map(there).collect();
    if found.first().is_some_and(|first| first.id == PARTNERS[0]) {
        found.retain(|entry| entry.id != PARTNERS[1]);
    }
    Ok(found)
}
