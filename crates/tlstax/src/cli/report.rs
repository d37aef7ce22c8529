//! `tlstax report`: print results that were written earlier.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use tlstax_claims::{Book, answer};
use tlstax_report::{Published, View};

use super::common::Form;
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

    /// Set this machine beside the machines whose figures were published. They are a part of the program
    /// (reference/primitives.csv of its sources).
    #[arg(long)]
    with_published: bool,

    /// Hold the claims of the write-ups against these results, as `tlstax claims --from` does.
    #[arg(long)]
    claims: bool,
}

/// The published figures. In the program, so that a report needs no source tree.
const PUBLISHED: &str = include_str!("../../../../reference/primitives.csv");

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let results = tlstax_doc::read_results(&args.results)?;
    let published = match args.with_published {
        true => Published::parse(PUBLISHED).context("reference/primitives.csv, as it was built in")?,
        false => Published::default(),
    };
    let mut view = View::with_published(&results, &published);
    if args.claims {
        let book = Book::built_in();
        view = view.with_claims(&answer(&book, &[], &[&results])?);
    }
    print(args.form.draw(&view))?;
    Ok(ExitCode::SUCCESS)
}
