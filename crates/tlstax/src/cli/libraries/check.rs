//! `tlstax libraries check`: the conformance suite, and every library against others over sockets.

use std::fmt::Write;
use std::process::ExitCode;

use tlstax_doc::{Library, Measurement, Outcome};
use tlstax_run::{Entry, Meeting, interop};
use tlstax_spec::{Id, Workload};

use super::{Project, complete};
use crate::failure;
use crate::output::print;
use crate::progress::Screen;

/// With whom libraries are tried where nobody says: two that are maintained apart from each other.
const PARTNERS: [&str; 3] = ["openssl-3.6", "openssl", "rustls-aws-lc"];

/// Try libraries with each other over loopback, both ways: what both claim, both must negotiate and prove.
///
/// Each library is server and client of itself, and of each library of --against. A figure of a library that cannot talk to
/// others is worth nothing. The conformance suite, which each worker passes when it is built, is counted beside it.
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

/// Lets libraries meet and prints a matrix; exit code 3 if a pair failed.
pub fn run(args: Args, project: &Project) -> anyhow::Result<ExitCode> {
    let meeting = Meeting {
        libraries: examined(&args.ids, project)?,
        against: partners(&args.against, project)?,
        every: args.every,
    };
    let mut screen = Screen::new(args.json);
    let found = interop(&meeting, &project.home, &mut screen);
    screen.clear();
    let found = found?;
    let text = match args.json {
        true => serde_json::to_string_pretty(&found.outcomes)? + "\n",
        false => matrix(&found.libraries, &found.outcomes),
    };
    print(&text)?;
    let failed = found.outcomes.iter().any(has_failed);
    Ok(if failed { ExitCode::from(failure::ENVIRONMENT) } else { ExitCode::SUCCESS })
}

fn examined<'a>(ids: &[Id], project: &'a Project) -> anyhow::Result<Vec<&'a Entry>> {
    if ids.is_empty() {
        let there = |entry: &&Entry| entry.program_path(&project.home).exists() && !entry.control;
        return Ok(project.registry.entries.iter().filter(there).collect());
    }
    Ok(project.registry.choose(ids)?)
}

/// The partners that were named, or of the usual ones those that are there: one OpenSSL, and rustls.
fn partners<'a>(ids: &[Id], project: &'a Project) -> anyhow::Result<Vec<&'a Entry>> {
    if !ids.is_empty() {
        return Ok(project.registry.choose(ids)?);
    }
    let there = |id: &&str| {
        project.registry.entry(id).ok().filter(|entry| entry.program_path(&project.home).exists())
    };
    let mut found: Vec<&Entry> = PARTNERS.iter().filter_map(there).collect();
    if found.first().is_some_and(|first| first.id == PARTNERS[0]) {
        found.retain(|entry| entry.id != PARTNERS[1]);
    }
    Ok(found)
}

fn has_failed(one: &Measurement) -> bool {
    matches!(one.outcome, Outcome::Failed { .. })
}

/// Who was the client of a case.
fn client(one: &Measurement) -> &str {
    match &one.case.workload {
        Workload::Load(load) => &load.client,
        _ => "",
    }
}

/// Servers down, clients across: how many combinations worked of those that both claim; then those that failed.
fn matrix(libraries: &[Library], outcomes: &[Measurement]) -> String {
    let ids: Vec<&str> =
        libraries.iter().filter(|one| one.hello.is_some()).map(|one| one.id.as_str()).collect();
    let width = ids.iter().map(|id| id.len()).max().unwrap_or(0).max(16);
    let mut text = format!("{:width$}", "server \\ client");
    for id in &ids {
        _ = write!(text, "  {id:>9}");
    }
    text.push('\n');
    for server in &ids {
        _ = write!(text, "{server:width$}");
        for other in &ids {
            let met: Vec<_> =
                outcomes.iter().filter(|one| one.case.library == *server && client(one) == *other).collect();
            let worked = met.iter().filter(|one| matches!(one.outcome, Outcome::Measured { .. })).count();
            let cell = if met.is_empty() { "-".to_owned() } else { format!("{worked}/{}", met.len()) };
            _ = write!(text, "  {cell:>0$}", other.len().max(9));
        }
        text.push('\n');
    }
    for library in libraries {
        if let Some(why) = &library.unavailable {
            _ = writeln!(text, "{}: not available: {why}", library.id);
        } else if let Some(made) = &library.made {
            _ = writeln!(
                text,
                "{}: conformance {} passed, {} skipped",
                library.id, made.passed, made.skipped
            );
        }
    }
    let holes = outcomes.iter().filter_map(|one| Some((&one.id, one.outcome.hole()?)));
    text.extend(holes.map(|(id, why)| format!("{id}: {why}\n")));
    text
}
