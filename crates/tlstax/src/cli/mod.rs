//! The command line: one file per verb.

mod answer;
mod beside;
mod bulk;
mod calibrate;
mod check;
mod claims;
mod common;
mod compare;
mod complete;
mod documents;
#[cfg(test)]
mod examples;
mod execution;
mod gate;
mod generate;
mod handshake;
mod libraries;
mod lists;
mod load;
mod measure;
mod measuring;
mod meeting;
mod negotiation;
mod new_files;
mod observe;
mod plan;
mod plans;
mod profiles;
mod project;
mod proving;
mod report;
mod result_files;
mod speed;
mod suites;
mod top;
mod traffic;
mod values;
mod workloads;

pub use top::main;
