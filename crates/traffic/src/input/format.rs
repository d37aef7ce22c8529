//! [`FormatWord`]: a format as the user says it.

use std::io;
use std::path::PathBuf;
use std::str::FromStr;

use crate::access::{FormatError, Server};
use crate::structured::BadField;

/// A format as the user says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FormatWord {
    /// `nginx:FILE` or `nginx:FILE#NAME`: by the configuration of a server, and there the format of that name.
    Configured { server: Server, file: PathBuf, name: Option<String> },
    /// `nginx=FORMAT`: a format string of a server.
    Literal { server: Server, format: String },
    /// `combined`: one that is known by a word.
    Word(String),
}

/// A format that nobody knows, or cannot be found.
#[derive(Debug, thiserror::Error)]
pub enum NoFormat {
    #[error(
        "there is no format '{word}'; write nginx:FILE, apache:FILE, haproxy:FILE or lighttpd:FILE with the server's \
         configuration, nginx='FORMAT' and so on with the format itself, or one of: {}",
        .known.join(", ")
    )]
    Unknown { word: String, known: Vec<&'static str> },
    #[error(
        "'{word}' says no format: write {server}:FILE with its configuration, or {server}='FORMAT' with the format itself"
    )]
    Incomplete { word: String, server: &'static str },
    #[error(transparent)]
    Mapping(#[from] BadField),
    #[error(transparent)]
    String(#[from] FormatError),
    #[error("cannot read the configuration {path}: {source}")]
    Read { path: PathBuf, source: io::Error },
}

/// Servers that have their formats in their configurations.
const CONFIGURED: [Server; 4] = [Server::Nginx, Server::Apache, Server::HAProxy, Server::Lighttpd];

impl FromStr for FormatWord {
    type Err = NoFormat;

    fn from_str(word: &str) -> Result<Self, NoFormat> {
        for server in CONFIGURED {
            let Some(rest) = word.strip_prefix(server.word()) else { continue };
            match rest.split_at_checked(1) {
                Some((":" | "=", "")) => {
                    return Err(NoFormat::Incomplete { word: word.to_owned(), server: server.word() });
                }
                Some((":", file)) => return Ok(configured(server, file)),
                Some(("=", format)) => return Ok(Self::Literal { server, format: format.to_owned() }),
                _ => {}
            }
        }
        Ok(Self::Word(word.to_owned()))
    }
}

/// A file, and behind its last `#` the name of a format. A path with that sign in it is a path if there is such a file.
fn configured(server: Server, text: &str) -> FormatWord {
    let (file, name) = match text.rsplit_once('#') {
        Some((file, name)) if !name.is_empty() && !PathBuf::from(text).exists() => {
            (file, Some(name.to_owned()))
        }
        _ => (text, None),
    };
    FormatWord::Configured { server, file: file.into(), name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_a_word_a_configuration_or_itself() {
        let word = |text: &str| text.parse::<FormatWord>();
        assert_eq!(word("combined").unwrap(), FormatWord::Word("combined".to_owned()));
        let file = PathBuf::from("/etc/nginx/nginx.conf");
        let server = Server::Nginx;
        let expected = FormatWord::Configured { server, file: file.clone(), name: None };
        assert_eq!(word("nginx:/etc/nginx/nginx.conf").unwrap(), expected);
        let name = Some("main".to_owned());
        assert_eq!(
            word("nginx:/etc/nginx/nginx.conf#main").unwrap(),
            FormatWord::Configured { server, file, name }
        );
        let expected = FormatWord::Literal { server: Server::Apache, format: "%h %>s".to_owned() };
        assert_eq!(word("apache=%h %>s").unwrap(), expected);
        assert!(word("haproxy:").is_err() && word("nginx=").is_err());
        assert_eq!(word("nginx-json").unwrap(), FormatWord::Word("nginx-json".to_owned()));
    }
}
