//! Models and plans: one that can be read is drawn in every format, and a model answers a workload. After a line `---` come changes.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use tlstax_doc::model::{Model, parse_model};
use tlstax_doc::plan::parse_plan;
use tlstax_plan::{Change, Costs, Ground, Offered, Setup, predict, traffic};
use tlstax_report::{FORMATS, Style, View, model_view, plan_view};

#[path = "../shared/traffic.rs"]
#[allow(dead_code)]
mod shared;

const WORKLOAD: &str = include_str!("../../docs/traffic-by-hand.toml");

fuzz_target!(|text: &str| {
    let (document, changes) = text.split_once("\n---\n").unwrap_or((text, text));
    let changes: Vec<Change> = changes.lines().take(4).filter_map(|line| line.parse().ok()).collect();
    if let Ok(plan) = parse_plan(document, Path::new("plan.json")) {
        draw(&plan_view(&plan));
    }
    if let Ok(model) = parse_model(document, Path::new("model.json")) {
        draw(&model_view(&model));
        ask(&model, &changes);
    }
});

fn ask(model: &Model, changes: &[Change]) {
    let workload = tlstax_traffic::by_hand(WORKLOAD, "by-hand.toml", shared::tool()).unwrap();
    let traffic = traffic(&workload, Offered::PerSecond(1_000.0)).unwrap();
    let (costs, setup) = (Costs::of(model), Setup::of(model));
    predict(&traffic, setup, &costs);
    let ground = Ground { traffic: &traffic, setup, costs: &costs, others: &[] };
    let _ = ground.scenarios(changes);
}

fn draw(view: &View) {
    for format in FORMATS {
        format.draw(view, &Style::default());
    }
}
