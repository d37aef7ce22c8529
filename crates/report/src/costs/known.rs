//! [`Known`]: what sums of terms cost, with the interval of their covariances.

use tlstax_doc::model::{Model, Path, Term};
use tlstax_spec::Http;

use crate::model::Quantity;
use crate::number;

/// Bytes of a full record (RFC 8446, 5.1), and of a buffer ([`Term::Buffer`]).
const RECORD: f64 = 16_384.0;
const BUFFER: f64 = 32_768.0;

/// Standard deviations on each side of a 95 % interval.
const SIDE: f64 = 1.96;

/// A unit of time in which a cost is a number that people read.
const UNITS: [(f64, &str); 3] = [(1e9, "s"), (1e6, "ms"), (1e3, "µs")];

/// The costs of a model.
pub(super) struct Known<'m> {
    pub model: &'m Model,
}

impl Known<'_> {
    /// What a term costs once, in nanoseconds; none where the model does not have it.
    pub fn term(&self, term: Term) -> Option<Quantity> {
        self.sum(&[(term, 1.0)])
    }

    /// What some terms cost, each so many times; none where the model does not have one of them.
    pub fn sum(&self, terms: &[(Term, f64)]) -> Option<Quantity> {
        let place = |term: Term| self.model.terms.iter().position(|cost| cost.term == term);
        let places: Option<Vec<(usize, f64)>> =
            terms.iter().map(|(term, times)| Some((place(*term)?, *times))).collect();
        let places = places?;
        let value: f64 = places.iter().map(|(place, times)| self.model.terms[*place].ns * times).sum();
        let pairs = places.iter().flat_map(|one| places.iter().map(move |other| (one, other)));
        let variance: f64 =
            pairs.map(|((one, times), (other, more))| times * more * self.covariance(*one, *other)).sum();
        let reach = SIDE * variance.max(0.0).sqrt();
        Some(Quantity::between(value, value - reach, value + reach, "ns"))
    }

    fn covariance(&self, one: usize, other: usize) -> f64 {
        let (row, column) = (one.max(other), one.min(other));
        self.model.covariance.get(row).and_then(|row| row.get(column)).copied().unwrap_or_default()
    }

    /// What a byte of a large body costs: the slope between the two largest sizes that the model has, and what records and buffers
    /// that are full add to each byte, where it is encrypted.
    pub fn byte(&self, path: Path, http: Http) -> Option<Quantity> {
        let size = |term: Term| match term {
            Term::Body { path: by, http: over, bytes } if by == path && over == http => Some(bytes),
            _ => None,
        };
        let mut sizes: Vec<u32> = self.model.terms.iter().filter_map(|cost| size(cost.term)).collect();
        sizes.sort_unstable();
        let &[.., smaller, larger] = sizes.as_slice() else { return None };
        let each = f64::from(larger.checked_sub(smaller).filter(|between| *between > 0)?).recip();
        let body = |bytes| Term::Body { path, http, bytes };
        let steps = [(Term::Record, RECORD.recip()), (Term::Buffer, BUFFER.recip())];
        let is_known = |(term, _): &(Term, f64)| self.term(*term).is_some();
        let steps = steps.into_iter().filter(|step| path == Path::Tls && is_known(step));
        let slope = [(body(larger), each), (body(smaller), -each)].into_iter();
        self.sum(&slope.chain(steps).collect::<Vec<_>>())
    }
}

/// Nanoseconds in the largest unit of which the value has at least one, with the interval: `12.3 µs [12.1, 12.5]`.
pub(super) fn shown(cost: &Quantity) -> String {
    let (scale, unit) = unit_of(cost.value);
    let [value, low, high] = [cost.value, cost.low, cost.high].map(|ns| number::three_digits(ns / scale));
    if low == high { format!("{value} {unit}") } else { format!("{value} {unit} [{low}, {high}]") }
}

fn unit_of(ns: f64) -> (f64, &'static str) {
    UNITS.into_iter().find(|(scale, _)| ns.abs() >= *scale).unwrap_or((1.0, "ns"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_shown_in_units_that_people_read() {
        let cost = |value, reach| shown(&Quantity::between(value, value - reach, value + reach, "ns"));
        assert_eq!(cost(12_345.0, 200.0), "12.3 µs [12.1, 12.5]");
        assert_eq!(cost(0.31, 0.0), "0.310 ns");
        assert_eq!(cost(-2_500_000.0, 100_000.0), "-2.50 ms [-2.60, -2.40]");
    }
}
