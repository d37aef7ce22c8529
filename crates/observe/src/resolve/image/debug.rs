//! Symbols that are kept apart from the file that they are of.

use std::fs::File;
use std::io::{Cursor, Read};
use std::path::PathBuf;

use object::ReadCache;
use object::read::ReadRef;
use xz4rust::XzReader;

use super::elf_file;
use crate::resolve::machine::Architecture;
use crate::resolve::symbols::Symbols;

/// Where distributions install debugging information, by build id.
const FOLDER: &str = "/usr/lib/debug/.build-id";

/// The most bytes that packed symbols may have: those of the largest programs have a few million.
const UNPACKED: u64 = 256 << 20;

/// Adds what a separate file of debugging information has, where it is installed.
pub fn add_symbols(build_id: &str, architecture: Architecture, symbols: &mut Symbols) {
    if let Some(file) = path(build_id).and_then(|path| File::open(path).ok()) {
        add(&ReadCache::new(&file), architecture, symbols);
    }
}

/// Adds what `.gnu_debugdata` has, which Fedora and its relatives leave in a stripped file: a file of its own, packed by xz.
pub fn add_packed(packed: Vec<u8>, architecture: Architecture, symbols: &mut Symbols) {
    let mut bytes = Vec::new();
    if XzReader::new(Cursor::new(packed)).take(UNPACKED).read_to_end(&mut bytes).is_ok() {
        add(bytes.as_slice(), architecture, symbols);
    }
}

fn add<'d, R: ReadRef<'d>>(data: R, architecture: Architecture, symbols: &mut Symbols) {
    if let Ok(file) = elf_file::open(data, architecture) {
        symbols.gather(&file, |address| elf_file::is_code(&file, address));
    }
}

/// `/usr/lib/debug/.build-id/ab/cdef….debug`.
fn path(build_id: &str) -> Option<PathBuf> {
    let (first, rest) = build_id.split_at_checked(2)?;
    let is_plain = build_id.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_plain && !rest.is_empty()).then(|| format!("{FOLDER}/{first}/{rest}.debug").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_id_is_a_path_of_two_parts() {
        assert_eq!(path("30563306"), Some("/usr/lib/debug/.build-id/30/563306.debug".into()));
        assert_eq!((path("30"), path(""), path("../../etc/passwd")), (None, None, None));
    }

    #[test]
    fn what_is_not_packed_adds_nothing() {
        let mut symbols = Symbols::default();
        add_packed(b"no xz".to_vec(), Architecture::X86_64, &mut symbols);
        assert!(symbols.around(0, |_| u64::MAX).is_none());
    }
}
