//! How a worker is built: the command of its kind, and what it is built from.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tlstax_measure::command::{self, Run};
use xxhash_rust::xxh3::Xxh3;

use super::cache::Kept;
use super::step::Step;
use crate::Home;
use crate::registry::{Block, Source, Worker, packages};

/// The crates that every worker in Rust is built from.
const SDK: [&str; 4] = ["crates/spec", "crates/stats", "crates/measure", "crates/worker"];

/// The step that builds a worker, and the file it makes.
pub(super) fn step(block: &Block, home: &Home, installed: &[Kept], part: &Path) -> Option<(Step, PathBuf)> {
    // What comes with tlstax is built from there; a command of the user's own knows its places.
    let folder = if block.worker.is_some() { home.share() } else { home.state() };
    let run = |program: &str, arguments: Vec<String>| Run {
        program: program.to_owned(),
        arguments,
        folder: folder.to_owned(),
        environment: environment(block, installed),
        ..Run::default()
    };
    let Some(worker) = block.worker else {
        let [program, arguments @ ..] = block.build.as_slice() else { return None };
        let built =
            block.built.as_ref().map_or_else(|| block.program_path(home), |built| home.state().join(built));
        return Some((Step::new("run its build command", run(program, arguments.to_vec())), built));
    };
    let folder = format!("workers/{}", worker.folder());
    Some(match worker {
        Worker::Native | Worker::Rustls | Worker::Mock | Worker::Lean => {
            let built = home.target().join("release").join(format!("tlstax-worker-{}", worker.folder()));
            (Step::new("compile the worker", run("cargo", cargo(block, &folder, &home.target()))), built)
        }
        Worker::Go | Worker::Java | Worker::Node => {
            let script = vec![format!("{folder}/build.sh"), part.display().to_string()];
            (Step::new("build the worker", run("bash", script)), part.to_owned())
        }
    })
}

fn cargo(block: &Block, folder: &str, target: &Path) -> Vec<String> {
    let (manifest, target) = (format!("{folder}/Cargo.toml"), target.display().to_string());
    let fixed = ["build", "--release", "--locked", "--manifest-path", &manifest, "--target-dir", &target];
    let mut arguments = fixed.map(str::to_owned).to_vec();
    if !block.features.is_empty() {
        arguments.extend([
            "--no-default-features".to_owned(),
            "--features".to_owned(),
            block.features.join(","),
        ]);
    }
    arguments
}

/// What `workers/native/build.rs` is told.
fn environment(block: &Block, installed: &[Kept]) -> Vec<(String, String)> {
    if block.worker != Some(Worker::Native) {
        return Vec::new();
    }
    let prefixes: Vec<_> = installed.iter().map(|kept| kept.prefix.display().to_string()).collect();
    let told = [
        ("BACKEND", block.backend.clone().unwrap_or_default()),
        ("MODULES", block.modules.join(" ")),
        ("PREFIX", prefixes.join(":")),
        ("ARCHIVES", block.archives.join(" ")),
        ("LINK", block.link.join(" ")),
        ("DEFINES", block.defines.join(" ")),
    ];
    // Empty ones too: a variable of the user's must not slip in.
    told.map(|(name, value)| (format!("TLSTAX_{name}"), value)).to_vec()
}

/// The hash of all that a worker is built from: its sources and ours, the library, the compiler, its block.
///
/// # Errors
/// A source cannot be read.
pub(super) fn inputs(block: &Block, home: &Home, installed: &[Kept], compiler: &str) -> io::Result<String> {
    let mut hasher = Xxh3::new();
    let mut add = |text: &str| {
        hasher.update(text.as_bytes());
        hasher.update(&[0]);
    };
    add(compiler);
    add(&format!(
        "{:?} {:?} {:?} {:?}",
        block.features,
        block.build,
        block.env,
        environment(block, installed)
    ));
    add(&origin(block));
    installed.iter().for_each(|kept| add(&kept.key));
    let own = block.worker.map(|worker| format!("workers/{}", worker.folder()));
    let mut files = Vec::new();
    for folder in SDK.iter().map(|folder| (*folder).to_owned()).chain(own) {
        collect(&home.share().join(folder), &mut files)?;
    }
    // New certificates make the conformance suite another one.
    collect(&home.pki(), &mut files)?;
    files.sort();
    for file in files {
        hasher.update(file.display().to_string().as_bytes());
        hasher.update(&fs::read(file)?);
    }
    Ok(format!("{:032x}", hasher.digest128()))
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_output = ["target", "node_modules"].iter().any(|name| path.ends_with(name));
        if path.is_dir() && !is_output {
            collect(&path, found)?;
        } else if path.is_file() {
            found.push(path);
        }
    }
    Ok(())
}

/// Where the library comes from; of a package of the system with the version that is installed.
pub(super) fn origin(block: &Block) -> String {
    let Some(source) = &block.source else { return String::new() };
    let Source::System(package) = source else { return source.to_string() };
    // Where there is no dpkg, the name alone has to do.
    let version = packages::field(package, "Version");
    version.map_or_else(|| source.to_string(), |version| format!("{source} {version}"))
}

/// The first line of what the compiler says of itself.
pub(super) fn compiler() -> String {
    let ask = Run {
        program: std::env::var("CC").unwrap_or_else(|_| "cc".to_owned()),
        arguments: vec!["--version".to_owned()],
        folder: "/".into(),
        ..Run::default()
    };
    let said = command::answer(&ask).map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    said.ok()
        .and_then(|text| text.lines().next().map(str::to_owned))
        .unwrap_or_else(|| "no C compiler".to_owned())
}
