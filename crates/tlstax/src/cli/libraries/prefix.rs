//! A library in a prefix of the user's: from its folder to a block, whose worker has passed the conformance suite.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use tlstax_doc::{Library, Object};
use tlstax_libraries::{
    Block, Builder, Cache, ConformanceExtent, Entry, Recipe, SEARCH_VARIABLE, Source, Worker, conformance,
    is_unproven,
};
use tlstax_measure::command::Log;
use tlstax_run::survey_one;
use tlstax_spec::Id;

use crate::cli::project::Project;
use crate::failure::Usage;
use crate::output::warn;

/// Where installations keep their libraries; the last two are Debian's.
const LIBRARY_FOLDERS: [&str; 4] = ["lib64", "lib", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"];

/// What was asked for.
#[derive(Debug)]
pub struct Installation<'a> {
    /// What it is to be called.
    pub id: &'a Id,
    /// The known library that it is used like.
    pub like: &'a str,
    /// The folder that holds include and lib.
    pub prefix: &'a Path,
}

/// What was found there.
#[derive(Debug)]
pub struct Installed {
    pub block: Block,
    /// What the library says of itself; whoever goes on looks first whether it is unavailable.
    pub library: Library,
    prefix: PathBuf,
    /// The folder of shared libraries that the known worker is pointed at; none where a worker was built.
    folder: Option<PathBuf>,
    /// Whether the worker has just passed the conformance suite with them.
    is_proven: bool,
}

impl Installation<'_> {
    /// Builds the worker, or points the known one, and asks the library who it is.
    ///
    /// # Errors
    /// The id means something already, nothing usable is installed there, or the worker cannot be built.
    pub fn find(&self, project: &Project) -> anyhow::Result<Installed> {
        let like = project.registry.find(self.like)?.block().ok_or_else(|| no_prefix(self))?;
        project.registry.accepts(self.id)?;
        let prefix = self.prefix.canonicalize().with_context(|| {
            format!("cannot find {}: name the folder where the library is installed", self.prefix.display())
        })?;
        can_be_noted(&prefix)?;
        let folder = shared(like, &prefix);
        let block = match &folder {
            Some(folder) => pointed(self, like, folder),
            None => built(self, like, &prefix)?,
        };
        if folder.is_none() {
            let builder = Builder::new(&project.home, &project.registry, Cache::find());
            builder.build(&block, &mut |what| warn(&format!("{}: {what}", block.id)))?;
        }
        // A worker that came built is not even asked before it has passed with these libraries.
        let is_new = is_unproven(&block, &project.home);
        if is_new {
            passes(&block, project)?;
        }
        let library = survey_one(&project.home, &Entry::from(block.clone()))?;
        Ok(Installed { block, library, prefix, folder, is_proven: is_new })
    }
}

impl Installed {
    /// That it is what the prefix holds, and that its worker does what it is to do.
    ///
    /// # Errors
    /// Another library answers than the one of the prefix, or the conformance suite found failures.
    pub fn prove(&self, project: &Project) -> anyhow::Result<()> {
        same_version(&self.prefix, self.version())?;
        if let Some(folder) = &self.folder {
            is_loaded(&self.library, folder)?;
            if !self.is_proven {
                passes(&self.block, project)?;
            }
        }
        Ok(())
    }

    pub fn version(&self) -> &str {
        self.library.hello.as_ref().map_or("", |hello| hello.version.as_str())
    }
}

/// The known worker passes the conformance suite with the other library, too, or the library is not used.
fn passes(block: &Block, project: &Project) -> anyhow::Result<()> {
    warn(&format!("{}: run the conformance suite", block.id));
    let path = project.home.log(block.id.as_str());
    let mut log = Log::create(&path)?;
    let program = block.program_path(&project.home);
    let found = conformance(block, &program, &project.home, ConformanceExtent::Whole, &mut log)?;
    ensure!(
        found.failed == 0,
        "it did not pass the conformance suite, so it is not used:\n{}\nthe whole log is {}",
        found.failures.join("\n"),
        path.display()
    );
    Ok(())
}

/// That a path comes back from `own.toml` as it is, and is one path wherever the linkers read it.
fn can_be_noted(prefix: &Path) -> Result<(), Usage> {
    let refused = |why: &str| Err(Usage(format!("the path {prefix:?} {why}: install the library elsewhere")));
    match prefix.to_str() {
        None => refused("is not UTF-8, and own.toml holds nothing else"),
        Some(text) if text.contains(char::is_control) => refused("holds control characters"),
        Some(text) if text.contains([':', ';']) => {
            refused("holds a ':' or ';', at which the dynamic linker would cut it")
        }
        Some(_) => Ok(()),
    }
}

/// The folder with shared libraries that can take the place of those that the known worker was linked to.
fn shared(like: &Block, prefix: &Path) -> Option<PathBuf> {
    let is_system = matches!(like.source, Some(Source::System(_)));
    let name = match like.backend.as_deref() {
        Some("openssl") if is_system => "libssl.so.3",
        Some("gnutls") => "libgnutls.so.30",
        Some("nss") => "libnss3.so",
        _ => return None,
    };
    LIBRARY_FOLDERS.iter().map(|folder| prefix.join(folder)).find(|folder| folder.join(name).is_file())
}

/// The known worker with another library on its search path.
fn pointed(asked: &Installation<'_>, like: &Block, folder: &Path) -> Block {
    let program = like.command();
    let mut env = like.env.clone();
    env.insert(SEARCH_VARIABLE.to_owned(), folder.display().to_string());
    let about = format!("like {}, with the libraries in {}", asked.like, folder.display());
    Block { program, env, ..Block::new(asked.id.clone(), about) }
}

fn no_prefix(asked: &Installation<'_>) -> Usage {
    Usage(format!("{} is no C library: it has no prefix to be built against", asked.like))
}

/// A worker of its own, against the static libraries of the prefix.
fn built(asked: &Installation<'_>, like: &Block, prefix: &Path) -> anyhow::Result<Block> {
    let Some(backend) = like.backend.clone().filter(|_| like.worker == Some(Worker::Native)) else {
        bail!(no_prefix(asked));
    };
    let archives = match like.archives.as_slice() {
        [] => static_names(&backend),
        archives => archives.to_vec(),
    };
    let found = |archive: &String| {
        LIBRARY_FOLDERS.iter().any(|folder| prefix.join(folder).join(format!("lib{archive}.a")).is_file())
    };
    if let Some(missing) = archives.iter().find(|archive| !found(archive)) {
        bail!(Usage(format!(
            "{} holds no lib/lib{missing}.a, and no shared libraries that the worker of {} could load: name the install \
             prefix, the folder that holds include and lib",
            prefix.display(),
            asked.like
        )));
    }
    let about = format!("like {}, built against {}", asked.like, prefix.display());
    Ok(Block {
        source: Some(Source::Path(prefix.to_owned())),
        recipe: Some(Recipe::Prefix),
        worker: Some(Worker::Native),
        backend: Some(backend),
        archives,
        link: like.link.clone(),
        defines: like.defines.clone(),
        ..Block::new(asked.id.clone(), about)
    })
}

/// The archives of a backend whose known library is the system's shared one.
fn static_names(backend: &str) -> Vec<String> {
    let names: &[&str] = if backend == "openssl" { &["ssl", "crypto"] } else { &[backend] };
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Headers of OpenSSL of another version than the library that answers: two installations are mixed up.
fn same_version(prefix: &Path, version: &str) -> anyhow::Result<()> {
    let header = std::fs::read_to_string(prefix.join("include/openssl/opensslv.h")).unwrap_or_default();
    let named =
        |line: &str| Some(line.split_once("OPENSSL_VERSION_STR")?.1.trim().trim_matches('"').to_owned());
    let Some(of_headers) = header.lines().find_map(named) else { return Ok(()) };
    ensure!(
        version.contains(&of_headers),
        Usage(format!(
            "the headers in {} are of {of_headers}, the library says it is {version}: install headers and library of one version",
            prefix.join("include").display()
        ))
    );
    Ok(())
}

/// A library that was not really loaded from its prefix would be measured under a wrong name.
fn is_loaded(library: &Library, folder: &Path) -> anyhow::Result<()> {
    let from_there = |object: &Object| {
        std::fs::metadata(folder.join(&object.file)).is_ok_and(|file| file.len() == object.bytes)
    };
    let mut objects = library.receipt.iter().flat_map(|receipt| &receipt.objects);
    let is_loaded = objects.any(|object| object.file.contains(".so") && from_there(object));
    ensure!(
        is_loaded,
        Usage(format!(
            "the worker started, but loaded nothing from {}: it is linked statically, or to libraries of another name",
            folder.display()
        ))
    );
    Ok(())
}
