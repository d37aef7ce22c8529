//! `tlstax observe`: how much of a running server's CPU time is TLS, and which part of TLS.

mod args;
mod files;
mod import;
mod live;
mod merge;
mod show;
mod target;
mod watch;

use std::path::Path;
use std::process::ExitCode;

use tlstax_observe::Classifier;

pub use self::args::Args;
use self::args::Other;
use super::new_files;
use crate::failure::Usage;

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    if let Some(Other::Merge(merge)) = args.other {
        return merge::run(merge);
    }
    new_files::check(args.output.as_deref())?;
    let classifier = classifier(args.rules.as_deref())?;
    match (&args.file, args.target.is_named()) {
        (Some(file), _) => import::run(&args, file, &classifier),
        (None, true) => live::run(&args, &classifier),
        (None, false) => Err(Usage(
            "what is to be observed? --pid NUMBER, --name PROGRAM, --cgroup PATH or --system for what runs, or a file with a \
             profile: see tlstax observe --help"
                .to_owned(),
        )
        .into()),
    }
}

fn classifier(rules: Option<&Path>) -> anyhow::Result<Classifier> {
    let Some(path) = rules else { return Ok(Classifier::built_in()) };
    let text = tlstax_doc::read(path)?;
    Classifier::built_in()
        .with_rules(&text, &path.display().to_string())
        .map_err(|error| Usage(error.to_string()).into())
}
