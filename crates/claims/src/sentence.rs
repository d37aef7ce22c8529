//! Why a verdict is what it is, in a sentence.

use crate::check::{Check, Claimed};
use crate::document::Hole;
use crate::span::Span;
use crate::unit::Unit;
use crate::witness::Verb;

/// Three significant digits, and every digit before the point.
fn digits(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let magnitude = value.abs().log10().floor().clamp(-9.0, 9.0) as i32;
    let decimals = (2 - magnitude).clamp(0, 9) as usize;
    let shown = format!("{value:.decimals$}");
    match shown.contains('.') {
        true => shown.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => shown,
    }
}

fn with_unit(value: f64, unit: Unit) -> String {
    unit.behind(&digits(value))
}

impl Claimed {
    /// "above 1 core", "2 to 7x".
    pub fn told(self, unit: Unit) -> String {
        match self {
            Self::Above(edge) => format!("above {}", with_unit(edge, unit)),
            Self::Below(edge) => format!("below {}", with_unit(edge, unit)),
            Self::Between(from, to) if from == to => with_unit(from, unit),
            Self::Between(from, to) => format!("{} to {}", digits(from), with_unit(to, unit)),
        }
    }
}

/// What is not as it was claimed.
pub(crate) fn contradiction(words: &str, span: Span, claimed: Claimed, unit: Unit) -> String {
    format!("{words} is {} here; claimed: {}", with_unit(span.value, unit), claimed.told(unit))
}

/// What an interval leaves open.
pub(crate) fn open(words: &str, span: Span, claimed: Claimed, unit: Unit) -> String {
    let claimed = claimed.told(unit);
    if !span.is_finite() {
        return format!(
            "{words}: what it is divided by may be zero; claimed: {claimed}; a larger --budget tells more"
        );
    }
    let (low, high) = (digits(span.low), with_unit(span.high, unit));
    format!(
        "{words} is {low} to {high} here, which lies on both sides of what is claimed: {claimed}; a larger --budget tells more"
    )
}

/// What could not be checked.
pub(crate) fn hole(check: &Check, hole: &Hole) -> String {
    let (Hole::Unmeasured(why) | Hole::Unmeasurable(why)) = hole;
    format!("{}: {why}", check.words)
}

/// Which document would answer.
pub(crate) fn later(verb: Verb) -> String {
    format!("it needs {}: name it behind --from", verb.document())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_have_no_more_digits_than_matter() {
        let span = Span { value: 2.2041, low: 2.1, high: 2.3049 };
        let said = contradiction("openssl: GCM / CBC", span, Claimed::Below(1.0), Unit::Times);
        assert_eq!(said, "openssl: GCM / CBC is 2.2x here; claimed: below 1x");
        let said = open("memory", span.times(1e4), Claimed::Between(8000.0, 22_000.0), Unit::Bytes);
        assert!(said.starts_with("memory is 21000 to 23049 B here, which lies on both sides"), "{said}");
        let said = contradiction("trips", Span::exact(1.0), Claimed::Between(2.0, 2.0), Unit::RoundTrips);
        assert_eq!(said, "trips is 1 round trip here; claimed: 2 round trips");
        let cores = contradiction("cores", Span::exact(0.125), Claimed::Above(1.0), Unit::Cores);
        assert_eq!(cores, "cores is 0.125 cores here; claimed: above 1 core");
        assert_eq!(digits(0.0123456), "0.0123");
        assert_eq!(digits(f64::INFINITY), "inf");
    }
}
