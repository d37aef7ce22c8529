//! A server that the user has named, as it stands in the requests about it.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::Method;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// Its IP address. One that is not this machine's is there only if the user has typed it twice.
    pub address: String,
    /// The name for SNI and the Host header.
    #[serde(rename = "server_name", default)]
    pub name: String,
    #[serde(default = "root")]
    pub path: String,
    #[serde(default, skip_serializing_if = "is_usual")]
    pub method: Method,
}

fn root() -> String {
    "/".to_owned()
}

fn is_usual(method: &Method) -> bool {
    *method == Method::default()
}

/// A target where there is an address. What is wrong with one that is there is an error, and not taken for none.
pub(super) fn if_named<'de, D: Deserializer<'de>>(fields: D) -> Result<Option<Target>, D::Error> {
    let fields = Map::deserialize(fields)?;
    let target = fields.contains_key("address").then(|| Target::deserialize(Value::Object(fields)));
    target.transpose().map_err(D::Error::custom)
}
