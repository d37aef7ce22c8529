//! The value of an expression of costs within one run, with its interval.

use tlstax_doc::Observed;
use tlstax_stats::ratio;

use crate::expression::Expression;
use crate::span::Span;

/// One cost of an expression: its batches, and by what a single of its iterations is divided.
pub(crate) struct Cost<'r> {
    pub observed: Observed<'r>,
    pub per: f64,
}

/// What an expression comes to. Every cost is taken as a multiple of the first that something is divided by, within rounds of the
/// run, so that `a / b` is exactly the ratio of the two. Where there are more, each multiple is moved to both ends of its own
/// interval, and the changes are added as those of independent errors.
///
/// None where a cost has too few rounds in common with the divisor.
pub(crate) fn value(expression: &Expression, costs: &[Cost<'_>]) -> Option<Span> {
    let divisor = expression.divisor()?;
    let multiple = |(place, cost): (usize, &Cost<'_>)| {
        if place == divisor {
            return Some(Span::exact(1.0));
        }
        let found = ratio(cost.observed.side(), costs[divisor].observed.side())?;
        Some(Span::from(found).times(costs[divisor].per / cost.per))
    };
    let multiples: Vec<Span> = costs.iter().enumerate().map(multiple).collect::<Option<_>>()?;
    Some(spread(expression, &multiples))
}

fn spread(expression: &Expression, multiples: &[Span]) -> Span {
    let middle: Vec<f64> = multiples.iter().map(|multiple| multiple.value).collect();
    let (value, signs) = expression.value(&middle);
    let (mut down, mut up) = (0.0_f64, 0.0_f64);
    for (place, multiple) in multiples.iter().enumerate() {
        let moved = |end: f64| {
            let mut costs = middle.clone();
            costs[place] = end;
            let (moved, its) = expression.value(&costs);
            // Beyond a divisor that may be zero every value is possible.
            if its == signs { moved - value } else { f64::INFINITY }
        };
        let changes = [moved(multiple.low), moved(multiple.high)];
        if changes.iter().any(|change| !change.is_finite()) {
            return Span { value, low: f64::NEG_INFINITY, high: f64::INFINITY };
        }
        down = down.hypot(changes.iter().copied().fold(0.0, f64::min));
        up = up.hypot(changes.iter().copied().fold(0.0, f64::max));
    }
    Span { value, low: value - down, high: value + up }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn of(text: &str, multiples: &[(f64, f64, f64)]) -> Span {
        let spans: Vec<Span> =
            multiples.iter().map(|&(low, value, high)| Span { value, low, high }).collect();
        spread(&Expression::parse(text).unwrap().0, &spans)
    }

    const ONE: (f64, f64, f64) = (1.0, 1.0, 1.0);

    #[test]
    fn a_ratio_of_two_has_the_interval_of_the_two() {
        let span = of("a / b", &[(1.75, 2.0, 2.25), ONE]);
        assert_eq!(span, Span { value: 2.0, low: 1.75, high: 2.25 });
    }

    #[test]
    fn independent_errors_are_added_as_such() {
        let span = of("(a / b) / (c / d)", &[(3.97, 4.0, 4.03), ONE, ONE, (0.96, 1.0, 1.04)]);
        assert!((span.value - 4.0).abs() < 1e-9);
        assert!((span.high - 4.0 - 0.03_f64.hypot(0.16)).abs() < 1e-9, "{span:?}");
        assert!((4.0 - span.low - 0.03_f64.hypot(0.16)).abs() < 1e-9, "{span:?}");
    }

    #[test]
    fn a_divisor_that_may_be_zero_leaves_everything_open() {
        let span = of("a / (b - c)", &[(1.0, 1.1, 1.2), (0.9, 1.1, 1.3), ONE]);
        assert!(span.low == f64::NEG_INFINITY && span.high == f64::INFINITY, "{span:?}");
        assert!(!span.is_finite());
    }
}
