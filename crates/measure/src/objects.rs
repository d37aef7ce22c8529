//! Which files the kernel has mapped as code into a process: what was really loaded, whatever was asked for.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::command::{self, Run};

/// A file that is mapped as code, and which file it is: rebuilt, it is another one even under the same name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Loaded {
    pub path: PathBuf,
    /// The device, major:minor.
    device: String,
    inode: u64,
    /// When the file of that name was last changed; none if it is gone.
    changed_s: Option<i64>,
}

impl Loaded {
    /// A file of which no more is known than where it is.
    pub fn at(path: &Path) -> Self {
        Self { path: path.to_owned(), ..Self::default() }
    }
}

/// The program and the shared objects mapped executable into a process, each once, in the order of their paths: that of their
/// addresses is another in each process.
///
/// # Errors
/// There is no such process, or its maps may not be read.
pub fn loaded(pid: u32) -> io::Result<Vec<Loaded>> {
    let mut found = parse(&fs::read_to_string(format!("/proc/{pid}/maps"))?);
    for one in &mut found {
        one.changed_s = fs::metadata(&one.path).ok().map(|file| file.ctime());
    }
    Ok(found)
}

/// A program, or a module of one, and the shared objects that the dynamic linker would load for it with these variables set, as
/// `ldd` says; a static program alone.
///
/// # Errors
/// There is no such file, or nobody to ask.
pub fn linked_code(program: &Path, environment: &[(String, String)]) -> io::Result<Vec<PathBuf>> {
    let ask = Run {
        program: "ldd".to_owned(),
        arguments: vec![program.display().to_string()],
        folder: "/".into(),
        environment: environment.to_vec(),
        ..Run::default()
    };
    let output = command::answer(&ask).map_err(io::Error::other)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut found = vec![fs::canonicalize(program)?];
    // Lines are `name => path (address)`.
    let paths = text.lines().filter_map(|line| line.split_once("=> ")?.1.split_ascii_whitespace().next());
    found.extend(paths.filter(|path| path.starts_with('/')).map(PathBuf::from));
    Ok(found)
}

/// Reads `address perms offset device inode path` lines.
fn parse(maps: &str) -> Vec<Loaded> {
    let mut found: Vec<Loaded> = Vec::new();
    for line in maps.lines() {
        let fields: Vec<&str> = line.split_ascii_whitespace().take(5).collect();
        let [_, permissions, _, device, inode] = fields[..] else { continue };
        // The path is the rest of the line: it may hold blanks.
        let Some(path) = line.find('/').map(|start| PathBuf::from(&line[start..])) else { continue };
        if permissions.contains('x') && found.iter().all(|one| one.path != path) {
            let inode = inode.parse().unwrap_or_default();
            found.push(Loaded { path, device: device.to_owned(), inode, changed_s: None });
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_found_once_and_nothing_else() {
        let maps = "\
00400000-00452000 r--p 00000000 08:02 173521 /opt/a worker
00452000-00460000 r-xp 00052000 08:02 173521 /opt/a worker
7f00-7f10 r-xp 00000000 08:02 99 /usr/lib/libcrypto.so.3
7f10-7f20 r-xp 00010000 08:02 99 /usr/lib/libcrypto.so.3
7f30-7f40 rw-p 00000000 00:00 0
7ffe-7fff r-xp 00000000 00:00 0 [vdso]
";
        let found: Vec<_> = parse(maps).into_iter().map(|one| (one.path, one.inode)).collect();
        assert_eq!(found, [("/opt/a worker".into(), 173_521), ("/usr/lib/libcrypto.so.3".into(), 99)]);
    }
}
