//! Studies: declared matrices of cases, each with its question in prose.

mod contradiction;
mod error;
mod expand;
mod extent;
mod form;
mod limits;
mod matrices;
mod matrix;
mod params;

pub use error::StudyError;
pub use expand::Cast;
pub(crate) use expand::LEAN;
pub use extent::Extent;
pub use form::{Origin, Study};
pub use limits::BUDGET_S;
pub use matrices::{BulkMatrix, HandshakeMatrix, IdleMatrix, LoadMatrix, PrimitiveMatrix};
pub use matrix::{Draft, Flag, List, Matrix};
