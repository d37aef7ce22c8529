//! Getting the sources of a library: crates by their manifest and lock file, which pin every byte.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use tlstax_measure::command::{self, Log, Run};

use super::error::BuildError;
use super::step::Step;
use crate::Home;
use crate::registry::{Block, Source};

/// The part of `cargo metadata` that says where a package was unpacked.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
}

/// The folder with the manifest and the lock file of a crate, in the tree.
pub(super) fn manifest_folder(home: &Home, name: &str, version: &str) -> PathBuf {
    home.sources().join(format!("{name}-{}", version.replace('+', "-")))
}

/// The folder of a library's sources, fetched if they are not there; nothing is written into it.
pub(super) fn folder(
    block: &Block,
    source: &Source,
    home: &Home,
    log: &mut Log,
) -> Result<PathBuf, BuildError> {
    let folder = match source {
        Source::Path(folder) => folder.clone(),
        Source::System(_) => {
            return Err(BuildError::wrong(block, "a library of the system is not built from source"));
        }
        Source::Crate { name, version } => unpacked(block, name, version, home, log)?,
    };
    let folder = block.subdir.as_ref().map_or(folder.clone(), |within| folder.join(within));
    match folder.is_dir() {
        true => Ok(folder),
        false => Err(BuildError::wrong(
            block,
            format!("there is no folder {}: check source and subdir of its block", folder.display()),
        )),
    }
}

fn unpacked(
    block: &Block,
    name: &str,
    version: &str,
    home: &Home,
    log: &mut Log,
) -> Result<PathBuf, BuildError> {
    let manifest = manifest_folder(home, name, version).join("Cargo.toml");
    if !manifest.is_file() {
        let place = manifest.display();
        return Err(BuildError::wrong(
            block,
            format!("there is no {place}, which pins {name} {version}; see docs/adding-a-library.md"),
        ));
    }
    let cargo = |verb: &str| Run {
        program: "cargo".to_owned(),
        arguments: [verb, "--quiet", "--locked", "--manifest-path", &manifest.display().to_string()]
            .map(str::to_owned)
            .to_vec(),
        folder: home.share().to_owned(),
        ..Run::default()
    };
    Step::new("fetch the sources", cargo("fetch")).take(block, log)?;
    let mut ask = cargo("metadata");
    ask.arguments.extend(["--offline", "--format-version", "1"].map(str::to_owned));
    let output = command::answer(&ask).map_err(BuildError::command(block))?;
    let metadata: Metadata = serde_json::from_slice(&output.stdout)
        .map_err(|error| BuildError::wrong(block, format!("cargo metadata is not understood: {error}")))?;
    let package = metadata.packages.into_iter().find(|package| package.name == name);
    let path = package
        .ok_or_else(|| BuildError::wrong(block, format!("{} does not name {name}", manifest.display())))?
        .manifest_path;
    Ok(path.parent().unwrap_or(Path::new("/")).to_owned())
}
