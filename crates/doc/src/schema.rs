//! JSON Schemas of the documents, generated from their types.

use crate::model::{MODEL_VERSION, Model};
use crate::plan::{PLAN_VERSION, Plan};
use crate::profile::{PROFILE_VERSION, Profile};
use crate::results::{RESULTS_VERSION, Results};
use crate::workload::{WORKLOAD_VERSION, Workload};

/// The schema of [`Results`], pretty-printed, and the name of the file under `schemas/` that holds it.
pub fn results_schema() -> (String, String) {
    (format!("results.v{}.schema.json", RESULTS_VERSION.major), printed(&schemars::schema_for!(Results)))
}

/// The same of [`Profile`].
pub fn profile_schema() -> (String, String) {
    (format!("profile.v{}.schema.json", PROFILE_VERSION.major), printed(&schemars::schema_for!(Profile)))
}

/// The same of [`Workload`].
pub fn workload_schema() -> (String, String) {
    (format!("workload.v{}.schema.json", WORKLOAD_VERSION.major), printed(&schemars::schema_for!(Workload)))
}

/// The same of [`Model`].
pub fn model_schema() -> (String, String) {
    (format!("model.v{}.schema.json", MODEL_VERSION.major), printed(&schemars::schema_for!(Model)))
}

/// The same of [`Plan`].
pub fn plan_schema() -> (String, String) {
    (format!("plan.v{}.schema.json", PLAN_VERSION.major), printed(&schemars::schema_for!(Plan)))
}

fn printed(schema: &schemars::Schema) -> String {
    serde_json::to_string_pretty(schema).expect("a schema has string keys") + "\n"
}
