//! [`count`]: from inputs to a workload.

use tlstax_doc::{Workload, merge_workloads};

use super::bad::BadEntry;
use super::choose::{Chooser, Chosen};
use super::error::InputError;
use super::notice::Notice;
use super::open::Input;
use super::pool::{self, Orders};
use super::settings::Settings;
use super::shared::Shared;

/// How far it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Bytes that were read, as they are on the disk.
    pub done: u64,
    /// Of so many, where that is known.
    pub of: Option<u64>,
}

/// What was counted.
#[derive(Debug)]
pub struct Counted {
    pub workload: Workload,
    /// The first entries that are bad, by input and place.
    pub bad: Vec<BadEntry>,
    pub notices: Vec<Notice>,
    /// Names of inputs, each with the format that it was recognised as; none where the format was given.
    pub recognised: Vec<(String, String)>,
    /// Whether somebody has asked for the end before it: then it is a part.
    pub was_interrupted: bool,
}

/// Counts what is in inputs. Somebody who calls [`tlstax_measure::signal::install`] before may interrupt it; what was counted up to
/// then is kept.
///
/// # Errors
/// An input cannot be opened, or nobody can tell its format. Nothing is counted then.
pub fn count(
    inputs: &[Input],
    settings: &Settings,
    tell: &mut dyn FnMut(Progress),
) -> Result<Counted, InputError> {
    let shared = Shared::default();
    let mut chooser = Chooser::new(settings, &shared)?;
    inputs.iter().try_for_each(|input| chooser.add(input))?;
    let given = chooser.given();
    let Chosen { labels, jobs, captures, written, of, recognised } = chooser.finish()?;
    let orders = Orders { labels: &labels, settings };
    let mut tell = || tell(Progress { done: shared.read(), of });
    let (workload, bad) = pool::count(&orders, jobs, captures, &shared, &mut tell);
    // Also where all inputs are empty, it is known what they would have told.
    let nothing = given.map(|reader| reader.part(settings.window).finish(&settings.tool));
    let parts: Vec<Workload> = std::iter::once(workload).chain(nothing).chain(written).collect();
    let workload = merge_workloads(&settings.tool, &parts);
    let names: Vec<String> = labels.into_iter().map(|label| label.name).collect();
    Ok(Counted {
        workload,
        bad: bad.named(&names),
        notices: shared.take_notices(),
        recognised,
        was_interrupted: shared.is_to_end(),
    })
}

#[cfg(test)]
mod tests;
