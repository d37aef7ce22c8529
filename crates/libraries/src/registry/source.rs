//! Where the sources of a library come from.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Where a library comes from: `crate:NAME@=VERSION`, `system:PACKAGE` or `path:FOLDER`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Source {
    /// Sources inside a Rust crate, of exactly this version; its own build script is never run.
    Crate { name: String, version: String },
    /// The library of the system, from this Debian package.
    System(String),
    /// A folder of the user's own: sources, or with the recipe `prefix` an installation.
    Path(PathBuf),
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no source: write crate:NAME@=VERSION, system:PACKAGE or path:FOLDER")]
pub struct BadSource(String);

impl TryFrom<String> for Source {
    type Error = BadSource;

    fn try_from(text: String) -> Result<Self, BadSource> {
        let source = match text.split_once(':') {
            Some(("crate", pin)) => pin
                .split_once("@=")
                .filter(|(name, version)| {
                    let plain = |text: &str| !text.is_empty() && !text.contains(['/', '"', ' ']);
                    plain(name) && plain(version)
                })
                .map(|(name, version)| Self::Crate { name: name.to_owned(), version: version.to_owned() }),
            Some(("system", package)) if !package.is_empty() => Some(Self::System(package.to_owned())),
            Some(("path", folder)) if !folder.is_empty() => Some(Self::Path(folder.into())),
            _ => None,
        };
        source.ok_or(BadSource(text))
    }
}

impl From<Source> for String {
    fn from(source: Source) -> Self {
        source.to_string()
    }
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Crate { name, version } => write!(f, "crate:{name}@={version}"),
            Self::System(package) => write!(f, "system:{package}"),
            Self::Path(folder) => write!(f, "path:{}", folder.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_read_and_written() {
        for text in ["crate:openssl-src@=300.6.1+3.6.3", "system:libssl-dev", "path:/opt/openssl"] {
            assert_eq!(Source::try_from(text.to_owned()).unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_source_is_refused() {
        for text in
            ["", "openssl", "crate:openssl-src", "crate:a@=", "crate:@=1", "crate:../x@=1", "path:", "git:x"]
        {
            let error = Source::try_from(text.to_owned()).unwrap_err();
            assert!(error.to_string().contains("crate:NAME@=VERSION"), "{text}");
        }
    }
}
