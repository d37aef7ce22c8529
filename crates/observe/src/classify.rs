//! From a stack to its class. A file of **rules** gives names their **meaning**; what a stack is for follows from the meanings of
//! its frames: **judge** for what runs in a program, **kernel** for what runs below it.

mod algorithm;
mod build;
mod built_in;
mod classifier;
mod judge;
mod kernel;
mod library;
mod meaning;
mod name;
mod parse;
mod patterns;
mod reading;
mod rules;
mod step;
mod tls;
mod verdict;

pub use classifier::Classifier;
pub use parse::RulesError;
pub use reading::Reading;
