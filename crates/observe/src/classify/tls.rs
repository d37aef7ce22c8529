//! [`Tls`]: what the steps from the outermost TLS function inwards say.

use tlstax_doc::{Class, Cost, Evidence};

use super::algorithm;
use super::meaning::{Hint, Meaning, Operation, Part, Task};
use super::reading::Read;
use super::step::{By, Step};
use super::verdict::{Verdict, unknown};
use crate::frame::Instructions;

/// What is found in the steps from the outermost TLS function inwards.
#[derive(Default)]
pub struct Tls<'a> {
    steps: &'a [Step<'a>],
    /// The innermost one outside of the operation, and where.
    task: Option<(Task, usize)>,
    /// The outermost one, and where.
    operation: Option<(Operation, usize)>,
    /// The innermost one, and where.
    overhead: Option<(Cost, usize)>,
    hint: Option<Hint>,
    hint_at: usize,
    instructions: Instructions,
}

impl<'a> Tls<'a> {
    pub fn of(steps: &'a [Step<'a>], begin: usize, frames: &[Read<'_>]) -> Self {
        let nameless = frames.iter().take_while(|(frame, _)| frame.function.is_none());
        let found = nameless.filter_map(|(frame, _)| frame.instructions).find(|found| !found.is_empty());
        let mut tls = Self { steps, instructions: found.unwrap_or_default(), ..Self::default() };
        // What calls the library may say what for: NSS is called by way of NSPR.
        let said_before = steps[..begin].iter().rposition(|step| step.meaning.task.is_some());
        tls.task = said_before.and_then(|at| Some((steps[at].meaning.task?, at)));
        for (at, step) in steps.iter().enumerate().skip(begin) {
            tls.take(at, step.meaning);
        }
        tls
    }

    fn take(&mut self, at: usize, meaning: &Meaning) {
        if self.operation.is_none() {
            self.task = meaning.task.map(|task| (task, at)).or(self.task);
            if let Some(operation) = meaning.operation {
                self.operation = Some((operation, at));
                self.hint = None;
            }
        }
        match meaning.overhead {
            // Bytes that move within an operation are its own; those of records are moved between them, and to and from streams.
            Some(Cost::RecordCopy) if !self.is_between_operations() || !self.is_in_records() => {}
            Some(cost) => self.overhead = Some((cost, at)),
            None => {}
        }
        if let Some(hint) = meaning.hint {
            let refined = algorithm::refine(self.hint, hint);
            if self.hint != Some(refined) {
                (self.hint, self.hint_at) = (Some(refined), at);
            }
        }
    }

    fn is_called_by_a_library(&self, at: usize) -> bool {
        let is_called = self.steps[at].by == By::Boundary;
        is_called && at.checked_sub(1).is_some_and(|caller| self.steps[caller].is_of_a_library)
    }

    fn is_between_operations(&self) -> bool {
        matches!(self.operation, None | Some((Operation::Is(Cost::Protocol), _)))
    }

    fn is_in_records(&self) -> bool {
        matches!(self.task, Some((Task::Record, _)))
    }

    pub fn verdict(&self) -> Verdict {
        if let Some((cost, at)) = self.overhead {
            return (cost.into(), self.steps[at].evidence());
        }
        if let Some((operation, at)) = self.operation {
            return (self.class_of(operation, at), self.steps[at].evidence());
        }
        if let Some(hint) = self.hint {
            let cost = match self.task {
                Some((task @ (Task::Certificate | Task::Session), _)) => task.cost(),
                _ => algorithm::usual_cost(hint),
            };
            let class = Class::of(cost, algorithm::named(Some(hint)));
            return (class, self.steps[self.hint_at].evidence());
        }
        if !self.instructions.is_empty() {
            return of_instructions(self.instructions);
        }
        self.machine()
    }

    fn class_of(&self, operation: Operation, at: usize) -> Class {
        let task = self.task.map_or(Task::Handshake, |(task, _)| task);
        let cost = match (operation, task) {
            (Operation::Is(cost), _) => cost,
            (Operation::ByTask, _) => task.cost_by_task(),
            // Where libssl is stripped: its records have a function of libcrypto that encrypts or decrypts, tickets have the two.
            (Operation::Cipher, Task::Handshake) if self.is_called_by_a_library(at) => Cost::Session,
            (Operation::Cipher, _) => task.cost_of_cipher(),
        };
        let mut algorithm = algorithm::named(self.hint);
        if algorithm::is_general(self.hint) && !self.instructions.is_empty() {
            algorithm = algorithm::of_instructions(cost, self.hint, self.instructions).or(algorithm);
        }
        // OpenSSL makes the MAC of a record as a signature by an HMAC key, and HKDF and the PRF of 1.1.1 as a key agreement.
        let says_nothing = self.hint.is_none() && self.instructions.is_empty() && self.is_in_records();
        let is_hash = algorithm.map_or(says_nothing, algorithm::is_made_of_hashes);
        let cost = match cost {
            Cost::Signature if is_hash && self.is_in_records() => Cost::RecordCipher,
            Cost::KeyExchange if is_hash => Cost::KeySchedule,
            cost => cost,
        };
        Class::of(cost, algorithm)
    }

    /// No operation: the time of the protocol machine itself, or of what it calls without a rule for it.
    fn machine(&self) -> Verdict {
        let is_somebodys = |step: &&Step<'_>| !step.is_nobodys();
        let innermost = self.steps.iter().rev().find(is_somebodys);
        let innermost = innermost.filter(|step| step.part == Some(Part::Crypto));
        // What reads certificates is in libcrypto, and so is what it calls.
        let is_in_crypto = self.task.is_some_and(|(_, at)| self.steps[at].part == Some(Part::Crypto));
        if let Some(step) = innermost.filter(|_| !is_in_crypto) {
            return (
                Cost::OtherTls.into(),
                Evidence::Module(step.module.or(step.name).unwrap_or("?").to_owned()),
            );
        }
        let named = self.steps.iter().position(|step| step.part == Some(Part::Tls) && step.name.is_some());
        let at = self.task.map(|(_, at)| at).or(named);
        let tls = at.and_then(|at| self.steps.get(at));
        let tls = tls.or_else(|| self.steps.iter().find(|step| step.part == Some(Part::Tls)));
        let cost = self.task.map_or(Cost::Protocol, |(task, _)| task.cost());
        tls.map_or_else(|| unknown("TLS without a frame"), |step| (cost.into(), step.evidence()))
    }
}

/// Where nothing else speaks.
pub fn of_instructions(found: Instructions) -> Verdict {
    let cost = algorithm::usual_cost_of(found);
    let algorithm = algorithm::of_instructions(cost, Some(Hint::Curve), found);
    (Class::of(cost, algorithm), Evidence::Instructions(found.to_string()))
}
