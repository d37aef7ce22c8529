//! [`Id`]: what a library, a server, a client or a study is called.

use std::borrow::{Borrow, Cow};
use std::fmt;
use std::ops::Deref;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// An id that has been checked: it begins with a letter or a digit and holds nothing but ASCII letters, digits and a few marks,
/// so that it is a single component of a path, prints as it is, and is no formula in a spreadsheet.
///
/// There is no other way to make one, so that whoever has one need not check it again.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Id(Cow<'static, str>);

/// A text that is no id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{text}' is no id: it {problem}; write 1 to {max} letters (a to z), digits and marks ({marks}), a letter or digit first",
    max = Id::MAX_BYTES,
    marks = Id::MARKS
)]
pub struct InvalidId {
    /// The text, shortened and with its control characters escaped.
    text: String,
    problem: &'static str,
}

impl Id {
    /// The longest id: with an ending of a file it fits the 255 bytes that file systems allow, twice over.
    pub const MAX_BYTES: usize = 100;

    /// What may stand in an id beside letters and digits: `@`, `:`, `[`, `]` and `%` are in ids that tlstax makes itself, such as
    /// `nginx@openssl-3.6` and `server-at-[fe80::1%2]:8443`.
    const MARKS: &'static str = ". _ - + @ : [ ] %";

    /// An id that is written in the source.
    ///
    /// # Panics
    /// The text is no id. That is a mistake in the program: what comes from outside is parsed.
    pub const fn literal(text: &'static str) -> Self {
        assert!(problem(text).is_none(), "the text is no id");
        Self(Cow::Borrowed(text))
    }

    /// The id that is nearest to a text: `-` stands for each character that an id cannot hold. For names in documents of
    /// versions that did not check them.
    pub fn nearest(text: &str) -> Self {
        let fitting = |one: char| if one.is_ascii() && is_allowed(one as u8) { one } else { '-' };
        let fitted: String = text.chars().map(fitting).take(Self::MAX_BYTES).collect();
        let begun = fitted.trim_start_matches(|one: char| !one.is_ascii_alphanumeric());
        begun.parse().unwrap_or(const { Self::literal("unnamed") })
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

const fn is_allowed(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'.' | b'_' | b'-' | b'+' | b'@' | b':' | b'[' | b']' | b'%')
}

/// What keeps a text from being an id.
const fn problem(text: &str) -> Option<&'static str> {
    let bytes = text.as_bytes();
    if bytes.is_empty() {
        return Some("is empty");
    }
    if bytes.len() > Id::MAX_BYTES {
        return Some("is too long");
    }
    if !bytes[0].is_ascii_alphanumeric() {
        return Some("does not begin with a letter or digit");
    }
    let mut at = 0;
    while at < bytes.len() {
        if !is_allowed(bytes[at]) {
            return Some("holds a character that no id can hold");
        }
        at += 1;
    }
    None
}

impl FromStr for Id {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        text.to_owned().try_into()
    }
}

impl TryFrom<String> for Id {
    type Error = InvalidId;

    fn try_from(text: String) -> Result<Self, InvalidId> {
        match problem(&text) {
            None => Ok(Self(Cow::Owned(text))),
            Some(problem) => {
                let text = text.chars().take(Self::MAX_BYTES).flat_map(char::escape_default).collect();
                Err(InvalidId { text, problem })
            }
        }
    }
}

impl From<Id> for String {
    fn from(id: Id) -> Self {
        id.0.into_owned()
    }
}

impl Deref for Id {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Id {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl AsRef<Path> for Id {
    fn as_ref(&self) -> &Path {
        Path::new(self.as_str())
    }
}

impl PartialEq<&str> for Id {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Id {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Id".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "maxLength": Self::MAX_BYTES,
            "pattern": r"^[A-Za-z0-9][A-Za-z0-9._+@:\[\]%-]*$"
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn d15_d18_an_id_is_a_single_component_of_a_path() {
        for text in [
            "",
            ".",
            "..",
            "../../x",
            "/abs/x",
            "a/b",
            "a b",
            "a\n",
            "a\u{1b}[2J",
            "a\0b",
            "=1+1",
            "-l",
            "@sum",
            "+1",
            "ä",
            "a\"b",
            "a\\b",
            &"a".repeat(Id::MAX_BYTES + 1),
        ] {
            let error = text.parse::<Id>().unwrap_err().to_string();
            assert!(error.contains("is no id") && !error.contains(char::is_control), "{error}");
        }
    }

    #[test]
    fn the_ids_that_there_are_are_ids() {
        for text in [
            "openssl-1.1.1-weak",
            "openssl-without-aes-sha",
            "nginx@openssl-3.6",
            "server-at-127.0.0.1:8443",
            "server-at-[::1]:8443",
            "server-at-[fe80::1%2]:443",
            "tls1.3",
        ] {
            let id: Id = text.parse().unwrap();
            assert_eq!((id.as_str(), id.to_string()), (text, text.to_owned()));
            let json = serde_json::to_string(&id).unwrap();
            assert_eq!(json, format!("\"{text}\""));
            assert_eq!(serde_json::from_str::<Id>(&json).unwrap(), id);
        }
        assert!(serde_json::from_str::<Id>("\"a/b\"").is_err());
    }

    #[test]
    fn the_nearest_id_of_an_old_name_keeps_what_it_can() {
        for (text, id) in
            [("my study", "my-study"), ("../../x", "x"), ("", "unnamed"), ("größe", "gr--e"), ("ok", "ok")]
        {
            assert_eq!(Id::nearest(text), id);
        }
    }
}
