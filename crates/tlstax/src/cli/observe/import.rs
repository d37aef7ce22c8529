//! Profiles that others have taken.

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use tlstax_doc::StoreError;
use tlstax_observe::{Classifier, Collector, Input, Surroundings, read};

use super::args::Args;
use super::show::show;
use crate::cli::documents::tool;
use crate::failure::Usage;

pub fn run(args: &Args, file: &Path, classifier: &Classifier) -> anyhow::Result<ExitCode> {
    let input = open(file)?;
    let input = match args.format_of_file {
        Some(format) => input.of(format),
        None => input,
    };
    let mut collector = Collector::new(classifier);
    let facts = read(input, &mut collector).map_err(|error| Usage(error.to_string()))?;
    let surroundings = Surroundings { work: args.work.work(), ..Surroundings::default() };
    let profile = collector.finish(facts, surroundings, tool());
    // What others have recorded is kept by them; a document of it is written where that is asked for.
    show(args, profile, args.output.is_some())
}

/// A file, or standard input for `-`.
fn open(file: &Path) -> anyhow::Result<Input<'static>> {
    if file == Path::new("-") {
        return Ok(Input::stream("standard input", io::stdin()));
    }
    let name = file.display().to_string();
    let failed = |source| StoreError::Read { path: file.to_owned(), source };
    let opened = File::open(file).map_err(failed)?;
    let metadata = opened.metadata().map_err(failed)?;
    if metadata.is_dir() {
        return Err(Usage(format!("{name} is a folder: name a file with a profile")).into());
    }
    // A pipe that has a name cannot be gone back in.
    Ok(if metadata.is_file() { Input::file(name, opened) } else { Input::stream(name, opened) })
}
