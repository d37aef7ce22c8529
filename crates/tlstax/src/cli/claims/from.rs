//! `tlstax claims --from`: answers from documents that exist.

use std::path::Path;
use std::process::ExitCode;

use tlstax_claims::Book;
use tlstax_doc::model::{Model, parse_model};
use tlstax_doc::{DocumentKind, Profile, Results, StoreError, document_kind, parse_profile, parse_results};
use tlstax_report::{Brief, View};

use super::super::answer as screen;
use super::args::Args;
use super::said::{Others, answers, view};
use crate::failure::{self, Usage};
use crate::output::{print, style, warn};

/// Answers from those files that can be read; the others are told, and make the end a failure.
pub fn answer(book: &Book, args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(word) = args.from.iter().find_map(|path| claim_in_place_of_file(book, path)) {
        let what = format!("'{word}' is no file, and the name of claims: write it before --from");
        return Err(Usage(what).into());
    }
    let (mut runs, mut others, mut refused) = (Vec::new(), Others::default(), Vec::new());
    for path in &args.from {
        match read(path) {
            Ok(Document::Results(results)) => runs.push(*results),
            Ok(Document::Profile(profile)) => others.profiles.push(profile),
            Ok(Document::Model(model)) => others.models.push(*model),
            Err(error) => refused.push(error),
        }
    }
    if runs.is_empty()
        && others.profiles.is_empty()
        && others.models.is_empty()
        && let Some(last) = refused.pop()
    {
        refused.iter().for_each(|error| warn(&format!("error: {error}")));
        return Err(last.into());
    }
    let runs: Vec<&Results> = runs.iter().collect();
    let view = view(book, &args.wanted, &runs, &others);
    print(match (args.extent.is_brief(args.measuring.form.is_text()), runs.as_slice()) {
        (false, _) => args.measuring.form.draw(&view)?,
        (true, [results]) => screen::of(results, &view, places(args)),
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

enum Document {
    Results(Box<Results>),
    Profile(Profile),
    Model(Box<Model>),
}

fn read(path: &Path) -> Result<Document, StoreError> {
    let text = tlstax_doc::read(path)?;
    match document_kind(&text) {
        DocumentKind::Profile => parse_profile(&text, path).map(Document::Profile),
        DocumentKind::Model => parse_model(&text, path).map(|model| Document::Model(Box::new(model))),
        // Workloads and plans answer no claim; as results they are refused with the name of what is needed.
        DocumentKind::Results | DocumentKind::Workload | DocumentKind::Plan => {
            parse_results(&text, path).map(|results| Document::Results(Box::new(results)))
        }
    }
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
pub fn again(args: &Args) -> String {
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
