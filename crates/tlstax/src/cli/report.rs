//! `tlstax report`: print results that were written earlier.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tlstax_claims::Book;
use tlstax_report::{Published, View};

use super::answer::{self, Extent};
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

    #[command(flatten)]
    extent: Extent,

    /// Set this machine beside the machines whose figures were published. They are a part of the program
    /// (reference/primitives.csv of its sources).
    #[arg(long)]
    with_published: bool,

    /// Hold the claims of the write-ups against these results, as `tlstax claims --from` does.
    #[arg(long)]
    claims: bool,
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let results = tlstax_doc::read_results(&args.results)?;
    let published = match args.with_published {
        true => answer::published()?,
        false => Published::default(),
    };
    let mut view = View::with_published(&results, &published);
    if args.claims {
        let book = Book::built_in();
        view = view.with_claims(&tlstax_claims::answer(&book, &[], &[&results])?);
    }
    print(match args.extent.is_brief(args.form.is_text()) {
        true => answer::of(&results, &view, places(&args.results))?,
        false => args.form.draw(&view),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// How to see what the answer leaves out.
fn places(results: &Path) -> Vec<String> {
    let file = results.display();
    vec![
        format!("Every table: tlstax report {file} --full"),
        format!("With charts: tlstax report {file} --format html > report.html"),
    ]
}
