//! How a worker is started whose instructions are counted: by the CPU as it is, or under callgrind, a tool of Valgrind.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use tlstax_measure::command::{self, Run};
use tlstax_measure::counter::DUMPS_VARIABLE;

use crate::registry::{Block, Worker};

/// The program that callgrind is a part of.
const VALGRIND: &str = "valgrind";

/// Under callgrind a program takes some fifty times as long.
const SLOWNESS: u32 = 50;

/// What counts the instructions of a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Counting {
    /// The CPU, by perf_event_open(2).
    Hardware,
    /// Callgrind, which writes its dumps into files that begin so.
    Callgrind { dumps: PathBuf },
}

impl Counting {
    /// Refuses a worker whose counts would not repeat.
    ///
    /// # Errors
    /// Why its instructions are not counted.
    pub fn check(block: &Block) -> Result<(), String> {
        let runtime = match block.worker {
            Some(Worker::Go) => "Go",
            Some(Worker::Java) => "Java",
            Some(Worker::Node) => "Node",
            _ => return Ok(()),
        };
        Err(format!(
            "instructions are not counted in a worker in {runtime}: its runtime compiles or collects garbage beside the work, \
             and no count would come twice"
        ))
    }

    pub(crate) fn slowness(&self) -> u32 {
        if matches!(self, Self::Callgrind { .. }) { SLOWNESS } else { 1 }
    }
}

/// A command that runs another one under callgrind. Nothing is counted before the worker asks for it.
pub(crate) fn command(dumps: &Path, program: PathBuf, arguments: Vec<OsString>) -> (PathBuf, Vec<OsString>) {
    let mut out = OsString::from("--callgrind-out-file=");
    out.push(dumps);
    let tool = ["--tool=callgrind", "--quiet", "--collect-atstart=no", "--instr-atstart=no"];
    // Addresses take the place of lines: nobody reads either, and lines have to be looked up.
    let form = ["--dump-line=no", "--dump-instr=yes", "--read-inline-info=no"];
    let mut words: Vec<OsString> = tool.into_iter().chain(form).map(OsString::from).collect();
    words.extend([out, "--".into(), program.into()]);
    words.extend(arguments);
    (VALGRIND.into(), words)
}

/// What a worker under callgrind has to be told.
pub(crate) fn variable(counting: &Counting) -> Option<(OsString, OsString)> {
    match counting {
        Counting::Hardware => None,
        Counting::Callgrind { dumps } => Some((DUMPS_VARIABLE.into(), dumps.into())),
    }
}

/// The version of Valgrind, as it says; none where it is not installed or has no callgrind for this processor.
pub fn valgrind() -> Option<String> {
    let ask = |arguments: &[&str]| {
        let arguments = arguments.iter().map(|word| (*word).to_owned()).collect();
        command::answer(&Run {
            program: VALGRIND.to_owned(),
            arguments,
            folder: "/".into(),
            ..Run::default()
        })
        .ok()
        .filter(|output| output.status.success())
    };
    ask(&["--tool=callgrind", "--quiet", "--callgrind-out-file=/dev/null", "true"])?;
    let version = String::from_utf8_lossy(&ask(&["--version"])?.stdout).trim().to_owned();
    Some(version)
}

#[cfg(test)]
mod tests {
    use tlstax_spec::Id;

    use super::*;

    #[test]
    fn the_worker_with_its_own_arguments_comes_last() {
        let (program, words) = command(Path::new("/tmp/run/c"), "/w/control".into(), vec!["control".into()]);
        assert_eq!(program, Path::new("valgrind"));
        assert!(words.contains(&"--callgrind-out-file=/tmp/run/c".into()), "{words:?}");
        let end: Vec<OsString> = ["--", "/w/control", "control"].map(OsString::from).into();
        assert!(words.ends_with(&end), "{words:?}");
    }

    #[test]
    fn what_compiles_as_it_goes_is_not_counted() {
        let of = |worker| Block { worker: Some(worker), ..Block::new(Id::literal("one"), "?") };
        assert!(Counting::check(&of(Worker::Java)).unwrap_err().contains("Java"));
        assert_eq!(Counting::check(&of(Worker::Native)), Ok(()));
    }
}
