//! Which files the kernel has mapped as code into a process: what was really loaded, whatever was asked for.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::command::{self, Run};

/// Which file a program is: rebuilt, it is another one even under the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Program {
    device: u64,
    inode: u64,
    changed_s: i64,
}

/// The file that a process runs.
///
/// # Errors
/// There is no such process, or it may not be looked at.
pub fn program(pid: u32) -> io::Result<Program> {
    let found = fs::metadata(format!("/proc/{pid}/exe"))?;
    Ok(Program { device: found.dev(), inode: found.ino(), changed_s: found.ctime() })
}

/// The program and the shared objects mapped executable into a process, each once, in the order of their addresses.
///
/// # Errors
/// There is no such process, or its maps may not be read.
pub fn mapped_code(pid: u32) -> io::Result<Vec<PathBuf>> {
    Ok(parse(&fs::read_to_string(format!("/proc/{pid}/maps"))?))
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
fn parse(maps: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for line in maps.lines() {
        let mut fields = line.split_ascii_whitespace();
        let permissions = fields.nth(1).unwrap_or_default();
        // The path is the rest of the line: it may hold blanks.
        let path = line.find('/').map(|start| PathBuf::from(&line[start..]));
        if let Some(path) = path.filter(|path| permissions.contains('x') && !found.contains(path)) {
            found.push(path);
        }
    }
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
        assert_eq!(parse(maps), [PathBuf::from("/opt/a worker"), PathBuf::from("/usr/lib/libcrypto.so.3")]);
    }
}
