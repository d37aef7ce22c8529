//! Studies: declared matrices of cases, each with its question in prose.

mod expand;
mod form;
mod limits;

pub use form::{BulkMatrix, HandshakeMatrix, IdleMatrix, LoadMatrix, PrimitiveMatrix, Study, StudyError};
