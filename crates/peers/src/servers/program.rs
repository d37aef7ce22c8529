//! A server program as it is on this machine.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use tlstax_measure::objects;
use tlstax_spec::Compression;

use super::server::Server;
use super::tls_library;

/// Between a server and its TLS library.
const WITH: &str = " with ";

/// Where the dynamic linker looks first.
const LIBRARY_PATH: &str = "LD_LIBRARY_PATH";

#[derive(Debug, Clone)]
pub struct Program {
    pub server: &'static Server,
    pub path: PathBuf,
    /// Name and version, as it says itself, with those of the TLS library that is loaded for it.
    pub version: String,
    /// Its file and those of everything that is loaded for it.
    pub objects: Vec<PathBuf>,
    /// The folder of the TLS library that it loads in place of the system's.
    pub libraries: Option<PathBuf>,
}

impl Program {
    /// Looks for the program and asks it for its version.
    ///
    /// # Errors
    /// It is not there, or does not say; with the packages to install.
    pub fn find(server: &'static Server) -> Result<Self, String> {
        let (path, version, _) = server.product.find()?;
        Self { server, path, version, objects: Vec::new(), libraries: None }.with_its_library()
    }

    /// The same program with the TLS library of this folder.
    ///
    /// # Errors
    /// Its files cannot be read, or it would not load that library.
    pub fn relinked(self, libraries: PathBuf) -> Result<Self, String> {
        // The name and version of the library that it would load without, which come last.
        let version = self.version.split(WITH).next().unwrap_or_default().to_owned();
        let found = Self { libraries: Some(libraries.clone()), version, ..self }.with_its_library()?;
        if !found.objects.iter().any(|path| path.starts_with(&libraries)) {
            return Err(format!("{} brings its own TLS library and loads no other", found.server.id()));
        }
        Ok(found)
    }

    /// Looks up what would be loaded for it, and which TLS library that is.
    fn with_its_library(mut self) -> Result<Self, String> {
        let text = |text: OsString| text.to_string_lossy().into_owned();
        let environment: Vec<_> =
            self.environment().into_iter().map(|(name, value)| (text(name), text(value))).collect();
        let modules = self.server.modules.iter().map(Path::new).filter(|module| module.is_file());
        let mut found: Vec<PathBuf> = Vec::new();
        for file in [self.path.as_path()].into_iter().chain(modules) {
            let linked = objects::linked_code(file, &environment)
                .map_err(|error| format!("cannot read {}: {error}", file.display()))?;
            found.extend(linked);
        }
        let mut seen = HashSet::new();
        found.retain(|path| seen.insert(path.clone()));
        if let Some(library) = tls_library::version(&found) {
            self.version = format!("{}{WITH}{library}", self.version);
        }
        self.objects = found;
        Ok(self)
    }

    /// TLS compression that it would do if it was told to.
    pub fn compressions(&self) -> Vec<String> {
        let compresses = self.server.compression.is_some() && tls_library::has_deflate(&self.objects);
        compresses.then(|| Compression::Deflate.to_string()).into_iter().collect()
    }

    /// What makes the dynamic linker find the TLS library that is wanted.
    pub fn environment(&self) -> Option<(OsString, OsString)> {
        let folder = self.libraries.as_ref()?;
        Some((LIBRARY_PATH.into(), folder.into()))
    }
}
