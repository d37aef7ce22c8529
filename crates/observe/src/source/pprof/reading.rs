//! Reads a profile of pprof.

use tlstax_doc::{Origin, Unit, rfc3339};

use super::labels::Owner;
use super::stacks::Stacks;
use super::tables::Tables;
use super::values::Weighing;
use super::wire::{Broken, Fields};
use crate::collect::{Collector, Moment};
use crate::frame::FrameId;
use crate::source::input::Opened;
use crate::source::module::module;
use crate::source::processes::NamedProcesses;
use crate::source::{Facts, SourceError, notes, stack};

/// Whether the first bytes are of a profile of pprof: its first fields have numbers and types that such a profile has.
pub fn is_pprof(head: &[u8]) -> bool {
    let fields: Vec<_> = Fields::of(head).take(3).map_while(Result::ok).collect();
    !fields.is_empty() && fields.iter().all(|(field, _)| (1..=15).contains(field))
}

/// Reads a profile of pprof.
pub fn read(input: Opened<'_>, into: &mut Collector<'_>) -> Result<Facts, SourceError> {
    let (from, target) = (input.name.clone(), input.target());
    let failed = |problem: String, remedy: &str| SourceError::Format {
        from: from.clone(),
        format: "pprof",
        problem,
        remedy: remedy.to_owned(),
    };
    let broken = |Broken| failed("it is cut or broken".to_owned(), "get the file anew");
    let profile = input.into_bytes("pprof")?;
    let tables = Tables::read(&profile).map_err(broken)?;
    let weighing = Weighing::of(&tables).map_err(|other| {
        failed(
            format!("it has no CPU time, but {}", if other.0.is_empty() { "nothing" } else { &other.0 }),
            "take a CPU profile: of Go, /debug/pprof/profile",
        )
    })?;
    let mut pprof = Pprof::new(&tables, weighing, into);
    for field in Fields::of(&profile) {
        let (field, value) = field.map_err(broken)?;
        if field == 2 {
            pprof.take_sample(value.bytes()).map_err(broken)?;
        }
    }
    Ok(pprof.facts(target))
}

struct Pprof<'p, 'c> {
    tables: &'p Tables<'p>,
    weighing: Weighing,
    into: &'p mut Collector<'c>,
    stacks: Stacks,
    processes: NamedProcesses,
    /// What the samples have that do not say whose they are: the program that the profile is of.
    program: String,
    locations: Vec<u64>,
    values: Vec<u64>,
    stack: Vec<FrameId>,
    below_nothing: u64,
    deep: u64,
}

impl<'p, 'c> Pprof<'p, 'c> {
    fn new(tables: &'p Tables<'p>, weighing: Weighing, into: &'p mut Collector<'c>) -> Self {
        let program = tables.program.and_then(|mapping| module(&tables.text(mapping.file)));
        Self {
            tables,
            weighing,
            into,
            stacks: Stacks::default(),
            processes: NamedProcesses::default(),
            program: program
                .filter(|program| !program.is_kernel)
                .map_or_else(String::new, |program| program.name.to_string()),
            locations: Vec::new(),
            values: Vec::new(),
            stack: Vec::new(),
            below_nothing: 0,
            deep: 0,
        }
    }

    fn take_sample(&mut self, message: &[u8]) -> Result<(), Broken> {
        let mut owner = Owner::default();
        self.locations.clear();
        self.values.clear();
        for field in Fields::of(message) {
            let (field, value) = field?;
            match field {
                1 => value.numbers(&mut self.locations)?,
                2 => value.numbers(&mut self.values)?,
                3 => owner.take(value.bytes(), self.tables)?,
                _ => {}
            }
        }
        let Some((weight, samples)) = self.weighing.weigh(&self.values) else {
            self.below_nothing += 1;
            return Ok(());
        };
        if weight == 0 {
            return Ok(());
        }
        self.stack.clear();
        for location in self.locations.iter().take(stack::DEEPEST + 1) {
            self.stacks.frames(*location, self.tables, self.into, &mut self.stack)?;
        }
        self.deep += u64::from(stack::cut(&mut self.stack));
        let process = self.process(&owner);
        self.into.samples_at(&Moment { at_ns: None, process, weight }, &self.stack, samples);
        Ok(())
    }

    fn process(&mut self, owner: &Owner) -> u32 {
        let name = owner.name.as_deref().unwrap_or(&self.program);
        if name.is_empty() {
            return owner.number.unwrap_or(0);
        }
        self.processes.number(owner.number, name.as_bytes(), self.into)
    }

    fn facts(self, target: String) -> Facts {
        let nanoseconds = |ns: u64| Some(ns).filter(|ns| *ns > 0 && i64::try_from(*ns).is_ok());
        #[expect(clippy::cast_precision_loss, reason = "a rate, for reading")]
        let hertz = self.weighing.period_ns.map(|ns| 1e9 / ns as f64);
        Facts {
            origin: Origin {
                format: "pprof".to_owned(),
                event: (self.weighing.unit == Unit::Nanoseconds).then(|| "cpu".to_owned()),
                hertz,
                stacks: None,
            },
            unit: self.weighing.unit,
            target,
            started: nanoseconds(self.tables.time_ns).map(|ns| rfc3339(ns / 1_000_000_000)),
            duration_ns: nanoseconds(self.tables.duration_ns),
            cpus: None,
            lost: 0,
            notes: self.notes(),
        }
    }

    fn notes(&self) -> Vec<tlstax_doc::Note> {
        let mut all = Vec::new();
        if self.below_nothing > 0 {
            let what = format!("{} samples weigh less than nothing and were left out", self.below_nothing);
            all.push(notes::problem(what, "give each profile by itself, not the difference of two"));
        }
        if self.stacks.nameless > 0 {
            let what = format!("{} places in the code have an address and no function", self.stacks.nameless);
            all.push(notes::warning(
                what,
                "export it with symbols; else libraries are known by their files only",
            ));
        }
        all.extend(stack::told(self.deep).map(notes::info));
        all
    }
}
