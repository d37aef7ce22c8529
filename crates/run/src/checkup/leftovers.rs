//! What runs that were killed have left behind, and how it is removed.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use tlstax_measure::cgroup;
use tlstax_measure::mark::{self, Stray};
use tlstax_peers::servers::run_folder;

/// Something that a run has left behind. The run is over, and it is ours by a proof of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Leftover {
    #[serde(flatten)]
    pub what: What,
    /// By what it is known.
    pub known_by: String,
    /// The command that removes it.
    pub remedy: String,
    #[serde(skip)]
    stray: Option<Stray>,
}

/// What can be left behind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum What {
    /// A server, a worker or a client.
    Process { pid: u32, command: String },
    /// A control group, by which the CPU time of a server or client was read.
    ControlGroup { path: PathBuf },
    /// The folder of a run: configurations, logs, sites.
    Folder { path: PathBuf },
}

impl std::fmt::Display for What {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Process { pid, command } => write!(f, "process {pid}: {command}"),
            Self::ControlGroup { path } => write!(f, "control group {}", path.display()),
            Self::Folder { path } => write!(f, "folder {}", path.display()),
        }
    }
}

/// Looks for what killed runs have left, in the order in which it can be removed.
pub fn leftovers() -> Vec<Leftover> {
    let processes = mark::strays(&run_folder::prefix()).into_iter().map(process);
    let groups = cgroup::abandoned().into_iter().map(group);
    let folders = run_folder::abandoned().into_iter().map(folder);
    processes.chain(groups).chain(folders).collect()
}

impl Leftover {
    /// Removes it.
    ///
    /// # Errors
    /// What is in the way, with what to do about it.
    pub fn remove(&self) -> Result<(), String> {
        let removed = match (&self.what, &self.stray) {
            (What::Process { .. }, Some(stray)) => mark::kill(stray, &run_folder::prefix()),
            (What::Process { .. }, None) => unreachable!("every process was found as a stray"),
            (What::ControlGroup { path }, _) => cgroup::remove(path),
            (What::Folder { path }, _) => fs::remove_dir_all(path),
        };
        removed.map_err(|error| format!("cannot remove {}: {error}; by hand: {}", self.what, self.remedy))
    }
}

fn process(stray: Stray) -> Leftover {
    Leftover {
        what: What::Process { pid: stray.pid, command: stray.command.clone() },
        known_by: stray.proof.to_string(),
        remedy: format!("kill -9 {}", stray.pid),
        stray: Some(stray),
    }
}

fn group(path: PathBuf) -> Leftover {
    let remedy = format!("rmdir {}", quoted(&path));
    let known_by = "its name has the process id of a run that is over".to_owned();
    Leftover { what: What::ControlGroup { path }, known_by, remedy, stray: None }
}

fn folder(path: PathBuf) -> Leftover {
    let remedy = format!("rm -r {}", quoted(&path));
    let known_by = "its name has the process id of a run that is over, and nobody holds its lock".to_owned();
    Leftover { what: What::Folder { path }, known_by, remedy, stray: None }
}

fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_named_with_the_command_that_removes_it() {
        let found = folder("/tmp/it's/tlstax-run-1-0".into());
        assert_eq!(found.what.to_string(), "folder /tmp/it's/tlstax-run-1-0");
        assert_eq!(found.remedy, r"rm -r '/tmp/it'\''s/tlstax-run-1-0'");
        let stray = Stray { pid: 7, command: "nginx".to_owned(), proof: mark::Proof::Environment };
        let found = process(stray);
        assert_eq!(
            (found.what.to_string().as_str(), found.remedy.as_str()),
            ("process 7: nginx", "kill -9 7")
        );
        assert!(found.known_by.contains("TLSTAX_RUN"), "{found:?}");
    }

    #[test]
    fn what_is_in_the_way_is_said() {
        let missing = group("/no/such/group".into());
        let error = missing.remove().unwrap_err();
        assert!(error.contains("/no/such/group") && error.contains("by hand: rmdir"), "{error}");
    }
}
