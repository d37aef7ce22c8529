//! The test certificates and keys, read from the project's `pki/` directory. They authenticate nothing.

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use tlstax_spec::{Key, Side};

/// The name in every server certificate under `pki/`.
pub const SERVER_NAME: &str = "server.test";

/// The directory of test certificates and keys.
///
/// For each certificate key there is a folder of its name with `root.pem`, `server.key` and `client.key` (PKCS#8),
/// `server-1.pem` to `server-3.pem` (chains of so many certificates, end entity first, root excluded) and
/// `client.pem` (signed by the root). `ca-bundle.pem` and `certificate.der` beside them are for the set-up costs.
///
/// A file is read once: a context that is made for each connection must not measure the file system.
#[derive(Debug, Clone)]
pub struct Pki {
    directory: PathBuf,
    read: Arc<Mutex<HashMap<PathBuf, Vec<u8>>>>,
}

impl Pki {
    /// Names the directory; nothing is read yet.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into(), read: Arc::default() }
    }

    /// The chain that a side sends, PEM: the server's of so many certificates, the client's of one.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn chain(&self, side: Side, key: Key, certificates: u8) -> io::Result<Vec<u8>> {
        match side {
            Side::Client => self.read(key, "client.pem"),
            Side::Server => self.read(key, &format!("server-{certificates}.pem")),
        }
    }

    /// A side's private key, PEM, PKCS#8.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn private_key(&self, side: Side, key: Key) -> io::Result<Vec<u8>> {
        self.read(key, &format!("{side}.key"))
    }

    /// The root that signs server and client, PEM.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn root(&self, key: Key) -> io::Result<Vec<u8>> {
        self.read(key, "root.pem")
    }

    /// Many roots as a client trusts them, PEM.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn ca_bundle(&self) -> io::Result<Vec<u8>> {
        self.file(self.directory.join("ca-bundle.pem"))
    }

    /// One certificate, DER.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn certificate(&self) -> io::Result<Vec<u8>> {
        self.file(self.directory.join("certificate.der"))
    }

    fn read(&self, key: Key, file: &str) -> io::Result<Vec<u8>> {
        self.file(self.directory.join(key.name()).join(file))
    }

    fn file(&self, path: PathBuf) -> io::Result<Vec<u8>> {
        // A thread that panicked while it held the lock has left whole files or none.
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(contents) = read.get(&path) {
            return Ok(contents.clone());
        }
        let contents = std::fs::read(&path).map_err(|error| {
            io::Error::new(
                error.kind(),
                format!("{}: {error}; run pki/make.sh to make it anew", path.display()),
            )
        })?;
        read.insert(path, contents.clone());
        Ok(contents)
    }
}
