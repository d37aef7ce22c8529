//! [`FormatWord`]: a format as the user says it.

use std::io;
use std::path::PathBuf;
use std::str::FromStr;

use crate::classes::Classes;
use crate::reader::Candidate;

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

impl FormatWord {
    /// What reads it.
    ///
    /// # Errors
    /// There is no such format.
    pub(super) fn candidate(&self, _classes: &Classes) -> Result<Candidate, NoFormat> {
        Err(NoFormat::Unknown { word: format!("{self:?}"), known: Vec::new() })
    }
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
