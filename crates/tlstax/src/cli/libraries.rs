//! `tlstax libraries`: what is there, and how to get what is not.

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Subcommand;
use tlstax_libraries::{Block, BuildError, Builder, Cache};
use tlstax_measure::signal::interrupted;

use super::common::catch_signals;
use super::complete;
use super::project::Project;
use crate::failure;
use crate::output::warn;

mod add;
mod check;
mod conform;
mod list;

/// List the TLS libraries, the servers and clients, what they can do, and how to get those that are missing.
///
/// Each line says what the library itself answers when it is started: its version, its build, what it can do. A library
/// that comes from source is built once and kept in a cache (TLSTAX_CACHE, else ~/.cache/tlstax); its worker is used only
/// when it has passed the conformance suite.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,

    #[command(flatten)]
    list: list::Args,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Build libraries and their workers; one that fails does not stop the others.
    ///
    /// What was built before and has not changed is not built again.
    #[command(
        after_help = "Words in place of ids:\n  default    what is measured when nobody names a library\n  \
                            fast       all that need no library to be built (so where nothing is named)\n  \
                            standard   AWS-LC, OpenSSL 1.1.1 with weak ciphers, OpenSSL 3.6, Mbed TLS, s2n: some minutes\n  \
                            all        everything"
    )]
    Build {
        /// Ids of libraries, or default, fast, standard, all.
        #[arg(value_name = "ID", add = complete::ids())]
        ids: Vec<String>,
        /// Fail if any of them cannot be built, not only if none can.
        #[arg(long)]
        strict: bool,
    },
    Add(add::Args),
    Check(check::Args),
    Conform(conform::Args),
}

pub fn run(args: Args, project: &Project) -> anyhow::Result<ExitCode> {
    if args.verb.is_some() {
        catch_signals()?;
    }
    match args.verb {
        Some(Verb::Build { ids, strict }) => build_all(&ids, strict, project),
        Some(Verb::Add(args)) => add::run(args, project),
        Some(Verb::Check(args)) => check::run(args, project),
        Some(Verb::Conform(args)) => conform::run(&args, project),
        None => list::run(&args.list, project),
    }
}

/// So many are built at the same time: while one passes its suite in one thread, another compiles.
const AT_ONCE: usize = 2;

fn build_all(ids: &[String], strict: bool, project: &Project) -> anyhow::Result<ExitCode> {
    let blocks = named(ids, project)?;
    let builder = Builder::new(&project.home, &project.registry, Cache::find());
    let (next, usable) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE.min(blocks.len()) {
            scope.spawn(|| {
                while let Some((at, block)) = take(&blocks, &next) {
                    let place = format!("[{}/{}] {}", at + 1, blocks.len(), block.id);
                    usable.fetch_add(usize::from(build_one(block, &builder, &place)), Ordering::Relaxed);
                }
            });
        }
    });
    if interrupted() {
        return Ok(ExitCode::from(failure::INTERRUPTED));
    }
    // Some are enough to go on with; none is not.
    let wanted = if strict { blocks.len() } else { 1 };
    Ok(if usable.into_inner() >= wanted { ExitCode::SUCCESS } else { ExitCode::from(failure::ENVIRONMENT) })
}

/// The next entry that nobody builds yet; none when the user wants to stop.
fn take<'a>(blocks: &[&'a Block], next: &AtomicUsize) -> Option<(usize, &'a Block)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    blocks.get(at).filter(|_| !interrupted()).map(|block| (at, *block))
}

/// Builds one and tells what becomes of it; whether it can be used.
fn build_one(block: &Block, builder: &Builder<'_>, place: &str) -> bool {
    warn(&format!("{place}: {}", block.about));
    let built = builder.build(block, &mut |what| warn(&format!("{place}: {what}")));
    match &built {
        Ok(true) => {}
        Ok(false) => warn(&format!("{place}: is up to date")),
        Err(error @ BuildError::Interrupted(_)) => warn(&error.to_string()),
        Err(error) => warn(&format!("not available: {error}")),
    }
    built.is_ok()
}

/// The blocks of ids and words, each once.
fn named<'a>(ids: &[String], project: &'a Project) -> anyhow::Result<Vec<&'a Block>> {
    let fast = ["fast".to_owned()];
    let mut blocks: Vec<&Block> = Vec::new();
    for id in if ids.is_empty() { &fast } else { ids } {
        let more = match project.registry.group(id) {
            Some(group) => group,
            None => vec![project.registry.find(id)?],
        };
        for entry in more {
            let of_others =
                || format!("{} is a program of others: tlstax libraries says how to install it", entry.id);
            let block = entry.block().ok_or_else(|| failure::Usage(of_others()))?;
            if !blocks.iter().any(|one| one.id == block.id) {
                blocks.push(block);
            }
        }
    }
    Ok(blocks)
}
