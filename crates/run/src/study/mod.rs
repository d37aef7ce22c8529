//! Studies: declared matrices of cases, each with its question in prose.

mod expand;
mod form;
mod limits;

pub use expand::Cast;
pub(crate) use expand::LEAN;
pub use form::{
    BulkMatrix, Extent, HandshakeMatrix, IdleMatrix, LoadMatrix, PrimitiveMatrix, Study, StudyError,
};
