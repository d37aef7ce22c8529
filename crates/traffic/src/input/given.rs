//! [`Given`]: the format that the user has said, and what reads it.

use std::collections::HashMap;

use super::access_logs;
use super::error::InputError;
use super::format::{FormatWord, NoFormat};
use super::include;
use super::named_fields;
use super::settings::Settings;
use crate::access::{Configuration, Layout, Server, known_formats};
use crate::capture;
use crate::reader::Candidate;

/// The format that the user has said.
pub enum Given {
    /// The same for all inputs.
    Reader(Candidate),
    /// Each log has the format that the configuration gives it, or the only one that there is.
    Configuration(Box<Formats>),
    /// One of logs that name their fields: each input says where they stand.
    NamedFields(&'static str),
    /// Captures of packets.
    Capture,
    /// TOML that a person has written.
    ByHand,
}

/// The word of workloads that a person has written.
const BY_HAND: &str = "by-hand";

/// The formats of a configuration that are in use.
pub struct Formats {
    server: Server,
    configuration: Configuration,
    candidates: HashMap<Option<String>, Candidate>,
}

impl Given {
    /// # Errors
    /// There is no such format.
    pub fn of(settings: &Settings) -> Result<Option<Self>, NoFormat> {
        let Some(format) = &settings.format else { return Ok(None) };
        Ok(Some(match format {
            FormatWord::Word(word) => of_word(word, settings)?,
            FormatWord::Literal { server, format } => {
                let layout = Layout::compiled(*server, format)?;
                Self::Reader(access_logs::of_layout(server.word(), *server, layout, settings))
            }
            FormatWord::Configured { server, file, name: Some(name) } => {
                let layout = include::read(*server, file)?.layout(name)?;
                Self::Reader(access_logs::of_layout(server.word(), *server, layout, settings))
            }
            FormatWord::Configured { server, file, name: None } => {
                let (server, configuration) = (*server, include::read(*server, file)?);
                let candidates = HashMap::new();
                Self::Configuration(Box::new(Formats { server, configuration, candidates }))
            }
        }))
    }
}

fn of_word(word: &str, settings: &Settings) -> Result<Given, NoFormat> {
    if word == capture::FORMAT {
        return Ok(Given::Capture);
    }
    if word == BY_HAND {
        return Ok(Given::ByHand);
    }
    if let Some(mapping) = word.strip_prefix("json:") {
        return Ok(Given::Reader(named_fields::of_mapping(mapping, &settings.classes)?));
    }
    if let Some(candidate) = access_logs::of_word(word, settings) {
        return Ok(Given::Reader(candidate));
    }
    match named_fields::WORDS.iter().find(|(known, _)| *known == word) {
        Some((known, _)) => Ok(Given::NamedFields(known)),
        None => Err(NoFormat::Unknown { word: word.to_owned(), known: words() }),
    }
}

/// Words that stand for a format.
pub fn words() -> Vec<&'static str> {
    let named = named_fields::WORDS.iter().map(|(word, _)| *word);
    known_formats().map(|known| known.word).chain(named).chain([capture::FORMAT, BY_HAND]).collect()
}

impl Formats {
    /// What reads a log of that name. Logs of the same format have the same.
    ///
    /// # Errors
    /// Its format cannot be found, or cannot be used.
    pub fn candidate(&mut self, name: &str, settings: &Settings) -> Result<Candidate, InputError> {
        let logged = unrotated(name).find_map(|path| self.configuration.format_of(path)).map(str::to_owned);
        if let Some(known) = self.candidates.get(&logged) {
            return Ok(known.clone());
        }
        let layout = match &logged {
            Some(format) => self.configuration.layout(format),
            None => self.configuration.only_layout(),
        };
        let layout = layout.map_err(NoFormat::from)?;
        let candidate = access_logs::of_layout(self.server.word(), self.server, layout, settings);
        self.candidates.insert(logged, candidate.clone());
        Ok(candidate)
    }
}

/// What a log was called before it was rotated: `access.log` of `access.log.2.gz` and of `access.log-20261122`.
fn unrotated(name: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(name), |name| shorter(name))
}

fn shorter(name: &str) -> Option<&str> {
    let (rest, last) = name.rsplit_once(['.', '-'])?;
    let is_number = !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit());
    (is_number || matches!(last, "gz" | "zst")).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotated_log_is_known_by_its_first_name() {
        let names = |name| unrotated(name).collect::<Vec<_>>();
        assert_eq!(names("/a/access.log"), ["/a/access.log"]);
        let rotated = ["access.log.2.gz", "access.log.2", "access.log"];
        assert_eq!(names("access.log.2.gz"), rotated);
        assert_eq!(names("access.log-20261122").last(), Some(&"access.log"));
    }
}
