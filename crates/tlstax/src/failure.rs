//! How the program ends: exit codes, and the one place where an error is printed.

use std::process::ExitCode;

use tlstax_doc::StoreError;
use tlstax_libraries::{BuildError, NoHome, RegistryError};
use tlstax_measure::command::CommandError;
use tlstax_observe::live::LiveError;
use tlstax_report::Printable;
use tlstax_run::{RunError, StudyError};
use tlstax_traffic::capture::CaptureError;

use crate::output::warn;

/// `compare` or `gate` found a regression above `--fail-above`.
pub const REGRESSION: u8 = 1;
/// The user's words, a study or a document are not usable.
pub const USAGE: u8 = 2;
/// The machine lacks something: a library, a file, room on the disk.
pub const ENVIRONMENT: u8 = 3;
/// A mistake of ours.
pub const INTERNAL: u8 = 4;
/// The user interrupted, as shells count it: 128 + SIGINT.
pub const INTERRUPTED: u8 = 130;

/// Prints an error with its causes, and chooses the exit code.
pub fn tell(error: &anyhow::Error) -> ExitCode {
    warn(&format!("error: {}", told(error)));
    ExitCode::from(code(error))
}

/// Prints what clap has to say: help that was asked for, or what is wrong with the command line. Words that it repeats
/// may come from anywhere, as names of files do: where they hold control characters, it is a message as any other.
pub fn refuse(error: &clap::Error) -> ExitCode {
    let words: String = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    if error.use_stderr() && *Printable::line(&words) != words {
        warn(error.render().to_string().trim_end());
    } else {
        // As with every other message, there is nobody to tell where this fails.
        let _ = error.print();
    }
    if error.use_stderr() { ExitCode::from(USAGE) } else { ExitCode::SUCCESS }
}

/// An error and its causes in one line; a cause that the words before it quote already is not told twice.
fn told(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string).filter(|cause| !cause.is_empty()) {
        if !text.contains(cause.trim()) {
            text += if text.is_empty() { "" } else { ": " };
            text += &cause;
        }
    }
    text
}

fn code(error: &anyhow::Error) -> u8 {
    if let Some(error) = error.downcast_ref::<RunError>() {
        return match error {
            RunError::Study(error) => study_code(error),
            RunError::Registry(_) => USAGE,
            RunError::Interrupted => INTERRUPTED,
            _ => ENVIRONMENT,
        };
    }
    if let Some(error) = error.downcast_ref::<StudyError>() {
        return study_code(error);
    }
    if let Some(error) = error.downcast_ref::<StoreError>() {
        return store_code(error);
    }
    if let Some(error) = error.downcast_ref::<LiveError>() {
        return live_code(error);
    }
    if let Some(error) = error.downcast_ref::<CaptureError>() {
        return if matches!(error, CaptureError::NoInterface { .. }) { USAGE } else { ENVIRONMENT };
    }
    if error.is::<Usage>() || error.is::<RegistryError>() {
        return USAGE;
    }
    let is_of_machine = error.is::<NoHome>()
        || error.is::<BuildError>()
        || error.is::<CommandError>()
        || error.is::<std::io::Error>();
    if is_of_machine { ENVIRONMENT } else { INTERNAL }
}

fn study_code(error: &StudyError) -> u8 {
    if let StudyError::Read(error) = error { store_code(error) } else { USAGE }
}

/// Whom nobody knows is a matter of words, what the kernel forbids one of the machine.
fn live_code(error: &LiveError) -> u8 {
    use LiveError::{KernelThread, NoGroup, NoName, NoProcess};
    if matches!(error, NoProcess { .. } | KernelThread { .. } | NoName { .. } | NoGroup { .. }) {
        USAGE
    } else {
        ENVIRONMENT
    }
}

fn store_code(error: &StoreError) -> u8 {
    if matches!(error, StoreError::Write { .. }) { ENVIRONMENT } else { USAGE }
}

/// Words of the user that make no sense together.
#[derive(Debug)]
pub struct Usage(pub String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}
