//! Which libraries a study is about.

use std::fmt;

use serde::Deserialize;
use tlstax_spec::{Id, InvalidId};

/// An id, or the beginning of ids and a `*`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum LibraryPattern {
    One(Id),
    /// Every library whose id begins so; with nothing before the `*`, all.
    Beginning(Option<Id>),
}

impl LibraryPattern {
    pub fn fits(&self, id: &Id) -> bool {
        match self {
            Self::One(one) => id == one,
            Self::Beginning(beginning) => {
                beginning.as_ref().is_none_or(|beginning| id.starts_with(beginning.as_str()))
            }
        }
    }

    pub const fn id(&self) -> Option<&Id> {
        match self {
            Self::One(id) => Some(id),
            Self::Beginning(_) => None,
        }
    }
}

impl TryFrom<String> for LibraryPattern {
    type Error = InvalidId;

    fn try_from(text: String) -> Result<Self, InvalidId> {
        match text.strip_suffix('*') {
            Some("") => Ok(Self::Beginning(None)),
            Some(beginning) => beginning.parse().map(Some).map(Self::Beginning),
            None => text.try_into().map(Self::One),
        }
    }
}

impl fmt::Display for LibraryPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(id) => f.write_str(id),
            Self::Beginning(beginning) => write!(f, "{}*", beginning.as_deref().unwrap_or_default()),
        }
    }
}
