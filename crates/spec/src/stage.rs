//! [`Stage`]: how far a case had come when something went wrong.

use serde::{Deserialize, Serialize};

/// How far a case, or a request about none, had come when something went wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Stage {
    /// Starting the worker, the server or the client.
    Start,
    /// Its first answer: who it is.
    Hello,
    /// Getting a case ready, one trial run included.
    Prepare,
    /// A batch.
    Run,
    /// Holding what was negotiated or computed against the case.
    Proof,
    /// A library refuses words for cipher suites. A worker that fails at another stage has not understood the request, which is
    /// younger than the version of the protocol.
    Expand,
    /// Looking at a server. It, too, is younger than the version of the protocol.
    Look,
    /// Reading a request.
    Protocol,
    /// A word of a worker in another language, or of another version of tlstax.
    Other(String),
}

impl Stage {
    const KNOWN: [Self; 8] = [
        Self::Start,
        Self::Hello,
        Self::Prepare,
        Self::Run,
        Self::Proof,
        Self::Expand,
        Self::Look,
        Self::Protocol,
    ];

    /// Its word on the bridge and in documents.
    pub fn name(&self) -> &str {
        match self {
            Self::Start => "start",
            Self::Hello => "hello",
            Self::Prepare => "prepare",
            Self::Run => "run",
            Self::Proof => "proof",
            Self::Expand => "expand",
            Self::Look => "look",
            Self::Protocol => "protocol",
            Self::Other(word) => word,
        }
    }
}

impl From<String> for Stage {
    fn from(word: String) -> Self {
        let known = Self::KNOWN.into_iter().find(|stage| stage.name() == word);
        known.unwrap_or(Self::Other(word))
    }
}

impl From<Stage> for String {
    fn from(stage: Stage) -> Self {
        stage.name().to_owned()
    }
}

impl std::fmt::Display for Stage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stage_goes_by_its_word_and_an_unknown_word_is_kept() {
        for stage in Stage::KNOWN {
            assert_eq!(Stage::from(stage.name().to_owned()), stage);
        }
        let foreign = Stage::from("warm-up".to_owned());
        assert_eq!((foreign.name(), &foreign), ("warm-up", &Stage::Other("warm-up".to_owned())));
    }
}
