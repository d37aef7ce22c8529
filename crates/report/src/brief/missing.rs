//! What could not be measured: how many cases, and the reason that most of them have.

use tlstax_doc::Results;

use crate::ask::grouped;
use crate::model::Figure;

/// So many libraries are named.
const NAMED: usize = 4;

/// In a sentence or two; empty where all could be measured.
pub(super) fn missing(results: &Results, figures: &[Figure]) -> String {
    let said = [cases(figures), libraries(results)];
    said.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// The cases without a figure, with their reasons.
fn cases(figures: &[Figure]) -> Option<String> {
    let cases = grouped(figures, |figure| figure.id.as_str());
    let hole = |(_, own): &(&str, Vec<&Figure>)| {
        let has_none = own.iter().all(|figure| figure.value.is_none());
        own.first().filter(|_| has_none).map(|figure| figure.hole.clone())
    };
    let holes: Vec<String> = cases.iter().filter_map(hole).collect();
    let mut reasons = grouped(&holes, |reason| reason.as_str());
    reasons.sort_by_key(|(_, all)| std::cmp::Reverse(all.len()));
    let (most, struck) = reasons.first()?;
    let most = most.trim_end_matches('.');
    let whole = format!("Not measured: {} of {} cases", holes.len(), cases.len());
    Some(match reasons.len() {
        1 => format!("{whole}: {most}."),
        2 => format!("{whole}; {} of them: {most}; the others for one more reason.", struck.len()),
        many => {
            format!("{whole}; {} of them: {most}; the others for {} more reasons.", struck.len(), many - 1)
        }
    })
}

/// The libraries that took no part.
fn libraries(results: &Results) -> Option<String> {
    let absent = results.libraries.iter().filter(|library| library.unavailable.is_some());
    let absent: Vec<&str> = absent.map(|library| library.id.as_str()).collect();
    let (named, others) = absent.split_at(absent.len().min(NAMED));
    let others = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
    (!named.is_empty()).then(|| format!("Not available: {}{others}.", named.join(", ")))
}
