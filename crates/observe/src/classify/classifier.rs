//! [`Classifier`]: gives each stack a class, and the evidence for it.

use tlstax_doc::{Class, Cost, Evidence};

use crate::frame::Frame;

/// Gives each stack a class, and the evidence for it. Pure: it sees frames and nothing else.
#[derive(Debug, Default)]
pub struct Classifier {}

impl Classifier {
    /// With the rules that are a part of the program.
    pub fn built_in() -> Self {
        Self::default()
    }

    /// The innermost frame comes first.
    pub fn classify(&self, stack: &[&Frame]) -> (Class, Evidence) {
        match stack.first() {
            None => (Cost::Unknown.into(), Evidence::Nothing("no stack".to_owned())),
            Some(_) => (Cost::Application.into(), Evidence::Nothing("no rule".to_owned())),
        }
    }
}
