//! Studies: declared matrices of cases, each with its question in prose.

mod error;
mod expand;
mod extent;
mod form;
mod limits;
mod load_matrix;
mod matrix;

pub use error::StudyError;
pub use expand::Cast;
pub(crate) use expand::LEAN;
pub use extent::Extent;
pub use form::Study;
pub use load_matrix::LoadMatrix;
pub use matrix::{BulkMatrix, HandshakeMatrix, IdleMatrix, PrimitiveMatrix};
