//! What the reader of a profile has to know of what could not be resolved.

use std::collections::{BTreeMap, BTreeSet};

use tlstax_doc::{Note, Severity};

/// How many names a note spells out.
const NAMED: usize = 4;

/// Why something has no names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Missing {
    /// The file is not to be found or may not be read.
    File,
    /// There is a file, and it is another build.
    Replaced,
    /// The file was deleted, and the process that has it is gone or belongs to somebody else.
    Deleted,
    /// It is no ELF file of this processor.
    Format,
    /// Code that was compiled at run time, of a process without a map of it.
    Generated,
    KernelHidden,
    /// The samples are of another kernel than the one that runs here.
    KernelOther,
}

#[derive(Debug, Default)]
pub struct Notes {
    found: BTreeMap<Missing, BTreeSet<String>>,
}

impl Notes {
    /// `what`: the path, or the process.
    pub fn add(&mut self, missing: Missing, what: impl Into<String>) {
        self.found.entry(missing).or_default().insert(what.into());
    }

    pub fn all(&self) -> Vec<Note> {
        self.found.iter().map(|(missing, names)| missing.note(&some(names))).collect()
    }
}

/// The first few names, and how many more there are.
fn some(names: &BTreeSet<String>) -> String {
    let first: Vec<&str> = names.iter().take(NAMED).map(String::as_str).collect();
    match names.len().checked_sub(NAMED) {
        None | Some(0) => first.join(", "),
        Some(more) => format!("{} and {more} more", first.join(", ")),
    }
}

impl Missing {
    fn note(self, names: &str) -> Note {
        let (severity, what, remedy) = match self {
            Self::File => (
                Severity::Warning,
                format!("functions in {names} have no names and their callers may be missing: no such file here that can be read"),
                "observe on the machine that the samples are of, or install the same packages here",
            ),
            Self::Replaced => (
                Severity::Warning,
                format!("functions in {names} have no names: the file here is another build than the one that was running"),
                "restart what still runs the old build, or observe on the machine that the samples are of",
            ),
            Self::Deleted => (
                Severity::Warning,
                format!("functions in {names} have no names: the file was deleted while it was in use"),
                "restart the process, or observe as root, which can still read such a file",
            ),
            Self::Format => (
                Severity::Warning,
                format!("functions in {names} have no names: no ELF file of this processor"),
                "",
            ),
            Self::Generated => (
                Severity::Warning,
                format!("code that {names} compiled at run time has no names: there is no map of it"),
                "it is read from /tmp/perf-PID.map: have Java 17 or later write it with jcmd PID Compiler.perfmap, start Node with \
                 --perf-basic-prof",
            ),
            Self::KernelHidden => (
                Severity::Info,
                "functions of the kernel have no names: /proc/kallsyms shows no addresses to this user".to_owned(),
                "observe as root, or set kernel.kptr_restrict=0",
            ),
            Self::KernelOther => (
                Severity::Info,
                "functions of the kernel have no names: the samples are of another kernel than runs here, or do not say of which".to_owned(),
                "observe on the machine that the samples are of",
            ),
        };
        Note { severity, what, remedy: remedy.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_names_are_one_note() {
        let mut notes = Notes::default();
        for number in 0..10 {
            notes.add(Missing::File, format!("/lib/{number}.so"));
            notes.add(Missing::File, "/lib/0.so");
        }
        let notes = notes.all();
        assert_eq!(notes.len(), 1);
        assert!(notes[0].what.contains("/lib/3.so and 6 more have"), "{}", notes[0].what);
    }
}
