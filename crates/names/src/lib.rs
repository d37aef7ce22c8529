//! What people and other programs call the things of the vocabulary: aliases, sizes and misspelt words on the command line and
//! in studies, and the names that OpenSSL has for what the IANA registries name otherwise. Workers and documents know the one
//! name of each thing only.

mod aliases;
mod closest;
mod lookup;
pub mod openssl;
mod size;
mod written;

pub use aliases::{Aliased, Spelled, Vocabulary, vocabularies};
pub use closest::{did_you_mean, fold};
pub use lookup::{NameError, lookup};
pub use size::{BadSize, bytes};
pub use written::{Written, name_lists, unknown_key};
