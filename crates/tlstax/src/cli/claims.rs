//! `tlstax claims`: what others have claimed of the cost of TLS, held against this machine.

mod from;
mod study;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tlstax_claims::{Answer, Book, Witness};
use tlstax_doc::{Profile, Results};
use tlstax_report::{ProfileWitness, View, claims_view};

use self::study::Asked;
use super::answer::Extent;
use super::common::{self, Measuring, Showing};
use super::complete;
use super::project::Project;
use crate::failure::Usage;
use crate::output::print;

/// Hold what others have claimed of the cost of TLS against this machine.
///
/// The claims are those of five write-ups on what TLS costs (S0 to S4; docs/write-ups.md), or your own. Each is answered with the
/// figure there and its machine, the figure here with its interval, and a verdict: holds, does not hold, cannot tell, or not
/// measurable here, with the reason. The interval decides, not the median, and a ratio is made within one run. A rate of another
/// machine has no verdict: it is told how many times as fast it is here.
///
/// Only what the claims need is measured: all of them take 15 minutes, 3 with --quick, one of them some seconds. The results are
/// a document as `tlstax measure` writes it, which --from and `tlstax report` read again.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  tlstax claims                                # all of them\n  \
                        tlstax claims --quick\n  \
                        tlstax claims S1 S3-ecdsa-rsa                # those of one write-up, and a single one\n  \
                        tlstax claims --from results/claims-….json   # on results that exist\n  \
                        tlstax claims S1 --from a.json b.json        # of two machines, side by side\n  \
                        tlstax claims S3 --from profile-….json       # what a profile says\n  \
                        tlstax claims --file mine.toml --format md   # claims of your own: docs/claims.md has the form\n  \
                        tlstax claims --list                         # the cases that would be measured")]
pub struct Args {
    /// Ids of claims, or sources: S0 to S4 for the write-ups. All claims if none are named.
    #[arg(value_name = "ID|SOURCE", add = complete::claims())]
    wanted: Vec<String>,

    /// The quick form: fewer cases in a fifth of the time, with wider intervals.
    #[arg(long, conflicts_with = "from")]
    quick: bool,

    /// Measure nothing: answer from results that exist, and from profiles of tlstax observe. Ratios are made within each of them, never between two.
    #[arg(
        long,
        value_name = "RESULTS",
        num_args = 1..,
        conflicts_with_all = ["library", "budget", "precision", "seed", "list", "verify", "output"]
    )]
    from: Vec<PathBuf>,

    /// Claims of your own, in place of those of the write-ups: a file of the form that docs/claims.md describes.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,

    #[command(flatten)]
    measuring: Measuring,

    #[command(flatten)]
    extent: Extent,
}

pub fn run(args: Args, project: impl FnOnce() -> anyhow::Result<Project>) -> anyhow::Result<ExitCode> {
    refuse(&args.measuring)?;
    let book = book(args.file.as_deref())?;
    // A word that is wrong is told before anything is measured.
    let unmeasured = answers(&book, &args.wanted, &[])?;
    if !args.from.is_empty() {
        return from::answer(&book, &args);
    }
    let project = project()?;
    let asked = Asked { book: &book, wanted: &args.wanted, quick: args.quick, is_own: args.file.is_some() };
    let study = study::of(&asked, &args.measuring, &project)?;
    if study.exactly.is_empty() {
        print(args.measuring.form.draw(&claims_view(&unmeasured, &[])))?;
        return Ok(ExitCode::SUCCESS);
    }
    let again = from::again(&args);
    let measuring = Measuring { library: study::libraries(&study), ..args.measuring };
    let is_brief = args.extent.is_brief(measuring.form.is_text());
    let view = |results: &Results| view(&book, &args.wanted, &[results], &[]);
    let showing = Showing { view: &view, again: &again, is_brief };
    common::measure_as(study, measuring, &project, &showing)
}

/// Flags that say how to measure, and make no sense where claims say what.
fn refuse(flags: &Measuring) -> Result<(), Usage> {
    if !flags.without.is_empty() {
        return Err(Usage("a claim says itself what is switched off: leave --without away".to_owned()));
    }
    if flags.count.is_some() {
        return Err(Usage("claims are about time, and counts are no time: leave --count away".to_owned()));
    }
    Ok(())
}

fn book(file: Option<&Path>) -> anyhow::Result<Book> {
    let Some(path) = file else { return Ok(Book::built_in()) };
    let text = tlstax_doc::read(path)?;
    Book::read(&text, &path.display().to_string()).map_err(|error| Usage(error.to_string()).into())
}

fn answers<'b>(book: &'b Book, wanted: &[String], runs: &[&Results]) -> Result<Vec<Answer<'b>>, Usage> {
    tlstax_claims::answer(book, wanted, runs).map_err(|error| Usage(error.to_string()))
}

fn view(book: &Book, wanted: &[String], runs: &[&Results], profiles: &[Profile]) -> View {
    let witnesses: Vec<ProfileWitness<'_>> = profiles.iter().map(ProfileWitness).collect();
    let witnesses: Vec<&dyn Witness> = witnesses.iter().map(|witness| witness as &dyn Witness).collect();
    let answers = tlstax_claims::answer_with(book, wanted, runs, &witnesses);
    claims_view(&answers.unwrap_or_else(|error| unreachable!("the words were looked at: {error}")), runs)
}
