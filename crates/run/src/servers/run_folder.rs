//! The folder of a run with real servers: configurations, logs, sites. It is removed with the run.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use tlstax_measure::{accounting, lock, mark};
use tlstax_spec::Key;

use crate::Home;

/// How the names of such folders begin; the process id of the run follows, by which leftovers are known.
const PREFIX: &str = "tlstax-run-";

/// A folder that only one run uses. Servers that are not root can read it.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    numbers: u32,
    /// Held while the run lives: its process id says nothing to those of another PID namespace that see the folder.
    _lock: lock::Lock,
}

impl RunFolder {
    /// Makes it, in the folder for temporary files.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn create() -> io::Result<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("{PREFIX}{}-{number}", std::process::id()));
        fs::create_dir(&path)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        let lock = lock::folder(&path)?.ok_or(io::ErrorKind::ResourceBusy)?;
        Ok(Self { path, numbers: 0, _lock: lock })
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A new folder for one server, which everybody may write into: the server may not be root.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn place(&mut self, server: &str) -> io::Result<PathBuf> {
        self.numbers += 1;
        let path = self.path.join(format!("{server}-{}", self.numbers));
        let uploads = path.join("uploads");
        fs::create_dir_all(&uploads)?;
        for folder in [&path, &uploads] {
            fs::set_permissions(folder, fs::Permissions::from_mode(0o777))?;
        }
        Ok(path)
    }

    /// A folder with an `index.html` of so many bytes, the same for every server.
    ///
    /// # Errors
    /// The file cannot be written.
    #[expect(
        clippy::disallowed_methods,
        reason = "a page to be served, and no document; it goes with the folder"
    )]
    pub fn root(&self, body: u32) -> io::Result<PathBuf> {
        let root = self.path.join(format!("root-{body}"));
        if root.is_dir() {
            return Ok(root);
        }
        fs::create_dir(&root)?;
        let block: Vec<u8> = (0..251 * 256).map(|at| (at % 251) as u8).collect();
        let mut file = fs::File::create(root.join("index.html"))?;
        let mut left = body as usize;
        while left > 0 {
            let piece = left.min(block.len());
            file.write_all(&block[..piece])?;
            left -= piece;
        }
        Ok(root)
    }

    /// Certificate chain, private key, and both in one file, where a server that is not root can read them.
    ///
    /// # Errors
    /// The test keys cannot be copied.
    pub fn credentials(&self, home: &Home, key: Key) -> io::Result<[PathBuf; 3]> {
        let [certificate, private, both] =
            ["certificate.pem", "test.key", "both.pem"].map(|file| self.path.join(format!("{key}-{file}")));
        if !both.is_file() {
            let pki = home.pki().join(key.name());
            let (chain, secret) = (fs::read(pki.join("server-1.pem"))?, fs::read(pki.join("server.key"))?);
            save(&certificate, &chain)?;
            save(&private, &secret)?;
            save(&both, &[chain, secret].concat())?;
        }
        Ok([certificate, private, both])
    }
}

/// Writes a small file for a server.
///
/// # Errors
/// It cannot be written.
pub fn save(path: &Path, contents: &[u8]) -> io::Result<()> {
    tlstax_doc::write(path, contents).map_err(io::Error::other)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o644))
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        // What cannot be removed is found, and named, by `tlstax check`.
        let _ = fs::remove_dir_all(&self.path);
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
    let is_over = |name: &str| mark::run_in_name(name, PREFIX).is_some_and(|run| !accounting::is_alive(run));
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let is_ours = is_over(entry.file_name().to_str()?) && is_own_folder(&entry.metadata().ok()?);
            // Whoever holds the lock lives where we do not see its process id.
            (is_ours && lock::folder(&entry.path()).ok()?.is_some()).then(|| entry.path())
        })
        .collect();
    found.sort();
    found
}

/// A folder, and no link to one, that our user has made: others may give such names to what they like.
fn is_own_folder(metadata: &fs::Metadata) -> bool {
    metadata.is_dir() && mark::is_own(metadata)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
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
        let (path, place) = (run.path().to_owned(), run.place("nginx").unwrap());
        assert!(place.starts_with(&path) && lock::folder(&path).unwrap().is_none());
        drop(run);
        assert!(!path.exists());
    }
}
