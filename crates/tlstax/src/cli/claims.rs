//! `tlstax claims`: what others have claimed of the cost of TLS, held against this machine.

mod study;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tlstax_claims::{Answer, Book};
use tlstax_doc::Results;
use tlstax_report::{Brief, View, claims_view};

use self::study::Asked;
use super::answer::{self, Extent};
use super::common::{self, Measuring, Showing};
use super::complete;
use super::project::Project;
use crate::failure::{self, Usage};
use crate::output::{print, style, warn};

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
                        tlstax claims --file mine.toml --format md   # claims of your own: docs/claims.md has the form\n  \
                        tlstax claims --list                         # the cases that would be measured")]
pub struct Args {
    /// Ids of claims, or sources: S0 to S4 for the write-ups. All claims if none are named.
    #[arg(value_name = "ID|SOURCE", add = complete::claims())]
    wanted: Vec<String>,

    /// The quick form: fewer cases in a fifth of the time, with wider intervals.
    #[arg(long, conflicts_with = "from")]
    quick: bool,

    /// Measure nothing: answer from results that exist. Ratios are made within each of them, never between two.
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
        return from_results(&book, &args);
    }
    let project = project()?;
    let asked = Asked { book: &book, wanted: &args.wanted, quick: args.quick, is_own: args.file.is_some() };
    let study = study::of(&asked, &args.measuring, &project)?;
    if study.exactly.is_empty() {
        print(args.measuring.form.draw(&claims_view(&unmeasured, &[])))?;
        return Ok(ExitCode::SUCCESS);
    }
    let again = again(&args);
    let measuring = Measuring { library: study::libraries(&study), ..args.measuring };
    let is_brief = args.extent.is_brief(measuring.form.is_text());
    let view = |results: &Results| view(&book, &args.wanted, &[results]);
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

fn view(book: &Book, wanted: &[String], runs: &[&Results]) -> View {
    let answers = answers(book, wanted, runs);
    claims_view(&answers.unwrap_or_else(|error| unreachable!("the words were looked at: {error}")), runs)
}

/// Answers from those files that can be read; the others are told, and make the end a failure.
fn from_results(book: &Book, args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(word) = args.from.iter().find_map(|path| claim_in_place_of_file(book, path)) {
        let what = format!("'{word}' is no file, and the name of claims: write it before --from");
        return Err(Usage(what).into());
    }
    let (mut runs, mut refused) = (Vec::new(), Vec::new());
    for path in &args.from {
        match tlstax_doc::read_results(path) {
            Ok(results) => runs.push(results),
            Err(error) => refused.push(error),
        }
    }
    if runs.is_empty()
        && let Some(last) = refused.pop()
    {
        refused.iter().for_each(|error| warn(&format!("error: {error}")));
        return Err(last.into());
    }
    let runs: Vec<&Results> = runs.iter().collect();
    let view = view(book, &args.wanted, &runs);
    print(match (args.extent.is_brief(args.measuring.form.is_text()), runs.as_slice()) {
        (false, _) => args.measuring.form.draw(&view),
        (true, [results]) => answer::of(results, &view, places(args)),
        (true, _) => several(&view, places(args)).draw(&style()),
    })?;
    refused.iter().for_each(|error| warn(&format!("left out: {error}")));
    Ok(if refused.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(failure::USAGE) })
}

/// The word, where somebody has named claims behind `--from`, which takes all that follows it.
fn claim_in_place_of_file<'p>(book: &Book, path: &'p Path) -> Option<&'p str> {
    let word = path.to_str().filter(|_| !path.exists())?;
    answers(book, &[word.to_owned()], &[]).is_ok().then_some(word)
}

/// How to see what the answer leaves out.
fn places(args: &Args) -> Vec<String> {
    let files: Vec<String> = args.from.iter().map(|path| path.display().to_string()).collect();
    let again = format!("{} {}", again(args), files.join(" "));
    vec![
        format!("Every claim: {again} --full"),
        format!("With pictures: {again} --format html > claims.html"),
    ]
}

/// What answers the same claims again, but for the files of the results behind it.
fn again(args: &Args) -> String {
    let wanted = args.wanted.iter().map(|word| format!(" {word}")).collect::<String>();
    let file = args.file.as_ref().map(|file| format!(" --file {}", file.display())).unwrap_or_default();
    format!("tlstax claims{wanted}{file} --from")
}

/// One screen of what several runs say.
fn several(view: &View, rest: Vec<String>) -> Brief {
    let said = view.sections.iter().flat_map(|section| &section.answers);
    let answers =
        said.enumerate().map(|(rank, said)| tlstax_report::Answer { said: said.clone(), rank }).collect();
    Brief {
        machine: vec![view.about.clone()],
        question: view.title.clone(),
        answers,
        rest,
        ..Brief::default()
    }
}
