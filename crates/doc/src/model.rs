//! The document *model*: what each thing that a server does costs it, as `tlstax calibrate` fits it.

mod document;
mod store;
mod term;

pub use document::{Bounds, Checked, Fitted, MODEL_VERSION, Model, Origin, Regime, TermCost};
pub use store::{parse_model, read_model, write_model};
pub use term::{Path, Term};
