//! [`Chooser`]: which reader reads which input.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use tlstax_doc::Workload;

use super::detect::{Detected, detect, lines};
use super::error::InputError;
use super::feed::Job;
use super::given::{Given, words};
use super::named_fields;
use super::notice::Notice;
use super::open::{Input, Opened};
use super::settings::Settings;
use super::shared::Shared;
use super::source::{FileId, Source};
use super::worker::Label;
use crate::by_hand::by_hand;
use crate::reader::{Candidate, Reader};

/// Which reader reads which input.
pub struct Chooser<'s> {
    settings: &'s Settings,
    shared: &'s Shared,
    given: Option<Given>,
    /// The names of files that were seen.
    files: HashMap<FileId, String>,
    /// Names of inputs with nothing in them.
    empty: Vec<String>,
    chosen: Vec<Pending>,
    captures: Vec<Job>,
    written: Vec<Workload>,
}

/// An input, and the formats that it may be of.
struct Pending {
    opened: Opened,
    candidates: Vec<Candidate>,
}

/// What an input is.
enum Found {
    /// A log, of one of these formats.
    Lines(Vec<Candidate>),
    Capture,
    ByHand,
}

/// Everything that is to be counted.
pub struct Chosen {
    pub labels: Vec<Label>,
    pub jobs: Vec<Job>,
    pub captures: Vec<Job>,
    /// What persons have written.
    pub written: Vec<Workload>,
    /// Bytes of all inputs, where they are known.
    pub of: Option<u64>,
    pub recognised: Vec<(String, String)>,
}

impl<'s> Chooser<'s> {
    ///
    /// # Errors
    /// There is no such format as was asked for.
    pub fn new(settings: &'s Settings, shared: &'s Shared) -> Result<Self, InputError> {
        let given = Given::of(settings)?;
        let (files, empty, chosen) = (HashMap::new(), Vec::new(), Vec::new());
        let (captures, written) = (Vec::new(), Vec::new());
        Ok(Self { settings, shared, given, files, empty, chosen, captures, written })
    }

    /// The reader of all, where a format was given.
    pub fn given(&self) -> Option<Arc<dyn Reader>> {
        match &self.given {
            Some(Given::Reader(candidate)) => Some(Arc::clone(&candidate.reader)),
            _ => None,
        }
    }

    /// Takes one more input.
    ///
    /// # Errors
    /// It cannot be opened, or is of no known format.
    pub fn add(&mut self, input: &Input) -> Result<(), InputError> {
        let mut opened = input.open(self.shared)?;
        let name = opened.name.clone();
        if let Some(earlier) = opened.id.and_then(|id| self.files.get(&id)) {
            self.shared.note(Notice::Same { name, earlier: earlier.clone() });
            return Ok(());
        }
        if let Some(id) = opened.id {
            self.files.insert(id, name.clone());
        }
        let head = std::mem::take(&mut opened.head);
        if head.is_empty() && opened.packing.is_none() {
            self.shared.note(Notice::Empty { name: name.clone() });
            self.empty.push(name);
            return Ok(());
        }
        match self.found(&name, &head)? {
            Found::Lines(candidates) => self.chosen.push(Pending { opened, candidates }),
            Found::Capture => {
                let Opened { name, source, packing, .. } = opened;
                self.captures.push(Job { input: 0, name, source, packing });
            }
            Found::ByHand => {
                // A person writes no more than what is looked at first.
                let text = String::from_utf8_lossy(&head);
                self.written.push(by_hand(&text, &name, self.settings.tool.clone())?);
            }
        }
        Ok(())
    }

    /// What an input is, by its first bytes.
    fn found(&mut self, name: &str, head: &[u8]) -> Result<Found, InputError> {
        let settings = self.settings;
        let candidate = match &mut self.given {
            None => return self.detected(name, head),
            Some(Given::Capture) => return Ok(Found::Capture),
            Some(Given::ByHand) => return Ok(Found::ByHand),
            Some(Given::Reader(given)) => given.clone(),
            Some(Given::Configuration(formats)) => formats.candidate(name, settings)?,
            Some(Given::NamedFields(word)) => {
                let found = named_fields::of_word(word, &lines(head), &settings.classes);
                found.ok_or_else(|| InputError::Other { name: name.to_owned(), format: word })?
            }
        };
        Ok(Found::Lines(vec![candidate]))
    }

    fn detected(&self, name: &str, head: &[u8]) -> Result<Found, InputError> {
        let owned = || name.to_owned();
        match detect(head, self.settings) {
            Detected::Capture => Ok(Found::Capture),
            Detected::Formats(candidates) => Ok(Found::Lines(candidates)),
            Detected::Document(what, remedy) => Err(InputError::Document { name: owned(), what, remedy }),
            Detected::Nothing if name.ends_with(".toml") => Ok(Found::ByHand),
            Detected::Nothing => Err(InputError::Unknown { name: owned(), looked_for: words() }),
        }
    }

    /// All that was taken, each with one reader.
    ///
    /// # Errors
    /// Several formats fit an input, and nothing tells which it is.
    pub fn finish(self) -> Result<Chosen, InputError> {
        let has_any = !self.chosen.is_empty() || !self.captures.is_empty() || !self.written.is_empty();
        if let (None, false, Some(name)) = (&self.given, has_any, self.empty.first()) {
            return Err(InputError::Nothing { name: name.clone() });
        }
        let is_given = self.given.is_some();
        let sole = self.chosen.iter().filter(|pending| pending.candidates.len() == 1);
        let words: BTreeSet<String> = sole.map(|pending| pending.candidates[0].word.clone()).collect();
        let sources = self.chosen.iter().map(|pending| &pending.opened.source);
        let mut sizes = sources.chain(self.captures.iter().map(|job| &job.source)).map(Source::size);
        let of = sizes.try_fold(0, |sum: u64, size| Some(sum.saturating_add(size?)));
        let (labels, jobs, mut recognised) = (Vec::new(), Vec::new(), Vec::new());
        let captures = self.captures.iter().filter(|_| !is_given);
        recognised.extend(captures.map(|job| (job.name.clone(), "a capture of packets".to_owned())));
        let mut chosen =
            Chosen { labels, jobs, captures: self.captures, written: self.written, of, recognised };
        let mut zoneless = BTreeSet::new();
        for Pending { opened, candidates } in self.chosen {
            let Opened { name, source, packing, .. } = opened;
            let candidate = one_of(candidates, &words, &name, self.shared)?;
            if !candidate.has_zone && self.settings.offset.is_none() {
                zoneless.insert(candidate.about.clone());
            }
            if !is_given {
                chosen.recognised.push((name.clone(), candidate.about));
            }
            let input = chosen.labels.len();
            chosen.labels.push(Label { name: name.clone(), reader: candidate.reader });
            chosen.jobs.push(Job { input, name, source, packing });
        }
        zoneless.into_iter().for_each(|format| self.shared.note(Notice::NoZone { format }));
        Ok(chosen)
    }
}

/// The only candidate, or the one that the other inputs have.
fn one_of(
    mut candidates: Vec<Candidate>,
    others: &BTreeSet<String>,
    name: &str,
    shared: &Shared,
) -> Result<Candidate, InputError> {
    if candidates.len() > 1 {
        let told = candidates.iter().map(|one| format!("{} ({})", one.word, one.about)).collect();
        candidates.retain(|candidate| others.contains(&candidate.word));
        if candidates.len() != 1 {
            return Err(InputError::Several { name: name.to_owned(), formats: told });
        }
        let format = candidates[0].about.clone();
        shared.note(Notice::AsOthers { name: name.to_owned(), format });
    }
    Ok(candidates.swap_remove(0))
}
