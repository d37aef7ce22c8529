//! Messages as lines of JSON.

use serde::Serialize;

use super::message::{Answer, PROTOCOL, Request};
use crate::{Case, CaseError, FlatCase};

/// A line that is no message.
#[derive(Debug, thiserror::Error)]
pub enum WireError {
    /// Not JSON, or not of the form of any message.
    #[error("not a message of protocol {PROTOCOL}: {source}: {line}")]
    Malformed {
        /// The line, shortened.
        line: String,
        source: serde_json::Error,
    },
    /// The fields do not make a case.
    #[error("not a case: {0}")]
    Case(#[from] CaseError),
}

impl Request {
    /// The message as one line, without its end.
    pub fn encode(&self) -> String {
        encode(self)
    }

    /// Reads one line.
    ///
    /// # Errors
    /// The line is no message of this protocol.
    pub fn decode(line: &str) -> Result<Self, WireError> {
        // What serde says of a case that is none does not tell it from other mistakes.
        decode(line).map_err(|error| match serde_json::from_str::<FlatCase>(line).map(Case::try_from) {
            Ok(Err(not_a_case)) => not_a_case.into(),
            _ => error,
        })
    }
}

impl Answer {
    /// The message as one line, without its end.
    pub fn encode(&self) -> String {
        encode(self)
    }

    /// Reads one line.
    ///
    /// # Errors
    /// The line is no message of this protocol.
    pub fn decode(line: &str) -> Result<Self, WireError> {
        decode(line)
    }

    /// The slot that the answer is about, for answers that are about one.
    pub const fn slot(&self) -> Option<u32> {
        match self {
            Self::Ready { slot, .. }
            | Self::Sampled { slot, .. }
            | Self::Unsupported { slot, .. }
            | Self::Failed { slot, .. }
            | Self::Usage { slot, .. }
            | Self::Released { slot } => Some(*slot),
            Self::Hello(_) | Self::Suites { .. } | Self::Looked(_) | Self::Reference { .. } => None,
        }
    }
}

fn encode(message: &impl Serialize) -> String {
    // Only a map with keys that are no strings, or a failing writer, could make this fail; there is neither.
    serde_json::to_string(message).expect("messages have string keys")
}

fn decode<T: serde::de::DeserializeOwned>(line: &str) -> Result<T, WireError> {
    serde_json::from_str(line).map_err(|source| {
        let line = line.chars().take(200).collect();
        WireError::Malformed { line, source }
    })
}
