//! What the frames of a program say a stack is for.

use tlstax_doc::{Class, Cost};

use super::algorithm;
use super::meaning::{Meaning, Operation, Part, Task};
use super::reading::Read;
use super::step::{By, Step, steps};
use super::tls::{Tls, of_instructions};
use super::verdict::{Verdict, unknown};

/// The class of the frames of a program, the innermost first.
pub fn judge(frames: &[Read<'_>]) -> Verdict {
    let steps = steps(frames);
    match begin_of_tls(&steps) {
        Some(begin) if is_called_back(&steps[begin..]) => elsewhere(&steps),
        Some(begin) => Tls::of(&steps, begin, frames).verdict(),
        None => by_instructions(frames).unwrap_or_else(|| elsewhere(&steps)),
    }
}

/// Where the outermost TLS function is. Where nobody knows what stands outside of cryptography, it is taken for TLS's.
fn begin_of_tls(steps: &[Step<'_>]) -> Option<usize> {
    let tls = steps.iter().position(|step| step.part == Some(Part::Tls));
    let crypto = steps.iter().position(|step| step.part == Some(Part::Crypto));
    let crypto = crypto.filter(|at| steps[..*at].iter().all(Step::is_nobodys));
    // Errors, streams and certificates are asked for by a server itself, and for no other reason than TLS.
    let help = || steps.iter().position(|step| step.part == Some(Part::Crypto) && is_help(step.meaning));
    tls.or(crypto).or_else(help)
}

/// Whether TLS has called the server: what is innermost is the server's, or in a file that is no library's where TLS is one's.
fn is_called_back(steps: &[Step<'_>]) -> bool {
    let innermost = steps.iter().rev().find(|step| !step.is_nobodys());
    let is_in_a_library = steps[0].module.is_some() && steps[0].is_of_a_library;
    innermost.is_some_and(|step| match step.part {
        Some(part) => part.is_other(),
        None => is_in_a_library && !step.is_of_a_library && step.module.is_some() && step.by != By::BuildId,
    })
}

fn is_help(meaning: &Meaning) -> bool {
    let is_help = matches!(meaning.operation, Some(Operation::Is(Cost::Protocol | Cost::Certificate)));
    is_help || meaning.task == Some(Task::Certificate)
}

/// A program that is linked statically and stripped: where no function of the innermost file has a name, only instructions speak.
fn by_instructions(frames: &[Read<'_>]) -> Option<Verdict> {
    let (innermost, reading) = frames.first()?;
    let found = innermost.instructions.filter(|found| !found.is_empty())?;
    let has_names =
        frames.iter().any(|(frame, _)| frame.module == innermost.module && frame.function.is_some());
    let verdict = of_instructions(found);
    (reading.part.is_none() && !has_names && verdict.0.cost != Cost::OtherTls).then_some(verdict)
}

/// No TLS: the innermost frame that is somebody's.
fn elsewhere(steps: &[Step<'_>]) -> Verdict {
    let is_somebodys =
        |step: &&Step<'_>| !matches!(step.part, Some(Part::Neutral | Part::Root)) && !step.is_nobodys();
    if let Some(step) = steps.iter().rev().find(is_somebodys) {
        let cost = match step.part {
            Some(Part::Other(cost)) => cost,
            Some(Part::Crypto) => Cost::Cryptography,
            _ => Cost::Application,
        };
        let class = Class::of(cost, algorithm::named(step.meaning.hint));
        // Cryptography of the server's own: by the function that the server has called.
        let called = steps.iter().find(|one| one.part == Some(Part::Crypto));
        let called = called.filter(|_| step.part == Some(Part::Crypto));
        return (class, called.unwrap_or(step).evidence());
    }
    if let Some(root) = steps.iter().find(|step| step.part == Some(Part::Root)) {
        return (Cost::Application.into(), root.evidence());
    }
    let innermost = steps.iter().rev().find(|step| step.module.is_some() || step.name.is_some());
    match innermost.map(|step| (step.name, step.module)) {
        Some((Some(name), _)) => {
            unknown(format!("the stack was cut at {name}, before a function that is somebody's"))
        }
        Some((None, Some(module))) if module.starts_with('[') => unknown(format!("{module} has no names")),
        Some((None, Some(module))) => {
            unknown(format!("the stack was cut in {module}, before a function that is somebody's"))
        }
        _ => unknown("no frame has a name or a file"),
    }
}
