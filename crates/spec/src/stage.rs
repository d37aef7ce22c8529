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
    const KNOWN: [(&'static str, Self); 8] = [
        ("start", Self::Start),
        ("hello", Self::Hello),
        ("prepare", Self::Prepare),
        ("run", Self::Run),
        ("proof", Self::Proof),
        ("expand", Self::Expand),
        ("look", Self::Look),
        ("protocol", Self::Protocol),
    ];

    /// Its word on the bridge and in documents.
    pub fn name(&self) -> &str {
        match self {
            Self::Other(word) => word,
            known => Self::KNOWN.iter().find(|(_, stage)| stage == known).map_or("", |(word, _)| word),
        }
    }
}

impl From<String> for Stage {
    fn from(word: String) -> Self {
        let known = Self::KNOWN.into_iter().find(|(known, _)| *known == word);
        known.map_or(Self::Other(word), |(_, stage)| stage)
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
        for (word, stage) in Stage::KNOWN {
            assert_eq!((stage.name(), Stage::from(word.to_owned())), (word, stage.clone()));
        }
        let foreign = Stage::from("warm-up".to_owned());
        assert_eq!((foreign.name(), &foreign), ("warm-up", &Stage::Other("warm-up".to_owned())));
    }
}
