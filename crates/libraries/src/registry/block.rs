//! One library build, as a block of the registry describes it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tlstax_spec::Id;
use toml::{Table, Value};

use super::ids::reserved;
use super::packages;
use super::source::Source;
use crate::Home;
use crate::home::PROGRAMS;

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Block {
    /// What studies, flags and results call it.
    pub id: Id,
    /// One line for people.
    pub about: String,
    /// Measured when nobody names a library.
    #[serde(default)]
    pub default: bool,
    /// The row that shows the harness's own cost: added to every study with connections, never chosen.
    #[serde(default)]
    pub control: bool,
    /// No library, but a client of loads: built with the default libraries, and never chosen to be measured.
    #[serde(default)]
    pub client: bool,
    /// How readily it is built.
    #[serde(default)]
    pub group: Group,
    /// The licence of the library, as an SPDX expression.
    pub licence: Option<String>,
    /// Debian packages that the build cannot do without.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Debian packages that its worker cannot start without, where it came built.
    #[serde(default)]
    pub runs_with: Vec<String>,

    /// Where the library comes from; absent where the worker's own build brings it.
    pub source: Option<Source>,
    pub recipe: Option<Recipe>,
    /// The folder of the library's sources within the source.
    pub subdir: Option<String>,
    /// Options of its configuration.
    #[serde(default)]
    pub options: Vec<String>,
    /// With the recipe `cmake`: only these targets are built, and headers and archives are taken from where they are.
    #[serde(default)]
    pub targets: Vec<String>,
    /// The id of a library that this one is built upon.
    pub uses: Option<Id>,

    pub worker: Option<Worker>,
    /// Worker native: the backend.
    pub backend: Option<String>,
    /// Worker native: pkg-config modules of a library of the system.
    #[serde(default)]
    pub modules: Vec<String>,
    /// Worker native: static archives of a library that was built, in the order in which they need each other.
    #[serde(default)]
    pub archives: Vec<String>,
    /// Worker native: what else has to be linked.
    #[serde(default)]
    pub link: Vec<String>,
    /// Worker native: preprocessor definitions.
    #[serde(default)]
    pub defines: Vec<String>,
    /// Worker rustls: the features in place of the default ones.
    #[serde(default)]
    pub features: Vec<String>,
    /// The command that builds a worker of the user's own, run in the project's folder.
    #[serde(default)]
    pub build: Vec<String>,
    /// The file that this command makes, to be copied to the program's place.
    pub built: Option<String>,

    /// The worker and its arguments, where it is not the one that was built; a relative path starts at the project's
    /// folder.
    #[serde(default)]
    pub program: Vec<String>,
    /// Arguments of the worker that was built.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// Environment of the worker.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
}

/// How readily a library is built.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Group {
    /// There already, or brought by the worker's own build: seconds.
    Fast,
    /// Built from source by `libraries build standard`.
    Standard,
    /// Built from source when it is named, or with all.
    #[default]
    OptIn,
}

/// How a library is built from its source, and installed into a folder of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Recipe {
    /// OpenSSL's `config` and make.
    Openssl,
    Cmake,
    /// autoreconf, configure and make, in a copy of the sources.
    Autotools,
    /// Botan's `configure.py` and make, from the archive in the source.
    Botan,
    /// Nothing: the source is an installation.
    Prefix,
}

/// A kind of worker; the folder in `workers/` has its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Worker {
    /// Libraries written in C or C++, one backend each.
    Native,
    /// rustls, with one provider.
    Rustls,
    /// No library.
    Mock,
    /// The lean client of loads.
    Lean,
    /// Go's crypto/tls.
    Go,
    /// The JDK's JSSE.
    Java,
    Node,
}

impl Worker {
    /// Its folder in `workers/`.
    pub const fn folder(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Rustls => "rustls",
            Self::Mock => "mock",
            Self::Lean => "lean",
            Self::Go => "go",
            Self::Java => "java",
            Self::Node => "node",
        }
    }
}

impl Block {
    /// A block of which no more is known than what it is called.
    pub fn new(id: Id, about: impl Into<String>) -> Self {
        let known = [("id", id.to_string()), ("about", about.into())];
        let table: Table = known.map(|(key, value)| (key.to_owned(), value.into())).into_iter().collect();
        table.try_into().unwrap_or_else(|error| unreachable!("every other key has a default: {error}"))
    }

    /// What is wrong with the block, if anything.
    pub(super) fn problem(&self) -> Option<String> {
        if let Some(problem) = reserved(&self.id) {
            return Some(problem);
        }
        let problem = if self.worker.is_none() && self.program.is_empty() {
            "says neither which worker serves it nor which program is one"
        } else if self.worker == Some(Worker::Native) && self.backend.is_none() {
            "is served by the worker native and names no backend"
        } else if matches!(self.source, Some(Source::Crate { .. } | Source::Path(_))) && self.recipe.is_none()
        {
            "has a source and no recipe"
        } else {
            return None;
        };
        Some(problem.to_owned())
    }

    /// The worker's program and its arguments.
    pub fn command(&self) -> Vec<String> {
        if !self.program.is_empty() {
            return self.program.clone();
        }
        let program = format!("{PROGRAMS}/{}", self.id);
        std::iter::once(program).chain(self.arguments.iter().cloned()).collect()
    }

    pub fn program_path(&self, home: &Home) -> PathBuf {
        home.file(&self.command()[0])
    }

    /// What to do if the worker is not there or does not start: one command, with the packages that are missing.
    pub fn remedy(&self) -> String {
        let build = format!("tlstax libraries build {}", self.id);
        match packages::missing(&self.needs).as_slice() {
            [] => build,
            missing => format!("apt-get install {} && {build}", missing.join(" ")),
        }
    }

    /// The same for a worker that came built and does not start.
    pub fn remedy_installed(&self) -> String {
        match packages::missing(&self.runs_with).as_slice() {
            [] => format!("tlstax libraries conform {} says more", self.id),
            missing => format!("apt-get install {}", missing.join(" ")),
        }
    }

    /// The block as it stands in a registry; what is as usual is left out.
    pub fn text(&self) -> String {
        let table = |block: &Self| {
            Table::try_from(block)
                .unwrap_or_else(|error| unreachable!("every key of a block is text: {error}"))
        };
        let mut usual = table(&Self::new(self.id.clone(), ""));
        usual.remove("id");
        let mut block = table(self);
        block.retain(|key, value| usual.get(key) != Some(value));
        let library = Table::from_iter([("library".to_owned(), Value::Array(vec![Value::Table(block)]))]);
        format!("{library}\n")
    }
}
