//! Reading and writing models.

use std::path::Path;

use super::document::{MODEL_VERSION, Model};
use crate::named::Named;
use crate::store::{self, StoreError};

const MODEL: Named = Named {
    word: "model",
    one: "a model",
    version: MODEL_VERSION,
    anew: "it was cut off: fit it anew by `tlstax calibrate --from` the results that are beside it",
    instead: "give a file that `tlstax calibrate` wrote",
};

/// Reads a model.
///
/// # Errors
/// The file cannot be read, or holds no model of a version that this program reads.
pub fn read_model(path: &Path) -> Result<Model, StoreError> {
    parse_model(&store::read(path)?, path)
}

/// Reads the text of a model; the path is for messages.
///
/// # Errors
/// The text holds no model of a version that this program reads.
pub fn parse_model(text: &str, path: &Path) -> Result<Model, StoreError> {
    MODEL.parse(text, path)
}

/// Writes a model: there whole, or not at all.
///
/// # Errors
/// The file cannot be written; what was there before stays.
pub fn write_model(path: &Path, model: &Model) -> Result<(), StoreError> {
    // Maps with keys that are no strings do not occur in the types.
    let json = serde_json::to_vec_pretty(model).expect("models have string keys");
    store::write(path, &json)
}
