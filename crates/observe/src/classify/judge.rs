//! What the frames of a program say a stack is for.

use tlstax_doc::{Class, Cost, Evidence};

use super::algorithm;
use super::meaning::{Hint, Meaning, Operation, Part, Task};
use super::reading::{Reading, part};
use super::verdict::{Verdict, unknown};
use crate::frame::{Frame, Instructions};

/// A frame with what is known of it.
pub type Read<'a> = (&'a Frame, &'a Reading);

/// The class of the frames of a program, the innermost first.
pub fn judge(frames: &[Read<'_>]) -> Verdict {
    let steps = steps(frames);
    match begin_of_tls(&steps) {
        Some(begin) if is_called_back(&steps[begin..]) => elsewhere(&steps),
        Some(begin) => Tls::of(&steps, begin, frames).verdict(),
        None => by_instructions(frames).unwrap_or_else(|| elsewhere(&steps)),
    }
}

/// A function on the way from the outermost to the innermost: of a frame, or one that a frame has called.
struct Step<'a> {
    name: Option<&'a str>,
    module: Option<&'a str>,
    meaning: &'a Meaning,
    part: Option<Part>,
    /// Whether its file is a library's that rules know.
    is_of_a_library: bool,
    by: By,
}

/// How a function is known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Symbol,
    /// It was called from another file.
    Boundary,
    BuildId,
}

impl Step<'_> {
    fn evidence(&self) -> Evidence {
        match (self.name, self.by) {
            (None, _) => Evidence::Module(self.module.unwrap_or("?").to_owned()),
            (Some(name), By::Symbol) => Evidence::Symbol(name.to_owned()),
            (Some(name), By::Boundary) => Evidence::Boundary(name.to_owned()),
            (Some(name), By::BuildId) => Evidence::BuildId(name.to_owned()),
        }
    }

    /// Whether nobody can say whose code it is, so that anything may be outside of it.
    fn is_nobodys(&self) -> bool {
        match self.part {
            None => self.name.is_none() && self.module.is_none_or(|module| module.starts_with('[')),
            Some(part) => matches!(part, Part::Neutral | Part::Root),
        }
    }
}

/// The outermost first. A call that went through the dynamic symbol table is a step of its own, unless the next frame is the callee.
fn steps<'a>(frames: &[Read<'a>]) -> Vec<Step<'a>> {
    let mut steps: Vec<Step<'a>> = Vec::with_capacity(frames.len() + 4);
    for (at, (frame, reading)) in frames.iter().enumerate().rev() {
        let module = frame.module.as_deref();
        let name = frame.function.as_deref().or(reading.name.as_deref());
        let is_file = |module: Option<&str>| module.is_some_and(|module| !module.starts_with('['));
        let outer = steps.last().and_then(|outer| outer.module);
        let crosses = is_file(outer) && is_file(module) && outer != module;
        let by = match () {
            () if reading.name.is_some() => By::BuildId,
            () if crosses => By::Boundary,
            () => By::Symbol,
        };
        let is_of_a_library = reading.is_of_a_library;
        steps.push(Step { name, module, meaning: &reading.own, part: reading.part, is_of_a_library, by });
        let is_there = at.checked_sub(1).is_some_and(|inner| frames[inner].0.function == frame.callee);
        if reading.callee.is_known() && !is_there {
            let (name, meaning) = (frame.callee.as_deref(), &reading.callee);
            // The file of the callee is not known: the next frame may be of any.
            let part = part(meaning, None);
            steps.push(Step { name, module: None, meaning, part, is_of_a_library: true, by: By::Boundary });
        }
    }
    steps
}

/// Where the outermost TLS function is. Where nobody knows what stands outside of cryptography, it is taken for TLS's.
fn begin_of_tls(steps: &[Step<'_>]) -> Option<usize> {
    let tls = steps.iter().position(|step| step.part == Some(Part::Tls));
    let crypto = steps.iter().position(|step| step.part == Some(Part::Crypto));
    let crypto = crypto.filter(|at| steps[..*at].iter().all(Step::is_nobodys));
    // Errors, streams and certificates are asked for by a server itself, and for no other reason than TLS.
    let help = || steps.iter().position(|step| step.part == Some(Part::Crypto) && is_help(step.meaning));
    tls.or(crypto).or_else(help)
}

/// Whether TLS has called the server: what is innermost is the server's, or in a file that is no library's where TLS is one's.
fn is_called_back(steps: &[Step<'_>]) -> bool {
    let innermost = steps.iter().rev().find(|step| !step.is_nobodys());
    let is_in_a_library = steps[0].module.is_some() && steps[0].is_of_a_library;
    innermost.is_some_and(|step| match step.part {
        Some(part) => part.is_other(),
        None => is_in_a_library && !step.is_of_a_library && step.module.is_some() && step.by != By::BuildId,
    })
}

fn is_help(meaning: &Meaning) -> bool {
    let is_help = matches!(meaning.operation, Some(Operation::Is(Cost::Protocol | Cost::Certificate)));
    is_help || meaning.task == Some(Task::Certificate)
}

/// What is found in the steps from the outermost TLS function inwards.
#[derive(Default)]
struct Tls<'a> {
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
    fn of(steps: &'a [Step<'a>], begin: usize, frames: &[Read<'_>]) -> Self {
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

    fn verdict(&self) -> Verdict {
        if let Some((cost, at)) = self.overhead {
            return (cost.into(), self.steps[at].evidence());
        }
        if let Some((operation, at)) = self.operation {
            return (self.class_of(operation, at), self.steps[at].evidence());
        }
        if let Some(hint) = self.hint {
            let class = Class::of(algorithm::usual_cost(hint), algorithm::named(Some(hint)));
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

fn of_instructions(found: Instructions) -> Verdict {
    let cost = algorithm::usual_cost_of(found);
    let algorithm = algorithm::of_instructions(cost, Some(Hint::Curve), found);
    (Class::of(cost, algorithm), Evidence::Instructions(found.to_string()))
}

/// A program that is linked statically and stripped: where no function of the innermost file has a name, only instructions speak.
fn by_instructions(frames: &[Read<'_>]) -> Option<Verdict> {
    let (innermost, reading) = frames.first()?;
    let found = innermost.instructions.filter(|found| !found.is_empty())?;
    let has_names =
        frames.iter().any(|(frame, _)| frame.module == innermost.module && frame.function.is_some());
    let verdict = of_instructions(found);
    (reading.part.is_none() && !has_names && verdict.0.cost != Cost::OtherTls).then_some(verdict)
}

/// No TLS: the innermost frame that is somebody's.
fn elsewhere(steps: &[Step<'_>]) -> Verdict {
    let is_somebodys =
        |step: &&Step<'_>| !matches!(step.part, Some(Part::Neutral | Part::Root)) && !step.is_nobodys();
    if let Some(step) = steps.iter().rev().find(is_somebodys) {
        let cost = match step.part {
            Some(Part::Other(cost)) => cost,
            _ => Cost::Application,
        };
        return (Class::of(cost, algorithm::named(step.meaning.hint)), step.evidence());
    }
    if let Some(root) = steps.iter().find(|step| step.part == Some(Part::Root)) {
        return (Cost::Application.into(), root.evidence());
    }
    let innermost = steps.iter().rev().find(|step| step.module.is_some() || step.name.is_some());
    match innermost.map(|step| (step.name, step.module)) {
        Some((Some(name), _)) => {
            unknown(format!("the stack was cut at {name}, before a function that is somebody's"))
        }
        Some((None, Some(module))) if module.starts_with('[') => unknown(format!("{module} has no names")),
        Some((None, Some(module))) => {
            unknown(format!("the stack was cut in {module}, before a function that is somebody's"))
        }
        _ => unknown("no frame has a name or a file"),
    }
}
