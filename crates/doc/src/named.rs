//! Documents that name themselves: all but results, which are older than that.

use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::store::StoreError;
use crate::version::SchemaVersion;

/// A kind of document that names itself.
pub(crate) struct Named {
    /// What stands in its field `document`.
    pub word: &'static str,
    /// The same with its article.
    pub one: &'static str,
    /// The version that this program writes.
    pub version: SchemaVersion,
    /// What to do about one that was cut off.
    pub anew: &'static str,
    /// What to give in place of something else.
    pub instead: &'static str,
}

impl Named {
    /// Reads the text of such a document; the path is for messages.
    ///
    /// # Errors
    /// The text holds none of a version that this program reads.
    pub fn parse<T: DeserializeOwned>(&self, text: &str, path: &Path) -> Result<T, StoreError> {
        let malformed = |source: serde_json::Error| StoreError::Malformed {
            path: path.to_owned(),
            what: self.word,
            remedy: if source.is_eof() { self.anew } else { self.instead },
            source,
        };
        let head: Head = serde_json::from_str(text).map_err(malformed)?;
        if head.document.as_deref() == Some(self.word) && !self.version.can_read(head.schema) {
            let (found, known) = (head.schema, self.version);
            return Err(StoreError::Newer { path: path.to_owned(), what: self.one, found, known });
        }
        serde_json::from_str(text).map_err(malformed)
    }
}

/// What says which document it is, whatever else is in it.
#[derive(Deserialize)]
struct Head {
    schema: SchemaVersion,
    document: Option<String>,
}
