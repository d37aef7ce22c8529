//! Figures with their intervals in sentences.

use crate::model::{Quantity, Sign};
use crate::number;
use crate::phrase::few_or_extremes;

/// Between a number and what belongs to it: a screen breaks no line there.
const JOINT: char = '\u{a0}';

/// "126 µs ±0.7%", in one piece.
pub(crate) fn told(figure: &Quantity) -> String {
    let sign = figure.sign.map(Sign::shown).unwrap_or_default();
    let number = number::three_digits(figure.value);
    let unit = match figure.unit {
        "x" => "x".to_owned(),
        "1/s" => "/s".to_owned(),
        "" => String::new(),
        unit => format!("{JOINT}{unit}"),
    };
    let width = number::half_width(figure).map(|width| format!("{JOINT}{width}")).unwrap_or_default();
    format!("{sign}{number}{unit}{width}").replace(' ', "\u{a0}")
}

/// What each library, or each pair of ends, has of something, one after the other, in one sentence. `part` says it of one;
/// the first is told in more words. Of many, the least and the greatest by this value.
fn each<F>(
    found: Vec<(String, F)>,
    value: impl Fn(&F) -> f64,
    part: impl Fn(&F, Place) -> String,
) -> Option<String> {
    let (found, joint) = few_or_extremes(found, |(_, figures)| value(figures), "; ", " up to ");
    let parts = found.iter().enumerate().map(|(nth, (name, figures))| {
        let place = if nth == 0 { Place::First } else { Place::Later };
        format!("{} ({name})", part(figures, place))
    });
    let said = parts.collect::<Vec<_>>().join(joint);
    (!said.is_empty()).then_some(said)
}

/// Where in a sentence something stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    First,
    Later,
}

/// One figure of each library: "costs 20 µs ±0.2% (openssl); 24 µs ±0.2% (rustls)" after what is said before.
pub(crate) fn one_each(figures: Vec<(String, Quantity)>) -> Option<String> {
    each(figures, |figure| figure.value, |figure, _| told(figure))
}

/// Two figures of each library: "the client 465 µs ±0.8% and the server 126 µs ±0.7% (openssl); 144 µs and 46 µs (rustls)".
pub(crate) fn two_each(figures: Vec<(String, [Quantity; 2])>, names: [&str; 2]) -> Option<String> {
    let [a, b] = names;
    each(
        figures,
        |[_, second]| second.value,
        |[first, second], place| match place {
            Place::First => format!("{a} {} and {b} {}", told(first), told(second)),
            Place::Later => format!("{} and {}", told(first), told(second)),
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(value: f64) -> Quantity {
        Quantity::between(value, value * 0.99, value * 1.01, "µs")
    }

    #[test]
    fn a_figure_has_its_unit_and_its_interval() {
        assert_eq!(told(&figure(126.4)), "126\u{a0}µs\u{a0}±1.0%");
        assert_eq!(told(&Quantity::exact(2.0, "x")), "2.00x");
        let wide = Quantity { sign: Some(Sign::AtLeast), ..Quantity::between(5137.0, 10.0, 9000.0, "1/s") };
        assert_eq!(told(&wide), ">5137/s\u{a0}[10.0,\u{a0}9000]");
    }

    #[test]
    fn the_first_is_told_in_more_words_and_of_many_the_extremes() {
        let of = |name: &str, value: f64| (name.to_owned(), [figure(value), figure(value * 2.0)]);
        let names = ["the client", "the server"];
        let breakable = |said: Option<String>| said.map(|said| said.replace(JOINT, " "));
        assert_eq!(
            breakable(two_each(vec![of("a", 1.0), of("b", 3.0)], names)).as_deref(),
            Some(
                "the client 1.00 µs ±1.0% and the server 2.00 µs ±1.0% (a); 3.00 µs ±1.0% and 6.00 µs ±1.0% (b)"
            )
        );
        let many = (1..7).map(|nth| (format!("l{nth}"), figure(f64::from(nth))));
        assert_eq!(
            breakable(one_each(many.collect())).as_deref(),
            Some("1.00 µs ±1.0% (l1) up to 6.00 µs ±1.0% (l6)")
        );
        assert_eq!(one_each(Vec::new()), None);
    }
}
