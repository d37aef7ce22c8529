//! Reading and writing plans.

use std::path::Path;

use super::document::{PLAN_VERSION, Plan};
use crate::named::Named;
use crate::store::{self, StoreError};

const PLAN: Named = Named {
    word: "plan",
    one: "a plan",
    version: PLAN_VERSION,
    anew: "it was cut off: make it anew by `tlstax plan`",
    instead: "give a file that `tlstax plan` wrote",
};

/// Reads a plan.
///
/// # Errors
/// The file cannot be read, or holds no plan of a version that this program reads.
pub fn read_plan(path: &Path) -> Result<Plan, StoreError> {
    parse_plan(&store::read(path)?, path)
}

/// Reads the text of a plan; the path is for messages.
///
/// # Errors
/// The text holds no plan of a version that this program reads.
pub fn parse_plan(text: &str, path: &Path) -> Result<Plan, StoreError> {
    PLAN.parse(text, path)
}

/// Writes a plan: there whole, or not at all.
///
/// # Errors
/// The file cannot be written; what was there before stays.
pub fn write_plan(path: &Path, plan: &Plan) -> Result<(), StoreError> {
    // Maps with keys that are no strings do not occur in the types.
    let json = serde_json::to_vec_pretty(plan).expect("plans have string keys");
    store::write(path, &json)
}
