//! Sentences that compare: what a ratio allows to be said, and nothing more.

use tlstax_stats::Estimate;

use crate::number;

/// Below this factor a difference is said in percent.
const FACTOR_FROM: f64 = 1.5;

/// A difference of less than this share is not worth a sentence: how the linker lays out a program can make it.
const FLOOR: f64 = 0.01;

/// Half an interval wider than this share of its value is said as "between ... and ...".
const VAGUE: f64 = 0.2;

/// Half an interval wider than this share of its value makes it an "about".
const ROUND: f64 = 0.05;

/// "`a` costs 4.1x `b`", or with the parts exchanged if `b` is the dearer one; `verb` is "costs", or "costs the
/// server". None where the interval does not exclude that both cost the same.
pub(crate) fn dearer(ratio: &Estimate, a: &str, b: &str, verb: &str) -> Option<String> {
    let (ratio, dear, cheap) = ordered(ratio, a, b);
    Some(format!("{dear} {verb} {} {cheap}", multiple(&ratio)?))
}

/// The same comparison with several libraries, each with its own ratio of `a` to `b`: "`a` costs 2.9x `b` (openssl), 6.4x
/// (rustls)". Libraries of which nothing can be said are left out, as are those in which the other part is the dearer.
pub(crate) fn by_library(
    ratios: &[(&str, Estimate)],
    a: &str,
    b: &str,
    say: impl Fn(&str, &str, &str) -> String,
) -> Option<String> {
    let told = ratios.iter().filter_map(|(library, ratio)| {
        let (ratio, dear, cheap) = ordered(ratio, a, b);
        Some((*library, dear, cheap, multiple(&ratio)?))
    });
    let mut told = told.peekable();
    let (_, dear, cheap, _) = told.peek().cloned()?;
    // Libraries of which the same is said share one saying.
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for (library, _, _, multiple) in told.filter(|(_, dearer, ..)| *dearer == dear) {
        match groups.iter_mut().find(|(known, _)| *known == multiple) {
            Some((_, libraries)) => libraries.push(library),
            None => groups.push((multiple, vec![library])),
        }
    }
    let said = groups.iter().enumerate().map(|(place, (multiple, libraries))| {
        let said = match place {
            0 => say(dear, multiple, cheap),
            _ => multiple.trim_end_matches(" than").to_owned(),
        };
        format!("{said} ({})", libraries.join(", "))
    });
    Some(said.collect::<Vec<_>>().join(", "))
}

fn ordered<'a>(ratio: &Estimate, a: &'a str, b: &'a str) -> (Estimate, &'a str, &'a str) {
    if ratio.value >= 1.0 { (*ratio, a, b) } else { (inverted(ratio), b, a) }
}

/// A sentence that sets two libraries in relation for one thing; `ratio` is that of `a` to `b`.
pub(crate) fn libraries(ratio: &Estimate, what: &str, a: &str, b: &str, verb: &str) -> Option<String> {
    let said = dearer(ratio, a, b, verb);
    let same = || same_within(ratio).map(|same| format!("{a} and {b} cost {same}"));
    Some(format!("For {what}, {}.", said.or_else(same)?))
}

/// "The same within 2 %", where the interval leaves room for no more than 3 %.
pub(crate) fn same_within(ratio: &Estimate) -> Option<String> {
    let within = (ratio.high - 1.0).max(1.0 / ratio.low - 1.0);
    (ratio.low <= 1.0 && ratio.high >= 1.0 && within <= 0.03)
        .then(|| format!("the same within {:.0} %", (within * 100.0).ceil()))
}

/// "4.1x" or "12 % more than" for a ratio above 1; none where its interval contains 1 or hardly leaves it.
fn multiple(ratio: &Estimate) -> Option<String> {
    let Estimate { value, low, high, .. } = *ratio;
    if low <= 1.0 || value < 1.0 + FLOOR {
        return None;
    }
    if (high - low) / 2.0 > VAGUE * value {
        return Some(format!("between {}x and {}x", one_decimal(low), one_decimal(high)));
    }
    let about = if (high - low) / 2.0 > ROUND * value { "about " } else { "" };
    if value >= FACTOR_FROM {
        return Some(format!("{about}{}x", number::told(value, low, high)));
    }
    let percent = |ratio: f64| (ratio - 1.0) * 100.0;
    Some(format!("{about}{} % more than", number::told(percent(value), percent(low), percent(high))))
}

fn one_decimal(value: f64) -> String {
    format!("{value:.1}")
}

/// The ratio of `b` to `a` from that of `a` to `b`.
fn inverted(ratio: &Estimate) -> Estimate {
    Estimate { value: 1.0 / ratio.value, low: 1.0 / ratio.high, high: 1.0 / ratio.low, ..*ratio }
}

#[cfg(test)]
mod tests {
    use tlstax_stats::Basis;

    use super::*;

    fn ratio(value: f64, low: f64, high: f64) -> Estimate {
        Estimate { value, low, high, basis: Basis::Raw, kept: 20, total: 20 }
    }

    fn said(value: f64, low: f64, high: f64) -> Option<String> {
        dearer(&ratio(value, low, high), "RSA", "ECDSA", "costs")
    }

    #[test]
    fn the_dearer_one_comes_first() {
        assert_eq!(said(4.1, 3.9, 4.3).as_deref(), Some("RSA costs 4.1x ECDSA"));
        assert_eq!(said(0.25, 0.24, 0.26).as_deref(), Some("ECDSA costs 4.0x RSA"));
        assert_eq!(said(1.12, 1.10, 1.14).as_deref(), Some("RSA costs 12 % more than ECDSA"));
        assert_eq!(said(41.3, 41.0, 41.6).as_deref(), Some("RSA costs 41x ECDSA"));
        assert_eq!(said(4.1, 3.6, 4.6).as_deref(), Some("RSA costs about 4.1x ECDSA"));
        assert_eq!(said(4.0, 1.5, 9.0).as_deref(), Some("RSA costs between 1.5x and 9.0x ECDSA"));
    }

    #[test]
    fn libraries_are_said_together_where_they_agree() {
        let said = |ratios: &[(&str, Estimate)]| {
            by_library(ratios, "RSA", "ECDSA", |dear, multiple, cheap| {
                format!("{dear} costs {multiple} {cheap}")
            })
        };
        let (more, less, same) = (ratio(1.2, 1.19, 1.21), ratio(0.5, 0.49, 0.51), ratio(1.0, 0.9, 1.1));
        assert_eq!(
            said(&[("a", same), ("b", more), ("c", less), ("d", more), ("e", ratio(2.0, 1.99, 2.01))])
                .as_deref(),
            Some("RSA costs 20 % more than ECDSA (b, d), 2.0x (e)")
        );
        assert_eq!(said(&[("a", same)]), None);
    }

    #[test]
    fn nothing_is_said_where_the_interval_contains_one() {
        for step in 0..200 {
            let value = 0.5 + f64::from(step) * 0.01;
            for width in [0.0, 0.02, 0.3, 2.0] {
                let (low, high) = (1f64.min(value - width), 1f64.max(value + width));
                assert_eq!(said(value, low.max(0.01), high), None, "{value} in [{low}, {high}]");
            }
        }
    }

    #[test]
    fn sameness_needs_a_narrow_interval() {
        assert_eq!(same_within(&ratio(1.0, 0.99, 1.012)).as_deref(), Some("the same within 2 %"));
        assert_eq!(same_within(&ratio(1.0, 0.9, 1.1)), None);
        assert_eq!(same_within(&ratio(1.02, 1.01, 1.03)), None);
    }
}
