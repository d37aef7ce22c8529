//! The form of a study: the TOML file, and what the short cuts build from flags.

use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;
use tlstax_doc::StudyFacts;
use tlstax_libraries::{Home, LibraryPattern, Registry};
use tlstax_names::name_lists;
use tlstax_spec::{Bytes, Case, Id, Switch};
use tlstax_stats::{HalfWidth, Ratio};

use super::error::StudyError;
use super::extent::{Extent, quick};
use super::matrices::{BulkMatrix, HandshakeMatrix, IdleMatrix, LoadMatrix, PrimitiveMatrix};

/// A declared study. Libraries are not part of it: whoever runs it chooses them, and what a library cannot do becomes
/// a row that says so.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Study {
    pub name: Id,
    /// What it is to answer, in prose.
    pub question: String,
    /// Which libraries it is about where the user names none: ids, or their beginning and a `*`. Of those only the ones that
    /// are there take part. Empty: the registry's default ones.
    #[serde(default)]
    pub libraries: Vec<LibraryPattern>,
    /// Each library is measured without these, too: a list for each row.
    #[serde(default, deserialize_with = "name_lists")]
    pub without: Vec<Vec<Switch>>,
    /// How long it may take, in seconds, preparation included.
    #[serde(default = "default_budget")]
    pub budget_s: f64,
    /// A case is done when the half width of its 95 % interval is this fraction of its value.
    #[serde(default = "default_precision", with = "tlstax_doc::half_width")]
    pub precision: HalfWidth,
    /// Whether or not there is time left, there are no more rounds than this; absent: as many as the budget holds.
    #[serde(default)]
    pub max_rounds: Option<u32>,
    #[serde(default)]
    pub primitive: Vec<PrimitiveMatrix>,
    #[serde(default)]
    pub handshake: Vec<HandshakeMatrix>,
    #[serde(default)]
    pub bulk: Vec<BulkMatrix>,
    #[serde(default)]
    pub idle: Vec<IdleMatrix>,
    #[serde(default)]
    pub load: Vec<LoadMatrix>,
    /// Cases beside those of the matrices, each with its library: what is missing elsewhere.
    #[serde(skip)]
    pub exactly: Vec<Case>,
    /// What is different in the quick form of the study, see [`Extent::Quick`].
    #[serde(default)]
    pub quick: IgnoredAny,
    /// Where its words come from, so that complaints are about them.
    #[serde(skip)]
    pub origin: Origin,
}

/// Where a study was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Origin {
    /// In a TOML file, whose keys complaints name.
    #[default]
    File,
    /// On the command line: complaints name flags.
    Flags,
}

fn default_budget() -> f64 {
    120.0
}

/// Two intervals of 0.2 % to each side make a comparison, at 99 %, that finds 1 %. With 0.3 % it was found in 8 or 9 of 20 runs of
/// `bench/planted.py`, with 0.15 % in 15 to 18, with 0.1 % in 17 to 19.
fn default_precision() -> HalfWidth {
    HalfWidth(Ratio(0.001))
}

impl Study {
    /// Reads a study by the name of its file in `studies/`, or by path.
    ///
    /// # Errors
    /// There is no such study, or it cannot be read or understood.
    pub fn read(home: &Home, name: &str, extent: Extent) -> Result<Self, StudyError> {
        let path = match name.ends_with(".toml") {
            true => Path::new(name).to_owned(),
            false => home.studies().join(format!("{name}.toml")),
        };
        if !path.is_file() && !name.ends_with(".toml") {
            return Err(StudyError::Unknown { name: name.to_owned(), known: Self::names(home).join(", ") });
        }
        let text = tlstax_doc::read(&path)?;
        Self::parse(&text, &path.display().to_string(), extent)
    }

    /// Reads the text of a study; the path is for messages.
    ///
    /// # Errors
    /// The text is no study, or asks for what does not exist; with its place.
    pub fn parse(text: &str, path: &str, extent: Extent) -> Result<Self, StudyError> {
        let malformed = |source| StudyError::Malformed { path: path.to_owned(), source };
        let study: Self = match extent {
            // Read as it stands, so that a mistake is shown in its line.
            Extent::Full => toml::from_str(text).map_err(malformed)?,
            Extent::Quick => {
                let table: toml::Table = toml::from_str(text).map_err(malformed)?;
                quick(table).try_into().map_err(malformed)?
            }
        };
        match study.check() {
            Ok(()) => Ok(study),
            Err(problem) => Err(StudyError::Wrong { path: path.to_owned(), problem: Box::new(problem) }),
        }
    }

    /// A study without matrices, as a short cut begins with.
    pub fn named(name: Id, question: &str) -> Self {
        let known = [("name", name.to_string()), ("question", question.to_owned())];
        let table: toml::Table =
            known.map(|(key, value)| (key.to_owned(), value.into())).into_iter().collect();
        let study: Self =
            table.try_into().unwrap_or_else(|error| unreachable!("every other key has a default: {error}"));
        Self { origin: Origin::Flags, ..study }
    }

    /// A study of these cases and no others.
    pub fn of(name: Id, question: &str, cases: Vec<Case>) -> Self {
        Self { exactly: cases, ..Self::named(name, question) }
    }

    /// Puts these sizes in the place of the bodies of all loads.
    ///
    /// # Errors
    /// A size is out of range.
    pub fn with_bodies(mut self, bodies: &[Bytes]) -> Result<Self, StudyError> {
        self.load.iter_mut().for_each(|matrix| matrix.bodies = bodies.to_vec());
        self.check()?;
        Ok(self)
    }

    /// Puts ids in the place of the names that its author uses for libraries, servers and clients.
    pub fn canonicalise(&mut self, registry: &Registry) {
        let named = self.libraries.iter_mut().filter_map(|pattern| match pattern {
            LibraryPattern::One(name) => Some(name),
            LibraryPattern::Beginning(_) => None,
        });
        let of_loads =
            self.load.iter_mut().flat_map(|matrix| matrix.servers.iter_mut().chain(&mut matrix.clients));
        let of_matrices = (self.primitive.iter_mut().map(|matrix| &mut matrix.libraries))
            .chain(self.handshake.iter_mut().map(|matrix| &mut matrix.libraries))
            .chain(self.bulk.iter_mut().map(|matrix| &mut matrix.libraries))
            .chain(self.idle.iter_mut().map(|matrix| &mut matrix.libraries));
        for name in named.chain(of_loads).chain(of_matrices.flatten()) {
            *name = registry.canonical(name);
        }
    }

    /// The study of a run that is gone on with: its cases stand in the journal.
    pub fn resumed(begun: &tlstax_doc::Results) -> Self {
        let facts = &begun.study;
        let study = Self::named(facts.name.clone(), &facts.question);
        let max_rounds = Some(facts.max_rounds).filter(|rounds| *rounds != StudyFacts::ANY_ROUNDS);
        Self { budget_s: facts.budget_s, precision: facts.precision, max_rounds, ..study }
    }

    /// The names of the declared studies, sorted.
    pub fn names(home: &Home) -> Vec<String> {
        let Ok(folder) = std::fs::read_dir(home.studies()) else { return Vec::new() };
        let mut names: Vec<String> = folder
            .filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.strip_suffix(".toml")?.to_owned()))
            .collect();
        names.sort();
        names
    }
}
