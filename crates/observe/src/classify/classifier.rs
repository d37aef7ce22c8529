//! [`Classifier`]: gives each stack a class, and the evidence for it.

use tlstax_doc::{Class, Evidence};

use super::built_in;
use super::judge;
use super::kernel;
use super::meaning::Kernel;
use super::parse::{self, RulesError};
use super::reading::{Read, Reading};
use super::rules::Rules;
use super::verdict::unknown;
use crate::frame::Frame;

/// Gives each stack a class, and the evidence for it. Pure: it sees frames and nothing else.
#[derive(Debug)]
pub struct Classifier {
    rules: Rules,
}

impl Default for Classifier {
    fn default() -> Self {
        Self::built_in()
    }
}

impl Classifier {
    /// With the rules that are a part of the program.
    pub fn built_in() -> Self {
        Self { rules: built_in::rules() }
    }

    /// With a file of rules of the user's, which go before all others; `file` is for messages.
    ///
    /// # Errors
    /// The text holds no rules, or says something that rules do not have.
    pub fn with_rules(mut self, text: &str, file: &str) -> Result<Self, RulesError> {
        self.rules.put_first(parse::library(text, file)?);
        Ok(self)
    }

    /// What the rules say of a frame, for [`classify_read`](Self::classify_read).
    pub fn read(&self, frame: &Frame) -> Reading {
        self.rules.read(frame)
    }

    /// The innermost frame comes first.
    pub fn classify(&self, stack: &[&Frame]) -> (Class, Evidence) {
        let readings: Vec<Reading> = stack.iter().map(|frame| self.read(frame)).collect();
        let read: Vec<Read<'_>> = stack.iter().copied().zip(&readings).collect();
        self.classify_read(&read)
    }

    /// The same of frames that were read before: each is read once, however many stacks it is in.
    pub fn classify_read(&self, stack: &[(&Frame, &Reading)]) -> (Class, Evidence) {
        if stack.is_empty() {
            return unknown("no stack");
        }
        let (kernel, user) = stack.split_at(in_kernel(stack));
        let user = (!user.is_empty()).then(|| judge::judge(user));
        match (kernel, user) {
            ([], Some(verdict)) => verdict,
            (kernel, below) => kernel::judge(kernel, below),
        }
    }
}

/// How many of the innermost frames are the kernel's.
fn in_kernel(stack: &[Read<'_>]) -> usize {
    let is_kernel = |(_, reading): &Read<'_>| {
        reading.is_kernel || matches!(reading.own.kernel, Some(Kernel::Entry | Kernel::Interrupt))
    };
    stack.iter().rposition(is_kernel).map_or(0, |at| at + 1)
}
