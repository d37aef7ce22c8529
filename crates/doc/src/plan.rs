//! The document *plan*: what a workload will cost a server, and what changes would do, as `tlstax plan` predicts it.

mod document;
mod explanation;
mod store;

pub use document::{
    Basis, Elsewhere, Missing, PLAN_VERSION, Part, Piece, Plan, Prediction, Resource, Row, Scenario,
};
pub use explanation::{Explained, Explanation, Risen};
pub use store::{parse_plan, read_plan, write_plan};
