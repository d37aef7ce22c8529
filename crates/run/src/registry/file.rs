//! The registry: which library builds there are, how each is made and started. `workers/workers.toml`, as data.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::Home;

/// Every library build that tlstax knows.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Registry {
    /// In the order of the file, which is the order of tables.
    #[serde(rename = "library")]
    pub entries: Vec<Entry>,
}

/// One library build.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// What studies, flags and results call it.
    pub id: String,
    /// One line for people.
    pub about: String,
    /// Measured when nobody names a library.
    #[serde(default)]
    pub default: bool,
    /// The row that shows the harness's own cost: added to every study with connections, never chosen.
    #[serde(default)]
    pub control: bool,
    /// Debian packages that the build cannot do without.
    #[serde(default)]
    pub needs: Vec<String>,
    /// The command that builds the worker, run in the project's folder; empty if there is nothing to build.
    #[serde(default)]
    pub build: Vec<String>,
    /// The file that the build makes, to be copied to the program's place.
    #[serde(default)]
    pub built: Option<String>,
    /// The worker and its arguments; a relative path starts at the project's folder.
    pub program: Vec<String>,
    /// Environment of the worker.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
}

/// The registry cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RegistryError {
    /// It could not be read.
    #[error(transparent)]
    Read(#[from] tlstax_doc::StoreError),
    /// It is not of the right form.
    #[error("{path}: {source}")]
    Malformed {
        /// The file.
        path: String,
        /// Where and what.
        source: toml::de::Error,
    },
    /// Two libraries have one name, or one has no program.
    #[error("{path}: library '{id}' {problem}")]
    Entry {
        /// The file.
        path: String,
        /// The library.
        id: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A library was named that is not there.
    #[error("no library '{id}' in the registry; known: {known}")]
    Unknown {
        /// The name.
        id: String,
        /// The names there are.
        known: String,
    },
}

impl Registry {
    /// Reads the project's registry, or another one in its place.
    pub fn read(home: &Home, other: Option<&std::path::Path>) -> Result<Self, RegistryError> {
        let path = other.map_or_else(|| home.registry(), std::path::Path::to_owned);
        Self::parse(&tlstax_doc::read(&path)?, &path.display().to_string())
    }

    /// Reads the text of a registry; the path is for messages.
    pub fn parse(text: &str, path: &str) -> Result<Self, RegistryError> {
        let registry: Self = toml::from_str(text)
            .map_err(|source| RegistryError::Malformed { path: path.to_owned(), source })?;
        registry.check(path)?;
        Ok(registry)
    }

    fn check(&self, path: &str) -> Result<(), RegistryError> {
        let mut seen = Vec::new();
        for entry in &self.entries {
            let problem = if seen.contains(&&entry.id) {
                "stands there twice; give one another id"
            } else if entry.program.is_empty() {
                "has an empty program"
            } else if entry.id.is_empty() || entry.id.contains('/') {
                "needs an id without a slash"
            } else {
                seen.push(&entry.id);
                continue;
            };
            return Err(RegistryError::Entry { path: path.to_owned(), id: entry.id.clone(), problem });
        }
        Ok(())
    }

    /// The entry of this id.
    pub fn entry(&self, id: &str) -> Result<&Entry, RegistryError> {
        self.entries.iter().find(|entry| entry.id == id).ok_or_else(|| RegistryError::Unknown {
            id: id.to_owned(),
            known: self.entries.iter().map(|entry| entry.id.as_str()).collect::<Vec<_>>().join(", "),
        })
    }

    /// The entries of these ids, or the default ones if none are named.
    pub fn choose(&self, ids: &[String]) -> Result<Vec<&Entry>, RegistryError> {
        if ids.is_empty() {
            return Ok(self.entries.iter().filter(|entry| entry.default).collect());
        }
        ids.iter().map(|id| self.entry(id)).collect()
    }

    /// The entry whose rows show the harness's own cost.
    pub fn control(&self) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.control)
    }
}

impl Entry {
    /// The worker's program as a path.
    pub fn program_path(&self, home: &Home) -> std::path::PathBuf {
        home.path().join(&self.program[0])
    }

    /// What to do if the worker is not there or does not start.
    pub fn remedy(&self) -> String {
        let build = format!("tlstax libraries build {}", self.id);
        match self.needs.as_slice() {
            [] => build,
            needs => format!("apt-get install {} && {build}", needs.join(" ")),
        }
    }
}
