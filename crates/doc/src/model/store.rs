//! Reading and writing models.

use std::path::Path;

use serde::de::Error;

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
/// The text holds no model of a version that this program reads, or one whose covariances are not those of its terms.
pub fn parse_model(text: &str, path: &Path) -> Result<Model, StoreError> {
    let model: Model = MODEL.parse(text, path)?;
    match broken(&model) {
        None => Ok(model),
        Some(what) => Err(StoreError::Malformed {
            path: path.to_owned(),
            what: MODEL.word,
            source: serde_json::Error::custom(what),
            remedy: "fit it anew by `tlstax calibrate --from` the results that are beside it",
        }),
    }
}

/// What makes costs of a model, or what is open of them, no numbers to count with; none of a sound one. Without all its covariances a model
/// would promise more than was measured.
fn broken(model: &Model) -> Option<&'static str> {
    let rows = &model.covariance;
    let is_triangle =
        rows.len() == model.terms.len() && rows.iter().enumerate().all(|(place, row)| row.len() == place + 1);
    let is_number = |number: &f64| number.is_finite();
    let is_open_by = |spread: &f64| spread.is_finite() && *spread >= 0.0;
    if !is_triangle {
        Some("its covariances do not go with its terms: there has to be a row for each, up to its own column")
    } else if !model.terms.iter().all(|cost| is_number(&cost.ns)) || !rows.iter().flatten().all(is_number) {
        Some("one of its costs or covariances is no number")
    } else if !rows.iter().filter_map(|row| row.last()).chain([&model.unexplained]).all(is_open_by) {
        Some("one of its variances is less than nothing")
    } else {
        None
    }
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const SOUND: &str = include_str!("../../../plan/tests/model.json");

    #[test]
    fn a_model_without_all_its_covariances_is_refused_with_what_to_do() {
        let refused = |change: &dyn Fn(&mut Value)| {
            let mut model: Value = serde_json::from_str(SOUND).unwrap();
            change(&mut model);
            parse_model(&model.to_string(), "m.json".as_ref()).unwrap_err().to_string()
        };
        assert!(parse_model(SOUND, "m.json".as_ref()).is_ok());
        for (change, says) in [
            (&(|model: &mut Value| model["covariance"] = json!([])) as &dyn Fn(&mut Value), "covariances"),
            (&|model| model["covariance"][1] = json!([1.0]), "covariances"),
            (&|model| model["covariance"][1][1] = json!(-1.0), "less than nothing"),
            (&|model| model["unexplained"] = json!(-0.1), "less than nothing"),
        ] {
            let error = refused(change);
            assert!(error.contains(says) && error.contains("fit it anew"), "{error}");
        }
    }
}
