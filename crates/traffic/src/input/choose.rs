//! [`Chooser`]: which reader reads which input.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::count::Settings;
use super::detect::{Detected, detect, lines};
use super::error::InputError;
use super::feed::Job;
use super::format::Given;
use super::named_fields;
use super::notice::Notice;
use super::open::{Input, Opened};
use super::shared::Shared;
use super::source::FileId;
use super::worker::Label;
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
}

/// An input, and the formats that it may be of.
struct Pending {
    opened: Opened,
    candidates: Vec<Candidate>,
}

/// Everything that is to be counted.
pub struct Chosen {
    pub labels: Vec<Label>,
    pub jobs: Vec<Job>,
    /// Bytes of all inputs, where they are known.
    pub of: Option<u64>,
    pub recognised: Vec<(String, String)>,
}

impl<'s> Chooser<'s> {
    ///
    /// # Errors
    /// There is no such format as was asked for.
    pub fn new(settings: &'s Settings, shared: &'s Shared) -> Result<Self, InputError> {
        let given = settings.format.as_ref().map(|format| format.given(&settings.classes)).transpose()?;
        let (files, empty, chosen) = (HashMap::new(), Vec::new(), Vec::new());
        Ok(Self { settings, shared, given, files, empty, chosen })
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
        let candidates = self.candidates(&name, &head)?;
        self.chosen.push(Pending { opened, candidates });
        Ok(())
    }

    /// The formats that an input may be of, by its first bytes.
    fn candidates(&self, name: &str, head: &[u8]) -> Result<Vec<Candidate>, InputError> {
        let name = || name.to_owned();
        match &self.given {
            Some(Given::Reader(given)) => Ok(vec![given.clone()]),
            Some(Given::NamedFields(word)) => {
                named_fields::of_word(word, &lines(head), &self.settings.classes)
                    .map(|candidate| vec![candidate])
                    .ok_or_else(|| InputError::Other { name: name(), format: word })
            }
            None => match detect(head, &self.settings.classes) {
                Detected::Document(what, remedy) => Err(InputError::Document { name: name(), what, remedy }),
                Detected::Formats(candidates) => Ok(candidates),
                Detected::Nothing(looked_for) => Err(InputError::Unknown { name: name(), looked_for }),
            },
        }
    }

    /// All that was taken, each with one reader.
    ///
    /// # Errors
    /// Several formats fit an input, and nothing tells which it is.
    pub fn finish(self) -> Result<Chosen, InputError> {
        if let (None, true, Some(name)) = (&self.given, self.chosen.is_empty(), self.empty.first()) {
            return Err(InputError::Nothing { name: name.clone() });
        }
        let is_given = self.given.is_some();
        let sole = self.chosen.iter().filter(|pending| pending.candidates.len() == 1);
        let words: BTreeSet<String> = sole.map(|pending| pending.candidates[0].word.clone()).collect();
        let mut sizes = self.chosen.iter().map(|pending| pending.opened.source.size());
        let of = sizes.try_fold(0, |sum: u64, size| Some(sum.saturating_add(size?)));
        let mut chosen = Chosen { labels: Vec::new(), jobs: Vec::new(), of, recognised: Vec::new() };
        for Pending { opened, candidates } in self.chosen {
            let Opened { name, source, packing, .. } = opened;
            let candidate = one_of(candidates, &words, &name, self.shared)?;
            if !is_given {
                chosen.recognised.push((name.clone(), candidate.about));
            }
            let input = chosen.labels.len();
            chosen.labels.push(Label { name: name.clone(), reader: candidate.reader });
            chosen.jobs.push(Job { input, name, source, packing });
        }
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
