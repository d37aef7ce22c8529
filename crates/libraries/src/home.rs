//! Where the project's own files are, and where those go that it writes: blocks of the user's own, workers that are built, logs.

use std::env;
use std::path::{Path, PathBuf};

/// Two folders: one that is only read, and one that is written. In a source tree they are the same. An installed tlstax has the first in
/// `share/tlstax` beside the folder of its program, and the second in the user's state folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    share: PathBuf,
    state: PathBuf,
}

#[derive(Debug, thiserror::Error)]
#[error(
    "cannot find tlstax's own files (workers/workers.toml): looked in TLSTAX_HOME, in share/tlstax beside the program's folder, above the \
     program and above the current folder; set TLSTAX_HOME to the folder of the source tree, or of an installed share/tlstax"
)]
pub struct NoHome;

/// Packages put this file into `share/tlstax`: what is below is not to be written.
pub const INSTALLED: &str = "installed";

/// Where built workers are, below either folder.
pub(crate) const PROGRAMS: &str = "target/workers/bin";

impl Home {
    /// Looks in the named folder (TLSTAX_HOME), then beside the program, above it, and above the current folder.
    ///
    /// # Errors
    /// None of these folders holds tlstax's own files.
    pub fn find(named: Option<PathBuf>) -> Result<Self, NoHome> {
        if let Some(folder) = named {
            return Self::at(&folder).ok_or(NoHome);
        }
        let program = env::current_exe().ok();
        let beside =
            program.as_deref().and_then(|program| Some(program.parent()?.parent()?.join("share/tlstax")));
        let current = env::current_dir().ok();
        let above = [&program, &current].into_iter().flatten().flat_map(|start| start.ancestors());
        beside.iter().map(PathBuf::as_path).chain(above).find_map(Self::at).ok_or(NoHome)
    }

    fn at(folder: &Path) -> Option<Self> {
        if !folder.join("workers/workers.toml").is_file() {
            return None;
        }
        let variable = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let is_installed = folder.join(INSTALLED).is_file();
        let state = is_installed.then(|| state(variable)).flatten().unwrap_or_else(|| folder.to_owned());
        Some(Self { share: folder.to_owned(), state })
    }

    /// What came with tlstax. Nothing writes into it where it is installed.
    pub fn share(&self) -> &Path {
        &self.share
    }

    /// What tlstax and its user have added.
    pub fn state(&self) -> &Path {
        &self.state
    }

    pub fn registry(&self) -> PathBuf {
        self.share.join("workers/workers.toml")
    }

    /// The libraries that the user has added.
    pub fn own_registry(&self) -> PathBuf {
        self.state.join("workers/own.toml")
    }

    /// The manifests that pin the sources of libraries.
    pub fn sources(&self) -> PathBuf {
        self.share.join("workers/sources")
    }

    pub fn pki(&self) -> PathBuf {
        self.share.join("pki")
    }

    pub fn studies(&self) -> PathBuf {
        self.share.join("studies")
    }

    /// Where workers are built.
    pub fn target(&self) -> PathBuf {
        self.state.join("target/workers")
    }

    /// The log of what is done with a library.
    pub fn log(&self, name: &str) -> PathBuf {
        self.target().join("log").join(format!("{name}.log"))
    }

    /// What workers that came built have passed on this machine.
    pub(crate) fn passes(&self) -> PathBuf {
        self.state.join("passes")
    }

    /// Whether a file came with an installed tlstax.
    pub fn is_shared(&self, file: &Path) -> bool {
        self.share != self.state && file.starts_with(&self.share)
    }

    /// The file that a registry means by a path: what the user has built or added, before what came with tlstax.
    pub fn file(&self, path: &str) -> PathBuf {
        let own = self.state.join(path);
        let shared = self.share.join(path);
        if !own.exists() && shared.exists() { shared } else { own }
    }
}

/// The folder for what outlives a run and is nobody else's: `TLSTAX_STATE`, or as in the XDG Base Directory Specification 0.8. None
/// without a home folder.
fn state(variable: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let of_user = || variable("XDG_STATE_HOME").filter(|folder| folder.is_absolute());
    let usual = || Some(variable("HOME")?.join(".local/state"));
    variable("TLSTAX_STATE").or_else(|| Some(of_user().or_else(usual)?.join("tlstax")))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests write what a user has")]
mod tests {
    use std::fs;

    use super::*;

    /// A folder with the files that tell a home.
    fn folder(is_installed: bool) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("workers")).unwrap();
        fs::write(folder.path().join("workers/workers.toml"), "").unwrap();
        if is_installed {
            fs::write(folder.path().join(INSTALLED), "").unwrap();
        }
        folder
    }

    #[test]
    fn a_source_tree_is_written_into_and_what_is_installed_is_not() {
        let tree = folder(false);
        let home = Home::find(Some(tree.path().to_owned())).unwrap();
        assert_eq!((home.share(), home.state()), (tree.path(), tree.path()));
        let installed = folder(true);
        let home = Home::find(Some(installed.path().to_owned())).unwrap();
        assert_eq!(home.registry(), installed.path().join("workers/workers.toml"));
        assert!(!home.own_registry().starts_with(installed.path()), "{home:?}");
        assert!(Home::find(Some(tree.path().join("workers"))).is_err());
    }

    #[test]
    fn state_is_where_the_user_wants_it() {
        let of = |set: &[(&str, &str)]| {
            let found =
                |name: &str| set.iter().find(|(one, _)| *one == name).map(|(_, value)| PathBuf::from(value));
            state(found).map(|folder| folder.display().to_string())
        };
        let home = ("HOME", "/home/a");
        assert_eq!(of(&[home]).as_deref(), Some("/home/a/.local/state/tlstax"));
        assert_eq!(of(&[home, ("XDG_STATE_HOME", "/s")]).as_deref(), Some("/s/tlstax"));
        assert_eq!(of(&[home, ("XDG_STATE_HOME", "s")]).as_deref(), Some("/home/a/.local/state/tlstax"));
        assert_eq!(of(&[home, ("TLSTAX_STATE", "/t")]).as_deref(), Some("/t"));
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn what_was_built_comes_before_what_was_installed() {
        let (share, state) = (folder(true), tempfile::tempdir().unwrap());
        let home = Home { share: share.path().to_owned(), state: state.path().to_owned() };
        let place = |folder: &Path| folder.join("x");
        assert_eq!(home.file("x"), place(state.path()));
        fs::write(place(share.path()), "").unwrap();
        assert_eq!(home.file("x"), place(share.path()));
        fs::write(place(state.path()), "").unwrap();
        assert_eq!(home.file("x"), place(state.path()));
    }
}
