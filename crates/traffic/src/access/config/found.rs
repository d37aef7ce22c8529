//! [`Found`]: what a configuration says of logs.

use super::super::field::Escape;

/// The formats and the logs of a configuration, in its order.
#[derive(Debug, Default, Clone)]
pub struct Found {
    pub formats: Vec<Format>,
    pub logs: Vec<Log>,
}

/// A format string in a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Format {
    /// By which logs refer to it; HAProxy's is the section that it stands in.
    pub name: String,
    pub text: String,
    pub escape: Escape,
    /// `nginx.conf:12`
    pub place: String,
}

/// A log, and the name of its format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    pub path: String,
    pub format: String,
}

impl Found {
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>, escape: Escape, place: String) {
        self.formats.push(Format { name: name.into(), text: text.into(), escape, place });
    }

    pub fn add_log(&mut self, path: impl Into<String>, format: impl Into<String>) {
        self.logs.push(Log { path: path.into(), format: format.into() });
    }
}
