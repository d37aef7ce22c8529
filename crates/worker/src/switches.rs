//! Doing without features of the CPU: what `TLSTAX_WITHOUT` asks for, and the start anew that it takes.
//!
//! Libraries look at their environment before `main`, so what a switch needs there is set by starting the program a second
//! time in the same process. What came of it is read back in `Hello::without`.

use std::os::unix::process::CommandExt;
use std::process::Command;

use tlstax_spec::Switch;

use crate::job::Refusal;

/// The features that the library is to do without, by their names, comma-separated.
const WANTED: &str = "TLSTAX_WITHOUT";

/// Set in the second start.
const APPLIED: &str = "TLSTAX_WITHOUT_APPLIED";

/// What the environment asks for.
///
/// # Errors
/// A name that is no feature.
pub fn wanted() -> Result<Vec<Switch>, Refusal> {
    let text = std::env::var(WANTED).unwrap_or_default();
    let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
    names.map(|name| name.parse().map_err(|error| Refusal::Failed(format!("{WANTED}: {error}")))).collect()
}

/// Starts the program anew with the environment that `settings` knows for the wanted features. Returns where nothing is
/// wanted, where nothing is to be set, or in the second start.
///
/// # Errors
/// The library has no such switch, or the program could not be started again.
#[expect(
    clippy::disallowed_methods,
    reason = "it becomes the program that it is, and leaves no child behind"
)]
pub fn apply(
    settings: impl FnOnce(&[Switch]) -> Result<Vec<(String, String)>, Refusal>,
) -> Result<(), Refusal> {
    let wanted = wanted()?;
    if wanted.is_empty() || std::env::var_os(APPLIED).is_some() {
        return Ok(());
    }
    let settings = settings(&wanted)?;
    if settings.is_empty() {
        return Ok(());
    }
    let failed = |error: std::io::Error| Refusal::Failed(format!("cannot start the worker anew: {error}"));
    let program = std::env::current_exe().map_err(failed)?;
    let error =
        Command::new(program).args(std::env::args_os().skip(1)).envs(settings).env(APPLIED, "1").exec();
    Err(failed(error))
}
