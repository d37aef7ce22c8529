//! [`FormatWord`]: a format as the user says it.

use std::io;
use std::path::PathBuf;
use std::str::FromStr;

use super::named_fields;
use crate::classes::Classes;
use crate::reader::Candidate;
use crate::structured::BadField;

/// A format as the user says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FormatWord {
    /// `nginx:FILE` or `nginx:FILE#NAME`: by the configuration of a server, and there the format of that name.
    Configured { server: Configured, file: PathBuf, name: Option<String> },
    /// `nginx=FORMAT`: a format string of a server.
    Literal { server: Configured, format: String },
    /// `combined`: one that is known by a word.
    Word(String),
}

/// A server that has its formats in its configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Configured {
    Nginx,
    Apache,
    HAProxy,
    Lighttpd,
}

/// A format that nobody knows, or cannot be found.
#[derive(Debug, thiserror::Error)]
pub enum NoFormat {
    #[error("there is no format '{word}': known are {}", .known.join(", "))]
    Unknown { word: String, known: Vec<String> },
    #[error(
        "'{word}' says no format: write {server}:FILE with its configuration, or {server}='FORMAT' with the format itself"
    )]
    Incomplete { word: String, server: &'static str },
    #[error(transparent)]
    Mapping(#[from] BadField),
    #[error("cannot read the configuration {path}: {source}")]
    Read { path: PathBuf, source: io::Error },
}

impl Configured {
    const ALL: [Self; 4] = [Self::Nginx, Self::Apache, Self::HAProxy, Self::Lighttpd];

    pub const fn word(self) -> &'static str {
        match self {
            Self::Nginx => "nginx",
            Self::Apache => "apache",
            Self::HAProxy => "haproxy",
            Self::Lighttpd => "lighttpd",
        }
    }
}

impl FromStr for FormatWord {
    type Err = NoFormat;

    fn from_str(word: &str) -> Result<Self, NoFormat> {
        for server in Configured::ALL {
            let Some(rest) = word.strip_prefix(server.word()) else { continue };
            let incomplete = || NoFormat::Incomplete { word: word.to_owned(), server: server.word() };
            match rest.split_at_checked(1) {
                Some((":" | "=", "")) => return Err(incomplete()),
                Some((":", file)) => return Ok(configured(server, file)),
                Some(("=", format)) => return Ok(Self::Literal { server, format: format.to_owned() }),
                _ => {}
            }
        }
        Ok(Self::Word(word.to_owned()))
    }
}

/// A file, and behind its last `#` the name of a format. A path with that sign in it is a path if there is such a file.
fn configured(server: Configured, text: &str) -> FormatWord {
    let (file, name) = match text.rsplit_once('#') {
        Some((file, name)) if !name.is_empty() && !PathBuf::from(text).exists() => {
            (file, Some(name.to_owned()))
        }
        _ => (text, None),
    };
    FormatWord::Configured { server, file: file.into(), name }
}

/// What a format is that the user has said.
pub enum Given {
    /// The same for all inputs.
    Reader(Candidate),
    /// One of logs that name their fields: each input says where they stand.
    NamedFields(&'static str),
}

impl FormatWord {
    /// What it is.
    ///
    /// # Errors
    /// There is no such format.
    pub(super) fn given(&self, classes: &Classes) -> Result<Given, NoFormat> {
        match self {
            Self::Word(word) => of_word(word, classes),
            Self::Configured { .. } | Self::Literal { .. } => {
                Err(NoFormat::Unknown { word: format!("{self:?}"), known: known() })
            }
        }
    }
}

fn of_word(word: &str, classes: &Classes) -> Result<Given, NoFormat> {
    if let Some(mapping) = word.strip_prefix("json:") {
        return Ok(Given::Reader(named_fields::of_mapping(mapping, classes)?));
    }
    match named_fields::WORDS.iter().find(|(known, _)| *known == word) {
        Some((known, _)) => Ok(Given::NamedFields(known)),
        None => Err(NoFormat::Unknown { word: word.to_owned(), known: known() }),
    }
}

/// Words that stand for a format.
pub fn known() -> Vec<String> {
    named_fields::WORDS.iter().map(|(word, _)| (*word).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_a_word_a_configuration_or_itself() {
        let word = |text: &str| text.parse::<FormatWord>();
        assert_eq!(word("combined").unwrap(), FormatWord::Word("combined".to_owned()));
        let file = PathBuf::from("/etc/nginx/nginx.conf");
        let server = Configured::Nginx;
        let expected = FormatWord::Configured { server, file: file.clone(), name: None };
        assert_eq!(word("nginx:/etc/nginx/nginx.conf").unwrap(), expected);
        let name = Some("main".to_owned());
        assert_eq!(
            word("nginx:/etc/nginx/nginx.conf#main").unwrap(),
            FormatWord::Configured { server, file, name }
        );
        let expected = FormatWord::Literal { server: Configured::Apache, format: "%h %>s".to_owned() };
        assert_eq!(word("apache=%h %>s").unwrap(), expected);
        assert!(word("haproxy:").is_err() && word("nginx=").is_err());
    }
}
