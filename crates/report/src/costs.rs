//! What a model says: what each thing that a server does costs it, and how sure that is.

mod known;
mod loads;
mod rows;
mod said;
mod terms;
mod view;

pub use view::model_view;
