//! Names and sizes as people write them, on the command line and in studies. Workers and documents know the one name of
//! each thing only.

mod aliases;
mod closest;
mod lookup;
mod size;
mod vocabulary;
mod written;

pub use aliases::Aliased;
pub(crate) use closest::{did_you_mean, fold};
pub use lookup::{NameError, lookup};
pub use size::{BadSize, bytes};
pub use vocabulary::{Spelled, Vocabulary, vocabularies};
pub(crate) use written::{name_lists, names, sizes, unknown_key};
