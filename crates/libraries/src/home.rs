//! Where the project's own files are: `workers/`, `studies/`, `pki/`.

use std::path::{Path, PathBuf};

/// The folder that holds `workers/workers.toml`, `studies/` and `pki/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home(PathBuf);

#[derive(Debug, thiserror::Error)]
#[error(
    "cannot find tlstax's own files (workers/workers.toml): looked in TLSTAX_HOME, above the program and above the \
     current folder; set TLSTAX_HOME to the folder of the source tree"
)]
pub struct NoHome;

impl Home {
    /// Looks in the named folder (TLSTAX_HOME), then above the program, then above the current folder.
    ///
    /// # Errors
    /// None of these folders holds tlstax's own files.
    pub fn find(named: Option<PathBuf>) -> Result<Self, NoHome> {
        if let Some(folder) = named {
            return Self::at(&folder).ok_or(NoHome);
        }
        let program = std::env::current_exe().ok();
        let current = std::env::current_dir().ok();
        [program, current]
            .iter()
            .flatten()
            .flat_map(|start| start.ancestors())
            .find_map(Self::at)
            .ok_or(NoHome)
    }

    fn at(folder: &Path) -> Option<Self> {
        folder.join("workers/workers.toml").is_file().then(|| Self(folder.to_owned()))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn registry(&self) -> PathBuf {
        self.0.join("workers/workers.toml")
    }

    /// The libraries that the user has added.
    pub fn own_registry(&self) -> PathBuf {
        self.0.join("workers/own.toml")
    }

    /// The manifests that pin the sources of libraries.
    pub fn sources(&self) -> PathBuf {
        self.0.join("workers/sources")
    }

    pub fn pki(&self) -> PathBuf {
        self.0.join("pki")
    }

    pub fn studies(&self) -> PathBuf {
        self.0.join("studies")
    }
}
