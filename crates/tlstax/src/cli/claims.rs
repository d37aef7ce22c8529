//! `tlstax claims`: what others have claimed of the cost of TLS, held against this machine.

mod args;
mod from;
mod said;
mod study;

use std::path::Path;
use std::process::ExitCode;

use tlstax_claims::Book;
use tlstax_doc::Results;
use tlstax_report::claims_view;

pub use self::args::Args;
use self::said::{Others, answers, view};
use self::study::Asked;
use super::common::{Measuring, Showing};
use super::measuring;
use super::project::Project;
use crate::failure::Usage;
use crate::output::print;

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
        print(args.measuring.form.draw(&claims_view(&unmeasured, &[]))?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let again = from::again(&args);
    let measuring = Measuring { library: study::libraries(&study), ..args.measuring };
    let printed = args.extent.printed(measuring.form.is_text());
    let view = |results: &Results| view(&book, &args.wanted, &[results], &Others::default());
    let showing = Showing { view: &view, again: &again, printed };
    measuring::measure_as(study, measuring, &project, &showing)
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
