//! Whether a worker has loaded the library that it is named after: a dynamic linker that does not find one library takes another
//! of the same name, without a word.

use std::path::{Path, PathBuf};

use tlstax_measure::objects::Loaded;

use crate::registry::{Entry, Origin, Source, Worker};

/// Shared objects that are TLS libraries, by the beginnings of their names.
const LIBRARIES: [&str; 5] = ["libssl.so", "libcrypto.so", "libgnutls.so", "libnss3.so", "libssl3.so"];

/// Where the packages of a system put shared objects; /usr/local is the user's.
const SYSTEM: [&str; 4] = ["/lib", "/lib64", "/usr/lib", "/usr/lib64"];

/// Where the TLS library of a worker has to come from.
enum Expected {
    /// These folders, which the worker was pointed at.
    Folders(Vec<PathBuf>),
    System,
    /// The worker's own program, to which it is linked statically.
    Program,
    /// A program of the user's own: whatever it loads.
    Any,
}

/// Refuses a process that has loaded another library than the one that is measured by this name; says which, in one sentence.
///
/// # Errors
/// Another library is loaded, or the one that the worker was pointed at is not: a sentence with its remedy.
pub fn check(entry: &Entry, loaded: &[Loaded]) -> Result<(), String> {
    let stranger = |belongs: &dyn Fn(&Path) -> bool| {
        loaded.iter().map(|one| one.path.as_path()).find(|path| is_library(path) && !belongs(path))
    };
    match expected(entry) {
        Expected::Any => Ok(()),
        Expected::Program => refuse(stranger(&|_| false), "the library that its worker was built with"),
        Expected::System => {
            let belongs = |path: &Path| SYSTEM.iter().any(|folder| path.starts_with(folder));
            refuse(stranger(&belongs), "the library of the system")
        }
        Expected::Folders(folders) => {
            let belongs = |path: &Path| folders.iter().any(|folder| path.starts_with(folder));
            let wanted = format!("a library in {}", entry.pointed_at().unwrap_or_default());
            let is_there = loaded.iter().any(|one| belongs(&one.path));
            if is_there && !matches!(entry.origin, Origin::Pointed(_)) {
                return Ok(());
            }
            match stranger(&belongs) {
                None if !is_there => Err(format!("its worker has not loaded {wanted}")),
                stranger => refuse(stranger, &wanted),
            }
        }
    }
    .map_err(|problem| format!("{problem}: it would be measured under a wrong name; {}", remedy(entry)))
}

fn refuse(stranger: Option<&Path>, wanted: &str) -> Result<(), String> {
    match stranger {
        None => Ok(()),
        Some(path) => Err(format!("its worker has loaded {} instead of {wanted}", path.display())),
    }
}

fn remedy(entry: &Entry) -> &'static str {
    match entry.pointed_at() {
        Some(_) => "put the library back in its place, or delete the block in workers/own.toml",
        None => "unset LD_LIBRARY_PATH and LD_PRELOAD, or give that library a name by tlstax libraries add",
    }
}

fn expected(entry: &Entry) -> Expected {
    if let Some(folders) = entry.pointed_at() {
        let real = |folder: PathBuf| folder.canonicalize().unwrap_or(folder);
        return Expected::Folders(std::env::split_paths(folders).map(real).collect());
    }
    let Some(block) = entry.block() else { return Expected::Any };
    match (block.worker, &block.source) {
        (Some(Worker::Native), _) if !block.archives.is_empty() => Expected::Program,
        (Some(Worker::Rustls | Worker::Mock | Worker::Lean), _) => Expected::Program,
        (Some(Worker::Native), Some(Source::System(_))) => Expected::System,
        (Some(Worker::Go | Worker::Java | Worker::Node), _) => Expected::System,
        _ => Expected::Any,
    }
}

/// A file that a later process of the same library has loaded in place of the one that the first had. Others may come and go: a
/// virtual machine loads what it needs when it needs it.
pub fn other_file<'a>(before: &[Loaded], now: &'a [Loaded]) -> Option<&'a Path> {
    let is_other = |one: &&Loaded| match before.iter().find(|earlier| earlier.path == one.path) {
        Some(earlier) => earlier != *one,
        None => is_library(&one.path),
    };
    now.iter().find(is_other).map(|one| one.path.as_path())
}

/// Whether a file is a TLS library, by its name.
fn is_library(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    LIBRARIES.iter().any(|library| name.starts_with(library))
}

#[cfg(test)]
mod tests {
    use tlstax_spec::Id;

    use super::*;
    use crate::registry::Block;

    fn check_files(block: Block, files: &[&str]) -> Result<(), String> {
        let loaded = |file: &&str| Loaded::at(Path::new(file));
        check(&block.into(), &files.iter().map(loaded).collect::<Vec<_>>())
    }

    fn system() -> Block {
        let source = Some(Source::System("libssl-dev".to_owned()));
        Block { source, worker: Some(Worker::Native), ..Block::new(Id::literal("openssl"), "?") }
    }

    #[test]
    fn d02_the_systems_library_comes_from_the_system() {
        let of_system = "/usr/lib/x86_64-linux-gnu/libssl.so.3";
        assert_eq!(check_files(system(), &["/w/openssl", of_system]), Ok(()));
        for elsewhere in ["/usr/local/lib/libssl.so.3", "/home/me/lib/libcrypto.so.3"] {
            let error = check_files(system(), &["/w/openssl", of_system, elsewhere]).unwrap_err();
            assert!(error.contains(elsewhere) && error.contains("LD_LIBRARY_PATH"), "{error}");
        }
    }

    #[test]
    fn d02_no_shared_library_stands_beside_one_that_is_linked_statically() {
        let archives = vec!["ssl".to_owned()];
        let of_source = Block { archives, source: None, ..system() };
        let rustls = Block { worker: Some(Worker::Rustls), ..Block::new(Id::literal("rustls-ring"), "?") };
        for block in [of_source, rustls] {
            assert_eq!(check_files(block.clone(), &["/w/program", "/usr/lib/libc.so.6"]), Ok(()));
            let error = check_files(block, &["/w/program", "/usr/lib/libcrypto.so.3"]).unwrap_err();
            assert!(error.contains("/usr/lib/libcrypto.so.3"), "{error}");
        }
    }

    #[test]
    fn d02_a_worker_that_was_pointed_at_a_folder_loads_all_of_its_library_from_there() {
        let env = [("LD_LIBRARY_PATH".to_owned(), "/opt/mine/lib".to_owned())].into();
        let program = vec!["target/workers/bin/openssl".to_owned()];
        let mine = Block { env, program, ..Block::new(Id::literal("mine"), "?") };
        let (ssl, crypto) = ("/opt/mine/lib/libssl.so.3", "/opt/mine/lib/libcrypto.so.3");
        assert_eq!(check_files(mine.clone(), &["/w/openssl", ssl, crypto]), Ok(()));
        for files in [
            &["/w/openssl", ssl, "/usr/lib/libcrypto.so.3"][..],
            &["/w/openssl", "/usr/lib/libssl.so.3", "/usr/lib/libcrypto.so.3"],
            &["/w/openssl"],
        ] {
            let error = check_files(mine.clone(), files).unwrap_err();
            assert!(error.contains("/opt/mine/lib") && error.contains("own.toml"), "{error}");
        }
    }
}
