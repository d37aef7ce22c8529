//! [`Measure`]: a column and its cells as one value, so that no heading can stand above another column's figures.

use std::rc::Rc;

use tlstax_doc::Metric;

use crate::ask::Item;
use crate::model::{Cell, Column};

/// A column, and the cell of it that stands in the row about an `R`.
pub(crate) struct Measure<'f, R> {
    pub(super) column: Column,
    /// Whether the column is left out where no row has anything in it.
    pub(super) is_where_found: bool,
    pub(super) cell: Rc<dyn Fn(&R) -> Cell + 'f>,
}

impl<R> Clone for Measure<'_, R> {
    fn clone(&self) -> Self {
        Self { column: self.column.clone(), cell: Rc::clone(&self.cell), ..*self }
    }
}

impl<'f, R: 'f> Measure<'f, R> {
    pub fn new<C: Into<Cell>>(column: Column, cell: impl Fn(&R) -> C + 'f) -> Self {
        Self { column, is_where_found: false, cell: Rc::new(move |about| cell(about).into()) }
    }

    pub fn quantity<C: Into<Cell>>(
        title: impl Into<String>,
        unit: &'static str,
        cell: impl Fn(&R) -> C + 'f,
    ) -> Self {
        Self::new(Column::quantity(title, unit), cell)
    }

    /// Quantities whose intervals stand elsewhere, or that have none.
    pub fn plain<C: Into<Cell>>(
        title: impl Into<String>,
        unit: &'static str,
        cell: impl Fn(&R) -> C + 'f,
    ) -> Self {
        Self::new(Column::plain(title, unit), cell)
    }

    /// Whole numbers that were counted.
    pub fn count(title: impl Into<String>, cell: impl Fn(&R) -> u64 + 'f) -> Self {
        Self::new(Column::count(title), move |about| cell(about).to_string())
    }

    pub fn words<C: Into<Cell>>(title: impl Into<String>, cell: impl Fn(&R) -> C + 'f) -> Self {
        Self::new(Column::words(title), cell)
    }

    /// The same, left out where no row has anything in it.
    pub fn where_found(self) -> Self {
        Self { is_where_found: true, ..self }
    }

    /// The same, to go before others where a screen has no room for all: see [`Column::rank`].
    pub fn ranked(mut self, rank: u8) -> Self {
        self.column.rank = rank;
        self
    }
}

impl<'f, 'a: 'f, T: 'f> Measure<'f, Item<'a, T>> {
    /// CPU microseconds of one iteration.
    pub fn micros(title: impl Into<String>, metric: Metric) -> Self {
        Self::quantity(title, "µs", move |item: &Item<'_, T>| item.micros(metric))
    }
}
