//! The folder of a run with real servers: configurations, logs, sites. It is removed with the run.

use std::fs;
use std::path::{Path, PathBuf};
use std::{io, iter};

use tlstax_measure::folder::{Folder, run_in_name};
use tlstax_measure::user::User;
use tlstax_measure::{accounting, lock, mark};
use tlstax_spec::Key;

/// The folders of one server.
#[derive(Debug)]
pub struct ServerFolders {
    /// Its configuration and its output, which it cannot replace.
    pub files: Folder,
    /// What it writes itself.
    pub own: Folder,
}

/// How the names of such folders begin; the process id of the run follows, by which leftovers are known.
const PREFIX: &str = "tlstax-run-";

/// The page that every server serves.
pub const PAGE: &str = "index.html";

/// A folder that only one run uses: nobody else of the machine can enter it but the user of its servers, who can read it.
#[derive(Debug)]
pub struct RunFolder {
    folder: Folder,
    user: Option<User>,
    numbers: u32,
    /// Held while the run lives: its process id says nothing to those of another PID namespace that see the folder.
    _lock: lock::Lock,
}

impl RunFolder {
    /// Makes it, in the folder for temporary files.
    ///
    /// # Errors
    /// The folder cannot be made, or would not be safe there.
    pub fn create() -> io::Result<Self> {
        Self::create_in(&std::env::temp_dir())
    }

    pub(super) fn create_in(parent: &Path) -> io::Result<Self> {
        let user = User::unused()?;
        let folder = Folder::temporary(parent, &format!("{PREFIX}{}-", std::process::id()), user)?;
        let lock = lock::folder(folder.path())?.ok_or(io::ErrorKind::ResourceBusy)?;
        Ok(Self { folder, user, numbers: 0, _lock: lock })
    }

    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// The user that servers run as; none is our own.
    pub fn user(&self) -> Option<User> {
        self.user
    }

    /// New folders for one server.
    ///
    /// # Errors
    /// They cannot be made.
    pub fn place(&mut self, server: &str) -> io::Result<ServerFolders> {
        self.numbers += 1;
        let files = self.folder.subfolder(&format!("{server}-{}", self.numbers))?;
        let own = files.subfolder_of_guest("own")?;
        own.subfolder_of_guest("uploads")?;
        Ok(ServerFolders { files, own })
    }

    /// A folder with a [`PAGE`] of so many bytes, the same for every server.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn root(&self, body: u32) -> io::Result<PathBuf> {
        let name = format!("root-{body}");
        let path = self.folder.path().join(&name);
        if !path.is_dir() {
            let block: Vec<u8> = (0..251).cycle().take(251 * 256).collect();
            let (whole, rest) = (body as usize / block.len(), body as usize % block.len());
            let pieces = iter::repeat_n(block.as_slice(), whole).chain([&block[..rest]]);
            self.folder.subfolder(&name)?.write(PAGE, pieces)?;
        }
        Ok(path)
    }

    /// Certificate chain, private key, and both in one file, where a server that is not root can read them.
    ///
    /// # Errors
    /// The test keys cannot be copied.
    pub fn credentials(&self, pki: &Path, key: Key) -> io::Result<[PathBuf; 3]> {
        let names = ["certificate.pem", "test.key", "both.pem"].map(|file| format!("{key}-{file}"));
        let paths = names.each_ref().map(|name| self.folder.path().join(name));
        if !paths[2].is_file() {
            let pki = pki.join(key.name());
            let (chain, secret) = (fs::read(pki.join("server-1.pem"))?, fs::read(pki.join("server.key"))?);
            let (chain, secret) = (chain.as_slice(), secret.as_slice());
            self.folder.write(&names[0], [chain])?;
            self.folder.write(&names[1], [secret])?;
            self.folder.write(&names[2], [chain, secret])?;
        }
        Ok(paths)
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        // What cannot be removed is found, and named, by `tlstax check`.
        let _ = fs::remove_dir_all(self.folder.path());
    }
}

/// How the paths of the folders of runs begin.
pub fn prefix() -> PathBuf {
    std::env::temp_dir().join(PREFIX)
}

/// Folders of runs that are over, killed before they could clean up. Only our own user's, and only if nobody holds them.
pub fn abandoned() -> Vec<PathBuf> {
    abandoned_in(&std::env::temp_dir())
}

fn abandoned_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let is_over = |name: &str| run_in_name(name, PREFIX).is_some_and(|run| !accounting::is_alive(run));
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            // A folder, and no link to one, that our user has made: others may give such names to what they like.
            let found = entry.metadata().ok()?;
            let is_ours = is_over(entry.file_name().to_str()?) && found.is_dir() && mark::is_own(&found);
            // Whoever holds the lock lives where we do not see its process id.
            (is_ours && lock::folder(&entry.path()).ok()?.is_some()).then(|| entry.path())
        })
        .collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Beyond the largest process id that Linux can be told to use.
    const NOBODY: u32 = 1 << 23;

    #[test]
    fn folders_of_the_dead_are_found_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: String| folder.path().join(name);
        let living = at(format!("{PREFIX}{}-0", std::process::id()));
        let [dead, held] = [0, 1].map(|number| at(format!("{PREFIX}{NOBODY}-{number}")));
        for path in [&living, &dead, &held, &at(format!("{PREFIX}{NOBODY}-mine"))] {
            fs::create_dir(path).unwrap();
        }
        std::os::unix::fs::symlink(folder.path(), at(format!("{PREFIX}{NOBODY}-2"))).unwrap();
        let lock = lock::folder(&held).unwrap();
        assert_eq!(abandoned_in(folder.path()), std::slice::from_ref(&dead));
        drop(lock);
        assert_eq!(abandoned_in(folder.path()), [dead, held]);
    }

    #[test]
    fn a_folder_goes_with_its_run() {
        let mut run = RunFolder::create().unwrap();
        let (path, place) = (run.folder().path().to_owned(), run.place("nginx").unwrap());
        assert!(place.own.path().starts_with(&path) && lock::folder(&path).unwrap().is_none());
        drop(run);
        assert!(!path.exists());
    }
}
