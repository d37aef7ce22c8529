//! A [`Product`]: what a program that people run is called, and how it is found and asked for its version.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tlstax_measure::process::{Launch, SpawnError};
use tlstax_measure::program::{self, ProgramError};

/// Where Debian keeps servers, which the PATH of a user does not name.
const SYSTEM_FOLDERS: [&str; 2] = ["/usr/sbin", "/usr/local/sbin"];

/// How long a program may take to print its version.
const PATIENCE: Duration = Duration::from_secs(10);

/// A server or client program as its makers and Debian name it.
#[derive(Debug)]
pub struct Product {
    /// What studies, flags and results call it.
    pub id: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// What to do to have it: `on Debian: apt-get install nginx`.
    pub remedy: &'static str,
    /// The name of the program; it is looked for in PATH and where Debian keeps servers.
    pub program: &'static str,
    pub version_arguments: &'static [&'static str],
    /// Name and version from what it printed then, with those of its TLS library if it names them: `nginx 1.22.1`.
    pub version: fn(&str) -> Option<String>,
}

impl Product {
    /// The path of the program, its version, and the output in which that was found.
    ///
    /// # Errors
    /// It is not there, with how to get it, does not run, or does not say its version.
    pub fn find(&self) -> Result<(PathBuf, String, String), String> {
        let missing = || format!("{} is not installed; {}", self.program, self.remedy);
        let path = locate(self.program).ok_or_else(missing)?;
        let printed = printed(&path, self.version_arguments)?;
        let unread = || format!("{} does not say its version: {printed}", path.display());
        let version = (self.version)(&printed).ok_or_else(unread)?;
        Ok((path, version, printed))
    }
}

/// A name with the version that stands after a mark, such as `nginx/`.
pub fn named(name: &str, printed: &str, mark: &str) -> Option<String> {
    let version = printed.split_once(mark)?.1.split_ascii_whitespace().next()?;
    Some(format!("{name} {version}"))
}

/// The path of a program in PATH, or where servers are.
pub fn locate(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(SYSTEM_FOLDERS.map(PathBuf::from));
    folders.map(|folder| folder.join(program)).find(|path| is_program(path))
}

/// What may not be executed is passed over, as a shell does it.
fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// Everything that a program prints with these arguments, both streams together.
///
/// # Errors
/// It cannot be run, or does not end.
pub fn printed(path: &Path, arguments: &[&str]) -> Result<String, String> {
    let arguments = arguments.iter().map(Into::into).collect();
    let finished = program::run(&Launch { arguments, ..Launch::new(path) }, PATIENCE);
    match finished {
        Ok(finished) => Ok(finished.stdout + &finished.stderr),
        Err(ProgramError::Start(SpawnError::Start { program, source })) => {
            Err(format!("cannot run {}: {source}", program.display()))
        }
        Err(error) => Err(format!("cannot ask {}: {error}", path.display())),
    }
}
