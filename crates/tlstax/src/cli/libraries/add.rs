//! `tlstax libraries add`: a library of the user's own, like one that is known.

use std::path::PathBuf;
use std::process::ExitCode;

use tlstax_libraries::Registry;
use tlstax_spec::Id;

use super::prefix::Installation;
use crate::cli::complete;
use crate::cli::project::Project;
use crate::failure;
use crate::output::{print, warn};

/// Add a library of your own: another build or version of one that is known.
///
/// Shared libraries with the name that the known worker was linked to (libssl.so.3 for any OpenSSL 3.x) need no compiler: the
/// worker is pointed at them. Static ones get a worker of their own. What is added is kept in workers/own.toml.
#[derive(Debug, clap::Args)]
#[group(id = "adding")]
#[command(after_help = "Examples:\n  tlstax libraries add mine --like openssl --prefix /opt/openssl-3.6\n  \
                        tlstax measure quick --library openssl,mine")]
pub struct Args {
    /// What to call it.
    id: Id,

    /// The known library that it is used like.
    #[arg(long, value_name = "ID", add = complete::ids())]
    like: String,

    /// Where it is installed: the folder that holds include and lib.
    #[arg(long, value_name = "DIR")]
    prefix: PathBuf,
}

/// Writes the block, builds or points the worker, and asks the library who it is.
pub fn run(args: Args, project: &Project) -> anyhow::Result<ExitCode> {
    // A block that is added to a file that cannot be read would be lost in it.
    Registry::read(&project.home, None)?;
    let asked = Installation { id: &args.id, like: &args.like, prefix: &args.prefix };
    let found = asked.find(project)?;
    if let Some(why) = &found.library.unavailable {
        warn(&format!("{} was not added: {why}", args.id));
        return Ok(ExitCode::from(failure::ENVIRONMENT));
    }
    found.prove(project)?;
    let own = project.home.own_registry();
    let before = if own.is_file() { tlstax_doc::read(&own)? } else { String::new() };
    let end = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
    tlstax_doc::write(&own, format!("{before}{end}{}", found.block.text()).as_bytes())?;
    print(format!("{}: {}\nadded to {}\n", args.id, found.version(), own.display()))?;
    Ok(ExitCode::SUCCESS)
}
