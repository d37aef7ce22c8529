//! [`Assumed`]: what is not known, and what was put in its place.

use std::collections::BTreeSet;

/// What is not known, and what was put in its place.
#[derive(Debug, Default)]
pub struct Assumed(BTreeSet<(What, String)>);

/// Something that a load has to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    Protocol,
    Suite,
    Group,
    Key,
    Resumed,
    Resumption,
    Http,
    RequestsPerConnection,
    Body,
    Rate,
}

impl What {
    const fn title(self) -> &'static str {
        match self {
            Self::Protocol => "the version of TLS",
            Self::Suite => "the cipher suite",
            Self::Group => "the group",
            Self::Key => "the server's key",
            Self::Resumed => "whether sessions are resumed",
            Self::Resumption => "the way to resume",
            Self::Http => "the version of HTTP",
            Self::RequestsPerConnection => "how many requests a connection has",
            Self::Body => "the size of responses",
            Self::Rate => "the rate",
        }
    }
}

impl Assumed {
    /// Something was put in the place of what is not known.
    pub fn add(&mut self, what: What, value: impl Into<String>) {
        self.0.insert((what, value.into()));
    }

    /// A sentence for each.
    pub fn sentences(&self) -> Vec<String> {
        let sentence = |(what, value): &(What, String)| {
            format!("{} is not known for all connections: {value} was assumed", what.title())
        };
        self.0.iter().map(sentence).collect()
    }
}
