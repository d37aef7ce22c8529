//! Studies: declared matrices of cases, each with its question in prose.

mod contradiction;
mod error;
mod expand;
mod extent;
mod form;
mod limit;
mod limits;
mod load_matrix;
mod matrix;

pub use error::StudyError;
pub use expand::Cast;
pub(crate) use expand::LEAN;
pub use extent::Extent;
pub use form::{Origin, Study};
pub use limit::Limit;
pub use limits::BUDGET_S;
pub use load_matrix::LoadMatrix;
pub use matrix::{BulkMatrix, HandshakeMatrix, IdleMatrix, PrimitiveMatrix};
