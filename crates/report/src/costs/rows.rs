//! Every figure of a model as a flat row, for data frames.

use tlstax_doc::model::{Bounds, Fitted, Model, TermCost};

use super::known::Known;
use super::terms;
use crate::checked;
use crate::model::CostFigure;

pub(super) fn rows(known: &Known<'_>) -> Vec<CostFigure> {
    let model = known.model;
    let row = |table, name: &str, bounds| row(model, table, name, bounds);
    let term = |cost: &TermCost| {
        let bounds = known.term(cost.term).map_or_else(Bounds::default, |quantity| Bounds {
            value: quantity.value,
            low: quantity.low,
            high: quantity.high,
        });
        CostFigure { remark: terms::origin(&cost.origin), ..row("term", &cost.term.to_string(), bounds) }
    };
    let load = |load: &Fitted| {
        let measured = Bounds { value: load.measured, low: load.low, high: load.high };
        let fit = CostFigure {
            low: None,
            high: None,
            ..row("fit", &load.case, Bounds { value: load.model, ..Bounds::default() })
        };
        [row("load", &load.case, measured), fit]
    };
    let hole = |(case, why): &(String, String)| CostFigure {
        value: None,
        low: None,
        high: None,
        remark: why.clone(),
        ..row("load", case, Bounds::default())
    };
    let terms = model.terms.iter().map(term);
    let loads = model.fitted.iter().flat_map(load).chain(model.holes.iter().map(hole));
    terms.chain(loads).chain(checked::rows(&model.checked, &row)).collect()
}

fn row(model: &Model, table: &'static str, name: &str, bounds: Bounds) -> CostFigure {
    CostFigure {
        document: "model",
        at: model.measured.clone(),
        table,
        name: name.to_owned(),
        value: Some(bounds.value),
        low: Some(bounds.low),
        high: Some(bounds.high),
        unit: "ns".to_owned(),
        remark: String::new(),
    }
}
