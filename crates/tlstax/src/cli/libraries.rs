//! `tlstax libraries`: what is there, and how to get what is not.

use std::process::ExitCode;

use clap::Subcommand;

use super::common::catch_signals;
use super::complete;
use super::project::Project;

mod add;
mod build;
mod check;
mod conform;
mod list;
pub mod prefix;

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
        Some(Verb::Build { ids, strict }) => build::run(&ids, strict, project),
        Some(Verb::Add(args)) => add::run(args, project),
        Some(Verb::Check(args)) => check::run(args, project),
        Some(Verb::Conform(args)) => conform::run(&args, project),
        None => list::run(&args.list, project),
    }
}
