//! Reading and writing profiles.

use std::path::Path;

use serde::Deserialize;

use super::document::{PROFILE_VERSION, Profile};
use crate::store::{self, StoreError};
use crate::version::SchemaVersion;

/// Reads a profile.
///
/// # Errors
/// The file cannot be read, or holds no profile of a version that this program reads.
pub fn read_profile(path: &Path) -> Result<Profile, StoreError> {
    parse_profile(&store::read(path)?, path)
}

/// Reads the text of a profile; the path is for messages.
///
/// # Errors
/// The text holds no profile of a version that this program reads.
pub fn parse_profile(text: &str, path: &Path) -> Result<Profile, StoreError> {
    let malformed = |source: serde_json::Error| StoreError::Malformed {
        path: path.to_owned(),
        what: "profile",
        remedy: if source.is_eof() {
            "it was cut off: take the profile anew"
        } else {
            "give a file that `tlstax observe` wrote"
        },
        source,
    };
    let head: Head = serde_json::from_str(text).map_err(malformed)?;
    if head.document.as_deref() == Some("profile") && !PROFILE_VERSION.can_read(head.schema) {
        let (found, known) = (head.schema, PROFILE_VERSION);
        return Err(StoreError::Newer { path: path.to_owned(), what: "a profile", found, known });
    }
    serde_json::from_str(text).map_err(malformed)
}

/// Writes a profile: there whole, or not at all.
///
/// # Errors
/// The file cannot be written; what was there before stays.
pub fn write_profile(path: &Path, profile: &Profile) -> Result<(), StoreError> {
    // Maps with keys that are no strings do not occur in the types.
    let json = serde_json::to_vec(profile).expect("profiles have string keys");
    store::write(path, &json)
}

/// What says which document it is, whatever else is in it.
#[derive(Deserialize)]
struct Head {
    schema: SchemaVersion,
    document: Option<String>,
}
