//! `tlstax libraries add`: a library of the user's own, like one that is known.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use tlstax_doc::{Library, Object};
use tlstax_libraries::{
    Block, Builder, Cache, ConformanceExtent, Entry, Recipe, Registry, SEARCH_VARIABLE, Source, Worker,
    conformance,
};
use tlstax_measure::command::Log;
use tlstax_run::survey_one;
use tlstax_spec::Id;

use crate::cli::complete;
use crate::cli::project::Project;
use crate::failure::{self, Usage};
use crate::output::{print, warn};

/// Where installations keep their libraries; the last two are Debian's.
const LIBRARY_FOLDERS: [&str; 4] = ["lib64", "lib", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"];

/// Add a library of your own: another build or version of one that is known.
///
/// Shared libraries with the name that the known worker was linked to (libssl.so.3 for any OpenSSL 3.x) need no compiler: the
/// worker is pointed at them. Static ones get a worker of their own. What is added is kept in workers/own.toml.
#[derive(Debug, clap::Args)]
#[group(id = "adding")]
#[command(after_help = "Examples:\n  tlstax libraries add mine --like openssl --prefix /opt/openssl-3.6\n  \
                        tlstax measure quick --library openssl,mine")]
pub struct Args {
    /// What to call it.
    id: Id,

    /// The known library that it is used like.
    #[arg(long, value_name = "ID", add = complete::ids())]
    like: String,

    /// Where it is installed: the folder that holds include and lib.
    #[arg(long, value_name = "DIR")]
    prefix: PathBuf,
}

/// Writes the block, builds or points the worker, and asks the library who it is.
pub fn run(args: Args, project: &Project) -> anyhow::Result<ExitCode> {
    // A block that is added to a file that cannot be read would be lost in it.
    Registry::read(&project.home, None)?;
    let like = project.registry.find(&args.like)?.block().ok_or_else(|| no_prefix(&args))?;
    project.registry.accepts(&args.id)?;
    let prefix = args.prefix.canonicalize().with_context(|| {
        format!("cannot find {}: name the folder where the library is installed", args.prefix.display())
    })?;
    can_be_noted(&prefix)?;
    let shared = shared(like, &prefix);
    let block = match &shared {
        Some(folder) => pointed(&args, like, folder),
        None => built(&args, like, &prefix)?,
    };
    if shared.is_none() {
        let builder = Builder::new(&project.home, &project.registry, Cache::find());
        builder.build(&block, &mut |what| warn(&format!("{}: {what}", block.id)))?;
    }
    let entry = Entry::from(block.clone());
    let library = survey_one(&project.home, &entry)?;
    if let Some(why) = &library.unavailable {
        warn(&format!("{} was not added: {why}", entry.id));
        return Ok(ExitCode::from(failure::ENVIRONMENT));
    }
    let version = library.hello.as_ref().map_or("", |hello| hello.version.as_str());
    same_version(&prefix, version)?;
    if let Some(folder) = &shared {
        is_loaded(&library, folder)?;
        passes(&block, project)?;
    }
    let own = project.home.own_registry();
    let before = if own.is_file() { tlstax_doc::read(&own)? } else { String::new() };
    let end = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
    tlstax_doc::write(&own, format!("{before}{end}{}", block.text()).as_bytes())?;
    print(format!("{}: {version}\nadded to {}\n", entry.id, own.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// The known worker passes the conformance suite with the other library, too, or the library is not added.
fn passes(block: &Block, project: &Project) -> anyhow::Result<()> {
    warn(&format!("{}: run the conformance suite", block.id));
    let path = project.home.path().join("target/workers/log").join(format!("{}.log", block.id));
    let mut log = Log::create(&path)?;
    let program = block.program_path(&project.home);
    let found = conformance(block, &program, &project.home, ConformanceExtent::Whole, &mut log)?;
    anyhow::ensure!(
        found.failed == 0,
        "it did not pass the conformance suite and is not added:\n{}\nthe whole log is {}",
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
fn pointed(args: &Args, like: &Block, folder: &Path) -> Block {
    let program = like.command();
    let mut env = like.env.clone();
    env.insert(SEARCH_VARIABLE.to_owned(), folder.display().to_string());
    let about = format!("like {}, with the libraries in {}", args.like, folder.display());
    Block { program, env, ..Block::new(args.id.clone(), about) }
}

fn no_prefix(args: &Args) -> Usage {
    Usage(format!("{} is no C library: it has no prefix to be built against", args.like))
}

/// A worker of its own, against the static libraries of the prefix.
fn built(args: &Args, like: &Block, prefix: &Path) -> anyhow::Result<Block> {
    let Some(backend) = like.backend.clone().filter(|_| like.worker == Some(Worker::Native)) else {
        return Err(no_prefix(args).into());
    };
    let archives = match like.archives.as_slice() {
        [] => static_names(&backend),
        archives => archives.to_vec(),
    };
    let found = |archive: &String| {
        LIBRARY_FOLDERS.iter().any(|folder| prefix.join(folder).join(format!("lib{archive}.a")).is_file())
    };
    if let Some(missing) = archives.iter().find(|archive| !found(archive)) {
        return Err(Usage(format!(
            "{} holds no lib/lib{missing}.a, and no shared libraries that the worker of {} could load: name the install \
             prefix, the folder that holds include and lib",
            prefix.display(),
            args.like
        ))
        .into());
    }
    let about = format!("like {}, built against {}", args.like, prefix.display());
    Ok(Block {
        source: Some(Source::Path(prefix.to_owned())),
        recipe: Some(Recipe::Prefix),
        worker: Some(Worker::Native),
        backend: Some(backend),
        archives,
        link: like.link.clone(),
        defines: like.defines.clone(),
        ..Block::new(args.id.clone(), about)
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
    if version.contains(&of_headers) {
        return Ok(());
    }
    Err(Usage(format!(
        "the headers in {} are of {of_headers}, the library says it is {version}: install headers and library of one version",
        prefix.join("include").display()
    ))
    .into())
}

/// A library that was not really loaded from its prefix would be measured under a wrong name.
fn is_loaded(library: &Library, folder: &Path) -> anyhow::Result<()> {
    let from_there = |object: &Object| {
        std::fs::metadata(folder.join(&object.file)).is_ok_and(|file| file.len() == object.bytes)
    };
    let mut objects = library.receipt.iter().flat_map(|receipt| &receipt.objects);
    if objects.any(|object| object.file.contains(".so") && from_there(object)) {
        return Ok(());
    }
    Err(Usage(format!(
        "the worker started, but loaded nothing from {}: it is linked statically, or to libraries of another name",
        folder.display()
    ))
    .into())
}
