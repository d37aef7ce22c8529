//! What can be wrong with a study.

use tlstax_names::{did_you_mean, unknown_key};
use tlstax_spec::Id;

/// A study that cannot be run as it stands.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// It could not be read.
    #[error(transparent)]
    Read(#[from] tlstax_doc::StoreError),
    /// It is not of the right form.
    #[error("{path}: {source}{}docs/adding-a-study.md lists the keys", unknown_key(source))]
    Malformed {
        /// The file.
        path: String,
        /// Where and what.
        source: toml::de::Error,
    },
    /// There is no study of that name.
    #[error(
        "no study '{name}';{} give one of {known}, or the path of a .toml file",
        did_you_mean(name, known.split(", "))
    )]
    Unknown {
        /// The name.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A number lies outside what can be measured.
    #[error("study '{study}', {place}: {value} is out of range: {what} must be {range}")]
    OutOfRange {
        /// The study.
        study: Id,
        /// Which matrix.
        place: String,
        /// What the number is.
        what: &'static str,
        /// The number.
        value: String,
        /// What is allowed, in words.
        range: String,
    },
    /// A matrix has no combination that exists.
    #[error("{place}no combination exists: {why}")]
    Empty {
        /// The study and the matrix, with a colon; nothing where they were made from flags.
        place: String,
        /// What contradicts what.
        why: String,
    },
    /// Its lists multiply to more than can be measured.
    #[error(
        "study '{study}' has {found} {what}, {most} are the most that can be run: shorten its lists or split it \
         into several studies"
    )]
    TooMany {
        /// The study.
        study: Id,
        /// Cases, or combinations of which some may not exist.
        what: &'static str,
        /// How many.
        found: usize,
        /// How many are allowed.
        most: usize,
    },
    /// A file's contents are of the right form, and wrong.
    #[error("{path}: {problem}")]
    Wrong {
        /// The file.
        path: String,
        /// What is wrong.
        problem: Box<Self>,
    },
    /// Only servers and clients were chosen, and the study has no loads.
    #[error(
        "study '{study}' has nothing for {names}: servers and clients take part in loads only; name a library with \
         --library, or try `tlstax load`"
    )]
    OnlyLoads {
        /// The study.
        study: Id,
        /// What was chosen.
        names: String,
    },
    /// There is nothing in it.
    #[error("study '{0}' has no matrix: add [[primitive]], [[handshake]], [[bulk]], [[idle]] or [[load]]")]
    Nothing(Id),
}
