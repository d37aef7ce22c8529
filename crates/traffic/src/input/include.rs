//! Configurations of servers with the files that they include.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::format::NoFormat;
use crate::access::{Configuration, Server};
use crate::glob;

/// So many files are read: more is a circle of links.
const MOST_FILES: usize = 1_000;

/// A configuration is no larger than that.
const LARGEST: u64 = 64 << 20;

/// Reads a configuration with all that it includes. Files that are not there may be meant not to be.
///
/// # Errors
/// A file cannot be read, or is no configuration of that server.
pub fn read(server: Server, file: &Path) -> Result<Configuration, NoFormat> {
    let folder = file.parent().unwrap_or_else(|| Path::new("")).to_owned();
    let mut configuration = Configuration::new(server);
    let (mut known, mut next) = (BTreeSet::new(), vec![file.to_owned()]);
    while let Some(path) = next.pop() {
        if !known.insert(path.clone()) || known.len() > MOST_FILES {
            continue;
        }
        let text = match text(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound && path != *file => continue,
            Err(source) => return Err(NoFormat::Read { path, source }),
        };
        let included = configuration.read(&text, &path.display().to_string())?;
        // The first one is the next that is taken.
        next.extend(included.iter().rev().flat_map(|pattern| named(&folder, pattern).into_iter().rev()));
    }
    Ok(configuration)
}

fn text(path: &Path) -> io::Result<String> {
    let size = fs::metadata(path)?.len();
    if size > LARGEST {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "no configuration is that large"));
    }
    Ok(String::from_utf8_lossy(&fs::read(path)?).into_owned())
}

/// The files of a pattern, in order; of a folder, the files in it.
fn named(folder: &Path, pattern: &str) -> Vec<PathBuf> {
    let mut found = vec![PathBuf::new()];
    for part in folder.join(pattern).components() {
        found = match part {
            Component::Normal(name) if has_signs(name.as_encoded_bytes()) => {
                found.iter().flat_map(|path| fitting(path, name.as_encoded_bytes())).collect()
            }
            part => found.into_iter().map(|path| path.join(part)).collect(),
        };
    }
    found.into_iter().flat_map(|path| if path.is_dir() { fitting(&path, b"*") } else { vec![path] }).collect()
}

fn has_signs(name: &[u8]) -> bool {
    name.iter().any(|byte| b"*?".contains(byte))
}

/// What of a folder fits a pattern, in order. What is hidden is not meant.
fn fitting(folder: &Path, pattern: &[u8]) -> Vec<PathBuf> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries
        .filter_map(Result::ok)
        .filter(|entry| {
            let name = entry.file_name();
            let name = name.as_encoded_bytes();
            glob::fits(pattern, name) && (!name.starts_with(b".") || pattern.starts_with(b"."))
        })
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_included_is_read_in_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            tlstax_doc::write(&path, text.as_bytes()).unwrap();
            path
        };
        let main = write(
            "nginx.conf",
            "http { log_format a '$status'; include conf.d/*.conf; include missing.conf; include nginx.conf; }",
        );
        write("conf.d/b.conf", "log_format b '$request';");
        write("conf.d/a.conf", "log_format a '$remote_addr $status';");
        write("conf.d/.hidden.conf", "log_format hidden '$status';");
        let configuration = read(Server::Nginx, &main).unwrap();
        assert_eq!(configuration.names().collect::<Vec<_>>(), ["combined", "a", "a", "b"]);
        let missing = read(Server::Nginx, &folder.path().join("none")).unwrap_err();
        assert!(missing.to_string().starts_with("cannot read the configuration"), "{missing}");
    }
}
