//! What becomes of a profile: it is printed, and kept where that is asked for.

use std::path::Path;
use std::process::ExitCode;

use tlstax_doc::Profile;

use super::args::Args;
use super::files;
use crate::cli::profiles;
use crate::output::{print, style, warn};

/// Prints a profile, and writes it where it is to be kept.
pub fn show(args: &Args, profile: Profile, is_kept: bool) -> anyhow::Result<ExitCode> {
    let name = args
        .output
        .as_deref()
        .and_then(Path::file_stem)
        .map_or("profile".into(), |stem| stem.to_string_lossy());
    let named = [(name.into_owned(), profile)];
    let view = profiles::view(&named);
    let written = is_kept.then(|| files::write_all(args.output.as_deref(), &named[0].1, &view));
    let places = match &written {
        Some(Ok(written)) => written.places(),
        _ => Vec::new(),
    };
    // Whatever becomes of the files, what was found is shown.
    let is_brief = args.extent.is_brief(args.form.is_text());
    print(match is_brief {
        true => profiles::brief(&named, &view, places.clone()).draw(&style()),
        false => args.form.draw(&view)?,
    })?;
    written.transpose()?;
    if !args.quiet && !is_brief {
        places.iter().for_each(|place| warn(place));
    }
    Ok(ExitCode::SUCCESS)
}
