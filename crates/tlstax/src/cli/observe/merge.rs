//! `tlstax observe merge`: one profile of several.

use std::path::PathBuf;
use std::process::ExitCode;

use tlstax_doc::{Profile, merge, read_profile, write_profile};

use super::super::answer::Extent;
use super::super::common::Form;
use super::super::profiles;
use crate::failure::Usage;
use crate::output::{print, style, warn};

/// Make one profile of several: of a fleet's hosts, or of one host at several times.
///
/// Exact: it is what one profile of all the samples would have been, whatever the order.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files that `tlstax observe` wrote.
    #[arg(required = true, value_name = "PROFILE")]
    profiles: Vec<PathBuf>,

    /// The file of the merged profile.
    #[arg(long, short, value_name = "FILE", help_heading = "Results")]
    output: Option<PathBuf>,

    #[command(flatten)]
    form: Form,

    #[command(flatten)]
    extent: Extent,
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let read = args.profiles.iter().map(|path| read_profile(path)).collect::<Result<Vec<Profile>, _>>()?;
    let merged = merge(&read).map_err(|error| Usage(error.to_string()))?;
    if let Some(path) = &args.output {
        write_profile(path, &merged)?;
    }
    let named = [("merged".to_owned(), merged)];
    let view = profiles::view(&named);
    let rest = args.output.iter().map(|path| format!("The profile: {}", path.display())).collect();
    print(match args.extent.is_brief(args.form.is_text()) {
        true => profiles::brief(&named, &view, rest).draw(&style()),
        false => args.form.draw(&view)?,
    })?;
    if args.output.is_none() {
        warn("the merged profile is not kept: name a file with --output");
    }
    Ok(ExitCode::SUCCESS)
}
