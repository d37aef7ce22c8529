//! The folder of a run with real servers: configurations, logs, sites. It is removed with the run.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use tlstax_measure::accounting;
use tlstax_spec::Key;

use crate::Home;

/// How the names of such folders begin; the process id of the run follows, by which leftovers are known.
const PREFIX: &str = "tlstax-run-";

/// A folder that only one run uses. Servers that are not root can read it.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    numbers: u32,
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
        Ok(Self { path, numbers: 0 })
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

/// Folders of runs that are over, killed before they could clean up.
pub fn abandoned() -> Vec<PathBuf> {
    let Ok(folder) = fs::read_dir(std::env::temp_dir()) else { return Vec::new() };
    let is_abandoned = |name: &str| {
        let pid = name.strip_prefix(PREFIX)?.split('-').next()?.parse().ok()?;
        (!accounting::is_alive(pid)).then_some(())
    };
    let mut found: Vec<PathBuf> = folder
        .filter_map(|entry| {
            let entry = entry.ok()?;
            is_abandoned(entry.file_name().to_str()?)?;
            Some(entry.path())
        })
        .collect();
    found.sort();
    found
}
