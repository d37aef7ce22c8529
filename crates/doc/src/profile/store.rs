//! Reading and writing profiles.

use std::path::Path;

use super::document::{PROFILE_VERSION, Profile};
use crate::named::Named;
use crate::store::{self, StoreError};

const PROFILE: Named = Named {
    word: "profile",
    one: "a profile",
    version: PROFILE_VERSION,
    anew: "it was cut off: take the profile anew",
    instead: "give a file that `tlstax observe` wrote",
};

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
    PROFILE.parse(text, path)
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
