//! Every figure of a plan as a flat row, for data frames.

use tlstax_doc::model::Bounds;
use tlstax_doc::plan::{Part, Piece, Plan, Resource, Scenario};

use super::{changes, part};
use crate::checked;
use crate::model::CostFigure;

pub(super) fn rows(plan: &Plan) -> Vec<CostFigure> {
    let now = &plan.now;
    let row = |table, name: &str, bounds| row(plan, table, name, bounds);
    let cores = |table, name: &str, cores: f64| CostFigure {
        low: None,
        high: None,
        ..row(table, name, Bounds { value: cores, ..Bounds::default() })
    };
    let of_part = |piece: &Piece<Part>| cores("part", part::title(piece.of), piece.cores);
    let named = |table, pieces: &[Piece<String>]| -> Vec<CostFigure> {
        pieces.iter().map(|piece| cores(table, &piece.of, piece.cores)).collect()
    };
    let of_change = |scenario: &Scenario| {
        let name = changes::name(scenario);
        [row("change", &name, scenario.prediction.cores), row("more", &name, scenario.more)]
    };
    let of_resource = |of: &Resource| CostFigure {
        unit: of.unit.clone(),
        remark: of.said.clone(),
        ..row("resource", &of.what, of.used)
    };
    std::iter::once(row("all", "cores", now.cores))
        .chain(now.parts.iter().map(of_part))
        .chain(named("suite", &now.suites))
        .chain(named("key", &now.keys))
        .chain(named("resumption", &now.resumption))
        .chain(now.rows.iter().map(|kind| row("kind", &kind.kind, kind.cores)))
        .chain(plan.resources.iter().map(of_resource))
        .chain(plan.scenarios.iter().flat_map(of_change))
        .chain(checked::rows(&plan.checked, &row))
        .collect()
}

fn row(plan: &Plan, table: &'static str, name: &str, bounds: Bounds) -> CostFigure {
    CostFigure {
        document: "plan",
        at: plan.made.clone(),
        table,
        name: name.to_owned(),
        value: Some(bounds.value),
        low: Some(bounds.low),
        high: Some(bounds.high),
        unit: "cores".to_owned(),
        remark: String::new(),
    }
}
