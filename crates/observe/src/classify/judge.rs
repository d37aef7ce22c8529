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
        let crosses = steps.last().is_some_and(|outer| outer.module.is_some() && outer.module != module);
        let by = match () {
            () if reading.name.is_some() => By::BuildId,
            () if crosses => By::Boundary,
            () => By::Symbol,
        };
        steps.push(Step { name, module, meaning: &reading.own, part: reading.part, by });
        let is_there = at.checked_sub(1).is_some_and(|inner| frames[inner].0.function == frame.callee);
        if reading.callee.is_known() && !is_there {
            let (name, meaning) = (frame.callee.as_deref(), &reading.callee);
            // The file of the callee is not known: the next frame may be of any.
            steps.push(Step { name, module: None, meaning, part: part(meaning, None), by: By::Boundary });
        }
    }
    steps
}

/// Where the outermost TLS function is. Where nobody knows what stands outside of cryptography, it is taken for TLS's.
fn begin_of_tls(steps: &[Step<'_>]) -> Option<usize> {
    let tls = steps.iter().position(|step| step.part == Some(Part::Tls));
    tls.or_else(|| {
        let crypto = steps.iter().position(|step| step.part == Some(Part::Crypto))?;
        steps[..crypto].iter().all(Step::is_nobodys).then_some(crypto)
    })
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
            // Bytes that move within an operation are its own; those of records are moved between them.
            Some(Cost::RecordCopy) if self.operation.is_some() || !self.is_in_records() => {}
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

    fn is_in_records(&self) -> bool {
        matches!(self.task, Some((Task::Record, _)))
    }

    fn verdict(&self) -> Verdict {
        if let Some((cost, at)) = self.overhead {
            return (cost.into(), self.steps[at].evidence());
        }
        if let Some((operation, at)) = self.operation {
            return (self.class_of(operation), self.steps[at].evidence());
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

    fn class_of(&self, operation: Operation) -> Class {
        let cost = match operation {
            Operation::Is(cost) => cost,
            Operation::ByTask => self.task.map_or(Task::Handshake, |(task, _)| task).cost_of_primitives(),
        };
        let mut algorithm = algorithm::named(self.hint);
        if algorithm::is_general(self.hint) && !self.instructions.is_empty() {
            algorithm = algorithm::of_instructions(cost, self.hint, self.instructions).or(algorithm);
        }
        // OpenSSL makes the MAC of a record as a signature by an HMAC key, and HKDF and the PRF of 1.1.1 as a key agreement.
        let is_hash = algorithm.is_some_and(algorithm::is_hash);
        let cost = match cost {
            Cost::Signature if is_hash && self.is_in_records() => Cost::RecordCipher,
            Cost::KeyExchange if is_hash => Cost::KeySchedule,
            cost => cost,
        };
        Class::of(cost, algorithm)
    }

    /// No operation: the time of the protocol machine itself, or of what it calls without a rule for it.
    fn machine(&self) -> Verdict {
        let innermost = self.steps.iter().rev().find(|step| step.part != Some(Part::Neutral));
        let is_crypto =
            innermost.is_some_and(|step| step.part == Some(Part::Crypto) && step.meaning.task.is_none());
        match (self.task, innermost) {
            (Some((task, at)), _) if !is_crypto => (task.cost().into(), self.steps[at].evidence()),
            (_, Some(step)) => {
                let cost = if is_crypto { Cost::OtherTls } else { Cost::Protocol };
                let module = step.module.or(step.name).unwrap_or("?");
                (cost.into(), Evidence::Module(module.to_owned()))
            }
            (_, None) => unknown("TLS without a frame"),
        }
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
