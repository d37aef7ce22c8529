//! [`FormatError`]: a format of lines that cannot be used.

/// A format of lines that cannot be used: where it stands, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct FormatError {
    /// `/etc/nginx/nginx.conf:12`, or what else says where it stands.
    pub place: String,
    pub problem: Problem,
}

/// What is wrong with a format, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    #[error(
        "the format has no field; give the format string as it stands in the configuration of the server"
    )]
    NoField,
    #[error(
        "nothing stands between {first} and {second}, so that nobody can tell where one ends; put a space between them in the \
         configuration of the server, or give the format of another of its logs"
    )]
    Adjacent { first: String, second: String },
    #[error("{what} is not closed; give the whole of it")]
    Unclosed { what: String },
    #[error("the format has more than {most} fields; give the format string alone")]
    TooManyFields { most: usize },
    #[error("the format has line breaks, and logs are read by lines; write each entry into one line")]
    ManyLines,
    #[error("the format writes {what}, in which fields have names; read such a log with --format {word}")]
    Named { what: &'static str, word: &'static str },
    #[error("`{statement}` lacks {lacks}; is this the configuration of {server}?")]
    Incomplete { statement: String, lacks: &'static str, server: &'static str },
    #[error("there is no log format `{name}`; there is {known}")]
    NoSuchFormat { name: String, known: String },
    #[error("no log format is defined; give the file that defines it, or the format string itself")]
    NoFormat,
    #[error("there are several log formats: {known}; name the one of this log")]
    SeveralFormats { known: String },
}

impl Problem {
    /// The error, at a place.
    pub fn at(self, place: impl Into<String>) -> FormatError {
        FormatError { place: place.into(), problem: self }
    }
}
