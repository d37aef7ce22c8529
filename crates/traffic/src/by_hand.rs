//! Workloads that a person writes by hand: some lines of TOML, of which all but a rate may be left out.

mod counts;
mod form;
mod parts;
mod problem;
mod shares;

use tlstax_doc::{Kind, Share, Source, Tool, Workload};

use self::counts::{Counted, count};
use self::form::Form;

pub use self::problem::Problem;

/// Why a text is no workload.
#[derive(Debug, thiserror::Error)]
pub enum ByHandError {
    #[error("{path}: {source}")]
    Malformed { path: String, source: toml::de::Error },
    #[error("{path}: {problem}")]
    Wrong { path: String, problem: Problem },
}

/// Reads a workload that was written by hand; the path is for messages.
///
/// # Errors
/// It is not of the form, shares do not sum to 100, or it says what cannot be; with the place.
pub fn by_hand(text: &str, path: &str, tool: Tool) -> Result<Workload, ByHandError> {
    let malformed = |source| ByHandError::Malformed { path: path.to_owned(), source };
    let form: Form = toml::from_str(text).map_err(malformed)?;
    let wrong = |problem| ByHandError::Wrong { path: path.to_owned(), problem };
    let kinds = form.kinds().map_err(wrong)?;
    let counted = count(&form, &kinds).map_err(wrong)?;
    Ok(document(&form, kinds, counted, text, tool))
}

fn document(form: &Form, kinds: Vec<(Kind, f64)>, counted: Counted, text: &str, tool: Tool) -> Workload {
    let source = Source {
        format: "by-hand".to_owned(),
        tells: form.tells(),
        bytes: text.len() as u64,
        entries: 0,
        bad: Default::default(),
        passed_over: Default::default(),
    };
    let shares = kinds.into_iter().zip(counted.counts).map(|((kind, _), counts)| Share { kind, counts });
    let mut shares: Vec<Share> = shares.filter(|share| share.counts != Default::default()).collect();
    shares.sort_by(|one, other| one.kind.cmp(&other.kind));
    Workload {
        sources: vec![source],
        shares,
        request_ordinals: counted.ordinals,
        response_bytes: counted.responses,
        request_bytes: counted.requests,
        series: counted.series,
        ..Workload::empty(tool)
    }
}

#[cfg(test)]
mod tests;
