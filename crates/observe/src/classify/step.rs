//! [`Step`]: a function on the way from the outermost to the innermost.

use tlstax_doc::Evidence;

use super::meaning::{Meaning, Part};
use super::reading::{Read, part};

/// A function on the way from the outermost to the innermost: of a frame, or one that a frame has called.
pub struct Step<'a> {
    pub name: Option<&'a str>,
    pub module: Option<&'a str>,
    pub meaning: &'a Meaning,
    pub part: Option<Part>,
    /// Whether its file is a library's that rules know.
    pub is_of_a_library: bool,
    pub by: By,
}

/// How a function is known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum By {
    Symbol,
    /// It was called from another file.
    Boundary,
    BuildId,
}

impl Step<'_> {
    pub fn evidence(&self) -> Evidence {
        match (self.name, self.by) {
            (None, _) => Evidence::Module(self.module.unwrap_or("?").to_owned()),
            (Some(name), By::Symbol) => Evidence::Symbol(name.to_owned()),
            (Some(name), By::Boundary) => Evidence::Boundary(name.to_owned()),
            (Some(name), By::BuildId) => Evidence::BuildId(name.to_owned()),
        }
    }

    /// Whether nobody can say whose code it is, so that anything may be outside of it.
    pub fn is_nobodys(&self) -> bool {
        match self.part {
            None => self.name.is_none() && self.module.is_none_or(|module| module.starts_with('[')),
            Some(part) => matches!(part, Part::Neutral | Part::Root),
        }
    }
}

/// The outermost first. A call that went through the dynamic symbol table is a step of its own, unless the next frame is the callee.
pub fn steps<'a>(frames: &[Read<'a>]) -> Vec<Step<'a>> {
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
