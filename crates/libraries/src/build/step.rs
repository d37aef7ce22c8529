//! A step of a build: one command, run for a library, and whoever is informed of it.

use tlstax_measure::command::{Log, Run};
use tlstax_measure::signal::interrupted;

use super::error::BuildError;
use crate::registry::Block;

/// Is informed of each step, in words, as it begins.
pub(super) type Report<'a> = dyn FnMut(&str) + 'a;

/// What is built, where its output goes, and who follows it.
pub(super) struct Job<'j> {
    pub block: &'j Block,
    pub log: &'j mut Log,
    pub report: &'j mut Report<'j>,
}

impl Job<'_> {
    /// Informs of a step and runs it.
    pub fn take(&mut self, step: Step) -> Result<(), BuildError> {
        (self.report)(&step.what);
        step.take(self.block, self.log)
    }
}

#[derive(Debug)]
pub struct Step {
    what: String,
    run: Run,
}

impl Step {
    pub(super) fn new(what: &str, run: Run) -> Self {
        Self { what: what.to_owned(), run }
    }

    pub(super) fn take(self, block: &Block, log: &mut Log) -> Result<(), BuildError> {
        let library = block.id.clone();
        let output = log.run(&self.run);
        if interrupted() {
            return Err(BuildError::Interrupted(library));
        }
        let output = output.map_err(BuildError::command(block))?;
        if output.status.success() {
            return Ok(());
        }
        Err(BuildError::Failed {
            library,
            step: format!("'{}' ({})", self.what, output.status),
            tail: output.tail,
            log: log.path().to_owned(),
            remedy: block.remedy(),
        })
    }
}
