//! The costs of a view for the tools of others, which know neither sections nor holes.

use std::collections::HashSet;

use crate::model::{Figure, View};

/// A figure that has a value, with its interval.
pub(super) struct Measured<'v> {
    pub figure: &'v Figure,
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// Every figure with a value; of those that go by the same name, as only a document made by hand has them, the first.
pub(super) fn measured(view: &View) -> Vec<Measured<'_>> {
    let mut seen = HashSet::new();
    let of = |figure| Some(Measured::of(figure)?).filter(|found| seen.insert(found.name()));
    view.figures.iter().filter_map(of).collect()
}

impl<'v> Measured<'v> {
    fn of(figure: &'v Figure) -> Option<Self> {
        let Figure { value, low, high, .. } = *figure;
        let found = Self { figure, value: value?, low: low?, high: high? };
        [found.value, found.low, found.high].iter().all(|number| number.is_finite()).then_some(found)
    }

    fn name(&self) -> (&'v str, &'static str) {
        (&self.figure.id, self.figure.metric)
    }
}

/// Why a view cannot be told to those tools; none if it can.
pub(super) fn refusal(view: &View) -> Option<&'static str> {
    let Some(first) = view.figures.first() else {
        return Some("it holds costs of cases that were measured, and here is none");
    };
    let is_one = view.figures.iter().all(|figure| figure.run == first.run);
    (!is_one).then_some("it holds one run, and here are several: give one file")
}
