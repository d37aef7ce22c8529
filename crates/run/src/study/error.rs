//! What can be wrong with a study.

use tlstax_names::{did_you_mean, unknown_key};
use tlstax_spec::Id;

#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    #[error(transparent)]
    Read(#[from] tlstax_doc::StoreError),
    #[error("{path}: {source}{}docs/adding-a-study.md lists the keys", unknown_key(source))]
    Malformed { path: String, source: toml::de::Error },
    #[error(
        "no study '{name}';{} give one of {known}, or the path of a .toml file",
        did_you_mean(name, known.split(", "))
    )]
    Unknown { name: String, known: String },
    #[error("study '{study}', {place}: {value} is out of range: {what} must be {range}")]
    OutOfRange { study: Id, place: String, what: &'static str, value: String, range: String },
    /// The place is study and matrix, with a colon; nothing where they were made from flags.
    #[error("{place}no combination exists: {why}")]
    Empty { place: String, why: String },
    /// Of cases, or of combinations of which some may not exist.
    #[error(
        "study '{study}' has {found} {what}, {most} are the most that can be run: shorten its lists or split it \
         into several studies"
    )]
    TooMany { study: Id, what: &'static str, found: usize, most: usize },
    /// A file's contents are of the right form, and wrong.
    #[error("{path}: {problem}")]
    Wrong { path: String, problem: Box<Self> },
    #[error(
        "study '{study}' has nothing for {names}: servers and clients take part in loads only; name a library with \
         --library, or try `tlstax load`"
    )]
    OnlyLoads { study: Id, names: String },
    #[error(
        "study '{0}' measures none of the libraries that take part: each of its matrices has 'libraries' of its own; leave \
         --library out, or name one of those"
    )]
    OnlyOthers(Id),
    #[error("study '{0}' has no matrix: add [[primitive]], [[handshake]], [[bulk]], [[idle]] or [[load]]")]
    Nothing(Id),
}
