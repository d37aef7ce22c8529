//! A server program as it is on this machine.

use std::path::PathBuf;

use tlstax_measure::command::{self, Run};

use super::server::Server;

/// Where Debian keeps servers, which the PATH of a user does not name.
const SYSTEM_FOLDERS: [&str; 2] = ["/usr/sbin", "/usr/local/sbin"];

/// A program that is there.
#[derive(Debug, Clone)]
pub struct Program {
    /// What it is.
    pub server: &'static dyn Server,
    /// Where it is.
    pub path: PathBuf,
    /// Name and version, as it says itself.
    pub version: String,
}

impl Program {
    /// Looks for the program and asks it for its version.
    ///
    /// # Errors
    /// It is not there, or does not say; with the packages to install.
    pub fn find(server: &'static dyn Server) -> Result<Self, String> {
        let path = locate(server.program()).ok_or_else(|| {
            let packages = server.packages().join(" ");
            format!("{} is not installed; on Debian: apt-get install {packages}", server.program())
        })?;
        let printed = printed(&path, server.version_arguments())?;
        let version = server.version(&printed);
        let version =
            version.ok_or_else(|| format!("{} does not say its version: {printed}", path.display()))?;
        Ok(Self { server, path, version })
    }
}

/// The path of a program in PATH, or where servers are.
pub fn locate(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(SYSTEM_FOLDERS.map(PathBuf::from));
    folders.map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// Everything that a program prints with these arguments, both streams together.
///
/// # Errors
/// It cannot be run.
pub fn printed(path: &std::path::Path, arguments: &[&str]) -> Result<String, String> {
    let ask = Run {
        program: path.display().to_string(),
        arguments: arguments.iter().map(|argument| (*argument).to_owned()).collect(),
        folder: "/".into(),
        ..Run::default()
    };
    let output = command::answer(&ask).map_err(|error| error.to_string())?;
    Ok([output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat())
}
