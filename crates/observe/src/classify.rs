//! From a stack to its class.

mod classifier;
mod rules;

pub use classifier::Classifier;
pub use rules::RulesError;
