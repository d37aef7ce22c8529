//! Sentences that compare: what the interval of a ratio supports, and nothing more.

use tlstax_stats::Estimate;

use crate::ask::grouped;
use crate::number;

/// Below this factor a difference is given in percent.
const FACTOR_FROM: f64 = 1.5;

/// A difference of less than this share is not worth a sentence: how the linker lays out a program can make it.
const FLOOR: f64 = 0.01;

/// Half an interval wider than this share of its value is given as "between ... and ...".
const VAGUE: f64 = 0.2;

/// Half an interval wider than this share of its value makes it an "about".
const ROUND: f64 = 0.05;

/// Ratios of more libraries are not all listed, but the least and the greatest of them.
pub(crate) const LISTED: usize = 4;

/// "`a` costs 4.1x `b`", or with the parts exchanged if `b` is the dearer one; `verb` is "costs", or "costs the
/// server". None where the interval does not exclude that both cost the same.
pub(crate) fn dearer(ratio: &Estimate, a: &str, b: &str, verb: &str) -> Option<String> {
    let (ratio, dear, cheap) = ordered(ratio, a, b);
    Some(format!("{dear} {verb} {} {cheap}", multiple(&ratio)?))
}

/// The same comparison with several libraries, each with its own ratio of `a` to `b`: "`a` costs 2.9x `b` (openssl),
/// 6.4x (rustls)." Libraries whose interval supports nothing are left out, as are those in which the other part is the
/// dearer; of many different ratios, the least and the greatest are named.
pub(crate) fn by_library(
    libraries: &[&str],
    ratio: impl Fn(&str) -> Option<Estimate>,
    a: &str,
    b: &str,
    sentence: impl Fn(&str, &str, &str) -> String,
) -> Option<String> {
    let ratios: Vec<(&str, Estimate)> =
        libraries.iter().filter_map(|library| Some((*library, ratio(library)?))).collect();
    let compared = ratios.iter().filter_map(|(library, ratio)| {
        let (ratio, dear, cheap) = ordered(ratio, a, b);
        Some((*library, dear, cheap, ratio.value, multiple(&ratio)?))
    });
    let mut compared = compared.peekable();
    let (_, dear, cheap, ..) = compared.peek().cloned()?;
    let same = compared.filter(|(_, dearer, ..)| *dearer == dear);
    let alike = grouped(same, |(.., multiple)| multiple.clone());
    let (alike, joint) = few_or_extremes(alike, |(_, group)| group[0].3, ", ", " up to ");
    let parts = alike.iter().enumerate().map(|(place, (multiple, group))| {
        let part = match place {
            0 => sentence(dear, multiple, cheap),
            _ => multiple.trim_end_matches(" than").to_owned(),
        };
        let libraries: Vec<&str> = group.iter().map(|(library, ..)| *library).collect();
        format!("{part} ({})", listed(&libraries, ratios.len()))
    });
    Some(parts.collect::<Vec<_>>().join(joint) + ".")
}

/// Of more than [`LISTED`], the least and the greatest by this value; and what stands between them: the first joint
/// between few, the second between extremes.
pub(crate) fn few_or_extremes<T>(
    mut all: Vec<T>,
    value: impl Fn(&T) -> f64,
    few: &'static str,
    extremes: &'static str,
) -> (Vec<T>, &'static str) {
    if all.len() <= LISTED {
        return (all, few);
    }
    all.sort_by(|a, b| value(a).total_cmp(&value(b)));
    let greatest = all.pop();
    all.truncate(1);
    all.extend(greatest);
    (all, extremes)
}

/// Libraries by name; where they are many and there are no others, their number is enough.
pub(crate) fn listed(libraries: &[&str], all: usize) -> String {
    match libraries.len() {
        many if many > LISTED && many == all => format!("all {many} libraries"),
        _ => libraries.join(", "),
    }
}

fn ordered<'a>(ratio: &Estimate, a: &'a str, b: &'a str) -> (Estimate, &'a str, &'a str) {
    if ratio.value >= 1.0 { (*ratio, a, b) } else { (inverted(ratio), b, a) }
}

/// A sentence that sets two libraries in relation for one thing; `ratio` is that of `a` to `b`.
pub(crate) fn libraries(ratio: &Estimate, what: &str, a: &str, b: &str, verb: &str) -> Option<String> {
    let differs = dearer(ratio, a, b, verb);
    let same = || same_within(ratio).map(|same| format!("{a} and {b} cost {same}"));
    Some(format!("For {what}, {}.", differs.or_else(same)?))
}

/// "The same within 2 %", where the interval leaves room for no more than 3 %.
pub(crate) fn same_within(ratio: &Estimate) -> Option<String> {
    let within = (ratio.high - 1.0).max(1.0 / ratio.low - 1.0);
    (ratio.low <= 1.0 && ratio.high >= 1.0 && within <= 0.03)
        .then(|| format!("the same within {:.0} %", (within * 100.0).ceil()))
}

/// "4.1x" or "12 % more than" for a ratio above 1; none where its interval contains 1 or hardly leaves it.
fn multiple(ratio: &Estimate) -> Option<String> {
    Some(match Multiple::of(ratio)? {
        Multiple::Between(low, high) => format!("between {low}x and {high}x"),
        Multiple::Times(times) => format!("{times}x"),
        Multiple::Percent(percent) => format!("{percent} % more than"),
    })
}

/// "`a` loads it in 4.1 times the time of `b`.", or with the parts exchanged; `does` is "loads it". None where the
/// interval does not exclude that both take the same.
pub(crate) fn longer(ratio: &Estimate, a: &str, b: &str, does: &str) -> Option<String> {
    let (ratio, slow, quick) = ordered(ratio, a, b);
    let time = match Multiple::of(&ratio)? {
        Multiple::Between(low, high) => format!("between {low} and {high} times the time of"),
        Multiple::Times(times) => format!("{times} times the time of"),
        Multiple::Percent(percent) => format!("{percent} % more time than"),
    };
    Some(format!("{slow} {does} in {time} {quick}."))
}

/// "11 times as slowly", "12 % more slowly", or the same with "fast", for the ratio of a cost to another; none where
/// its interval does not exclude that both are the same.
pub(crate) fn slowly(ratio: &Estimate) -> Option<String> {
    let (ratio, times, percent) = match ratio.value >= 1.0 {
        true => (*ratio, "as slowly", "more slowly"),
        false => (inverted(ratio), "as fast", "faster"),
    };
    Some(match Multiple::of(&ratio)? {
        Multiple::Between(low, high) => format!("between {low} and {high} times {times}"),
        Multiple::Times(factor) => format!("{factor} times {times}"),
        Multiple::Percent(share) => format!("{share} % {percent}"),
    })
}

/// How much a ratio above 1 is, with no more digits than its interval supports.
enum Multiple {
    /// Two ends, where the interval is wide.
    Between(String, String),
    Times(String),
    /// What there is above 1, in percent.
    Percent(String),
}

impl Multiple {
    /// None where the interval contains 1 or hardly leaves it.
    fn of(ratio: &Estimate) -> Option<Self> {
        let Estimate { value, low, high, .. } = *ratio;
        if low <= 1.0 || value < 1.0 + FLOOR {
            return None;
        }
        if (high - low) / 2.0 > VAGUE * value {
            return Some(Self::Between(one_decimal(low), one_decimal(high)));
        }
        let about = if (high - low) / 2.0 > ROUND * value { "about " } else { "" };
        if value >= FACTOR_FROM {
            return Some(Self::Times(format!("{about}{}", number::factor(value, low, high))));
        }
        let percent = |ratio: f64| (ratio - 1.0) * 100.0;
        Some(Self::Percent(format!("{about}{}", number::factor(percent(value), percent(low), percent(high)))))
    }
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
        Estimate { value, low, high, basis: Basis::Raw, kept: 20, total: 20, as_it_went: value }
    }

    fn sentence(value: f64, low: f64, high: f64) -> Option<String> {
        dearer(&ratio(value, low, high), "RSA", "ECDSA", "costs")
    }

    #[test]
    fn the_dearer_one_comes_first() {
        assert_eq!(sentence(4.1, 3.9, 4.3).as_deref(), Some("RSA costs 4.1x ECDSA"));
        assert_eq!(sentence(0.25, 0.24, 0.26).as_deref(), Some("ECDSA costs 4.0x RSA"));
        assert_eq!(sentence(1.12, 1.10, 1.14).as_deref(), Some("RSA costs 12 % more than ECDSA"));
        assert_eq!(sentence(41.3, 41.0, 41.6).as_deref(), Some("RSA costs 41x ECDSA"));
        assert_eq!(sentence(4.1, 3.6, 4.6).as_deref(), Some("RSA costs about 4.1x ECDSA"));
        assert_eq!(sentence(4.0, 1.5, 9.0).as_deref(), Some("RSA costs between 1.5x and 9.0x ECDSA"));
    }

    fn sentences(ratios: &[(&str, Estimate)]) -> Option<String> {
        let libraries: Vec<&str> = ratios.iter().map(|(library, _)| *library).collect();
        let of = |wanted: &str| Some(ratios.iter().find(|(library, _)| *library == wanted)?.1);
        by_library(&libraries, of, "RSA", "ECDSA", |dear, multiple, cheap| {
            format!("{dear} costs {multiple} {cheap}")
        })
    }

    #[test]
    fn libraries_are_named_together_where_they_agree() {
        let (more, less, same) = (ratio(1.2, 1.19, 1.21), ratio(0.5, 0.49, 0.51), ratio(1.0, 0.9, 1.1));
        assert_eq!(
            sentences(&[("a", same), ("b", more), ("c", less), ("d", more), ("e", ratio(2.0, 1.99, 2.01))])
                .as_deref(),
            Some("RSA costs 20 % more than ECDSA (b, d), 2.0x (e).")
        );
        assert_eq!(sentences(&[("a", same)]), None);
    }

    #[test]
    fn of_many_ratios_the_extremes_are_named() {
        let of = |(library, value)| (library, ratio(value, value - 0.01, value + 0.01));
        let ratios = [("a", 3.0), ("b", 1.2), ("c", 4.0), ("d", 6.4), ("e", 5.0), ("f", 1.2)].map(of);
        let said = sentences(&ratios);
        assert_eq!(said.as_deref(), Some("RSA costs 20 % more than ECDSA (b, f) up to 6.4x (d)."));
    }

    #[test]
    fn times_are_in_words() {
        let loads = |value, low, high| longer(&ratio(value, low, high), "a", "b", "loads it");
        assert_eq!(loads(4.1, 4.08, 4.12).as_deref(), Some("a loads it in 4.1 times the time of b."));
        assert_eq!(loads(0.5, 0.49, 0.51).as_deref(), Some("b loads it in 2.0 times the time of a."));
        assert_eq!(loads(1.12, 1.1, 1.14).as_deref(), Some("a loads it in 12 % more time than b."));
        assert_eq!(loads(1.12, 0.9, 1.2), None);
        let goes = |value, low, high| slowly(&ratio(value, low, high));
        assert_eq!(goes(11.3, 11.2, 11.4).as_deref(), Some("11 times as slowly"));
        assert_eq!(goes(1.05, 1.04, 1.06).as_deref(), Some("5 % more slowly"));
        assert_eq!(goes(0.5, 0.49, 0.51).as_deref(), Some("2.0 times as fast"));
        assert_eq!(goes(4.0, 1.5, 9.0).as_deref(), Some("between 1.5 and 9.0 times as slowly"));
        assert_eq!(goes(1.0, 0.99, 1.01), None);
    }

    #[test]
    fn there_is_no_sentence_where_the_interval_contains_one() {
        for step in 0..200 {
            let value = 0.5 + f64::from(step) * 0.01;
            for width in [0.0, 0.02, 0.3, 2.0] {
                let (low, high) = (1f64.min(value - width), 1f64.max(value + width));
                assert_eq!(sentence(value, low.max(0.01), high), None, "{value} in [{low}, {high}]");
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
