//! `tlstax report`: print results that were written earlier.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use tlstax_report::{Published, View};

use super::common::Form;
use super::top::Project;
use crate::output::print;

/// Print results that were written earlier, in any format.
///
/// Summaries are computed from the raw samples each time, so older results gain from a newer tlstax.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tlstax report results/quick-….json\n  tlstax report results/quick-….json --format \
                        html > report.html\n  tlstax report results/quick-….json --with-published"
)]
pub struct Args {
    /// A file that `tlstax measure` wrote.
    results: PathBuf,

    #[command(flatten)]
    form: Form,

    /// Set this machine beside the machines whose figures were published (reference/primitives.csv).
    #[arg(long)]
    with_published: bool,
}

/// Prints a report.
pub fn run(args: Args, project: &Project) -> anyhow::Result<ExitCode> {
    let results = tlstax_doc::read_results(&args.results)?;
    let published = match args.with_published {
        true => {
            let path = project.home.reference().join("primitives.csv");
            let text = tlstax_doc::read(&path)?;
            Published::parse(&text).with_context(|| path.display().to_string())?
        }
        false => Published::default(),
    };
    print(&args.form.draw(&View::with_published(&results, &published)))?;
    Ok(ExitCode::SUCCESS)
}
