//! The cache of libraries that were built from source: outside of the tree, shared by all checkouts of the user.
//!
//! A folder for each library and everything that went into it. Its list of contents is written last, and every file in it is
//! held against that list before it is used: what is half-built or damaged is built anew.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tlstax_measure::clock::monotonic;
use tlstax_measure::lock;

use super::error::BuildError;
use super::record::hash;
use super::step::Job;
use crate::registry::Block;

#[derive(Debug, Clone)]
pub struct Cache(PathBuf);

/// A library as it stands in the cache.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Kept {
    pub prefix: PathBuf,
    /// How long it took to build, in seconds.
    pub seconds: f64,
    /// The hash of all that went into it.
    pub key: String,
}

/// What belongs to a library, and how long it took.
#[derive(Debug, Serialize, Deserialize)]
struct Contents {
    seconds: f64,
    files: Vec<File>,
}

#[derive(Debug, Serialize, Deserialize)]
struct File {
    path: PathBuf,
    xxh3: String,
}

impl Cache {
    /// The folder that TLSTAX_CACHE names, or the user's usual one.
    pub fn find() -> Self {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let usual = || {
            let caches = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")));
            caches.unwrap_or_else(std::env::temp_dir).join("tlstax")
        };
        Self(set("TLSTAX_CACHE").unwrap_or_else(usual))
    }

    pub const fn at(folder: PathBuf) -> Self {
        Self(folder)
    }

    /// The library of this key, if it is there and whole.
    pub(super) fn kept(&self, block: &Block, key: &str) -> Option<Kept> {
        let folder = self.0.join("libraries").join(name(block, key));
        let prefix = folder.join("prefix");
        let seconds = sound(&prefix, &folder.join("contents.json")).ok()?;
        Some(Kept { prefix, seconds, key: key.to_owned() })
    }

    /// The library of this key: as it is kept, or built now. `make` gets an empty folder to work in and the prefix to
    /// install to.
    pub(super) fn library(
        &self,
        job: &mut Job<'_>,
        key: &str,
        make: impl FnOnce(&Path, &Path, &mut Job<'_>) -> Result<(), BuildError>,
    ) -> Result<Kept, BuildError> {
        let block = job.block;
        let name = name(block, key);
        let folder = self.0.join("libraries").join(&name);
        let fault = |source: io::Error| match source.kind() {
            io::ErrorKind::Interrupted => BuildError::Interrupted(block.id.clone()),
            _ => BuildError::Cache { library: block.id.clone(), folder: folder.clone(), source },
        };
        let _lock = lock::exclusive(&folder.with_file_name(format!("{name}.lock")), || {
            (job.report)("waiting for another build of it")
        })
        .map_err(fault)?;
        let (prefix, work, list) = (folder.join("prefix"), folder.join("work"), folder.join("contents.json"));
        match sound(&prefix, &list) {
            Ok(seconds) => return Ok(Kept { prefix, seconds, key: key.to_owned() }),
            Err(Some(damage)) => (job.report)(&format!("the cache is damaged ({damage}): building it anew")),
            Err(None) => {}
        }
        remove(&folder).map_err(fault)?;
        fs::create_dir_all(&work).map_err(fault)?;
        fs::create_dir_all(&prefix).map_err(fault)?;
        let began = monotonic();
        make(&work, &prefix, job)?;
        let seconds = monotonic().since(began).0 as f64 / 1e9;
        remove(&work).map_err(fault)?;
        let contents = Contents { seconds, files: files(&prefix).map_err(fault)? };
        let text = serde_json::to_string_pretty(&contents).expect("a list of contents has string keys");
        tlstax_doc::write(&list, text.as_bytes())
            .map_err(|error| fault(io::Error::other(error.to_string())))?;
        Ok(Kept { prefix, seconds, key: key.to_owned() })
    }
}

fn name(block: &Block, key: &str) -> String {
    format!("{}-{}", block.id, &key[..16])
}

/// How long a library took that is whole; otherwise what is wrong with it, or nothing if it was never finished.
fn sound(prefix: &Path, list: &Path) -> Result<f64, Option<String>> {
    let text = fs::read_to_string(list).map_err(|_| None)?;
    let contents: Contents =
        serde_json::from_str(&text).map_err(|error| Some(format!("its list: {error}")))?;
    for file in &contents.files {
        match hash(&prefix.join(&file.path)) {
            Ok(found) if found == file.xxh3 => {}
            Ok(_) => return Err(Some(format!("{} has changed", file.path.display()))),
            Err(error) => return Err(Some(format!("{}: {error}", file.path.display()))),
        }
    }
    Ok(contents.seconds)
}

fn files(prefix: &Path) -> io::Result<Vec<File>> {
    let (mut found, mut folders) = (Vec::new(), vec![prefix.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let (path, kind) = entry.and_then(|entry| Ok((entry.path(), entry.file_type()?)))?;
            if kind.is_dir() {
                folders.push(path);
            } else if path.is_file() {
                let within = path.strip_prefix(prefix).unwrap_or(&path).to_owned();
                found.push(File { xxh3: hash(&path)?, path: within });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::disallowed_methods)]
    use tlstax_measure::command::Log;
    use tlstax_spec::Id;

    use super::*;

    struct Stage {
        folder: tempfile::TempDir,
        log: Log,
        told: Vec<String>,
        made: u32,
    }

    impl Stage {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let log = Log::create(&folder.path().join("log")).unwrap();
            Self { folder, log, told: Vec::new(), made: 0 }
        }

        fn get(&mut self, key: &str, works: bool) -> Result<Kept, BuildError> {
            let block = Block::new(Id::literal("some"), "?");
            let (told, made) = (&mut self.told, &mut self.made);
            let mut report = |text: &str| told.push(text.to_owned());
            let mut job = Job { block: &block, log: &mut self.log, report: &mut report };
            Cache::at(self.folder.path().join("cache")).library(&mut job, key, |work, prefix, _| {
                *made += 1;
                fs::write(work.join("rubbish"), "").unwrap();
                fs::create_dir_all(prefix.join("lib")).unwrap();
                fs::write(prefix.join("lib/libsome.a"), "archive").unwrap();
                if works { Ok(()) } else { Err(BuildError::NoRecipe(Id::literal("some"))) }
            })
        }
    }

    const KEY: &str = "0123456789abcdef0123456789abcdef";

    #[test]
    fn what_is_kept_is_not_built_again_and_another_key_is() {
        let mut stage = Stage::new();
        let first = stage.get(KEY, true).unwrap();
        assert_eq!(stage.get(KEY, true).unwrap(), first);
        assert_eq!(stage.made, 1);
        assert!(first.prefix.join("lib/libsome.a").is_file());
        assert!(!first.prefix.with_file_name("work").exists());
        stage.get("fedcba9876543210fedcba9876543210", true).unwrap();
        assert_eq!(stage.made, 2);
    }

    #[test]
    fn what_was_never_finished_is_built_anew() {
        let mut stage = Stage::new();
        stage.get(KEY, false).unwrap_err();
        stage.get(KEY, true).unwrap();
        assert_eq!((stage.made, stage.told.len()), (2, 0));
    }

    #[test]
    fn what_is_damaged_is_built_anew_and_that_is_said() {
        let mut stage = Stage::new();
        let kept = stage.get(KEY, true).unwrap();
        fs::write(kept.prefix.join("lib/libsome.a"), "other").unwrap();
        stage.get(KEY, true).unwrap();
        assert_eq!(stage.made, 2);
        assert!(stage.told[0].contains("lib/libsome.a has changed"), "{:?}", stage.told);
        fs::write(kept.prefix.with_file_name("contents.json"), "{").unwrap();
        stage.get(KEY, true).unwrap();
        assert_eq!(stage.made, 3);
    }
}
