//! Which TLS library a program uses, read from the files that are loaded: their makers write name and version into them.

use std::fs;
use std::path::{Path, PathBuf};

/// How OpenSSL and its relatives name themselves in their files: this, and a version after it.
const NAMES: [&str; 3] = ["OpenSSL ", "LibreSSL ", "AWS-LC "];

/// What a file holds that calls zlib's DEFLATE, and one that has zlib's in it.
const ZLIB: [&str; 2] = ["deflateInit_", " deflate 1."];

/// Before the version of the compiler, and with it of crypto/tls, in programs in Go: the magic, 18 bytes that describe it, and its
/// length.
const GO: &[u8] = b"\xff Go buildinf:";
const GO_LENGTH_AT: usize = 32;

/// The magic is at such a place.
const GO_ALIGNED: usize = 16;

/// Name and version of the TLS library among a program and what is loaded for it; none if they do not say.
pub fn version(objects: &[PathBuf]) -> Option<String> {
    // A program may hold the version that it was built with, too; what counts is the shared object.
    let shared = objects.iter().filter(|path| is_tls(path));
    let file = shared.min_by_key(|path| !is_named(path, "libcrypto")).or(objects.first())?;
    let contents = fs::read(file).ok()?;
    go(&contents).or_else(|| NAMES.iter().find_map(|name| after(&contents, name)))
}

/// Whether the TLS library among what is loaded can compress: it calls zlib's function by name, or has zlib in it, whose maker is
/// named there. A program may have zlib for something else.
pub fn has_deflate(objects: &[PathBuf]) -> bool {
    let holds = |contents: &[u8], words: &[u8]| contents.windows(words.len()).any(|window| window == words);
    let can = |path: &&PathBuf| {
        fs::read(path).is_ok_and(|contents| ZLIB.iter().any(|words| holds(&contents, words.as_bytes())))
    };
    objects.iter().filter(|path| is_tls(path)).any(|path| can(&path))
}

/// A shared object of a TLS library that is mapped, where others of such a library were to be loaded.
pub fn stranger<'a>(mapped: &'a [PathBuf], objects: &[PathBuf]) -> Option<&'a Path> {
    if !objects.iter().any(|path| is_tls(path)) {
        // A script that starts the program: nobody could tell what that loads.
        return None;
    }
    let is_it = |path: &Path| objects.iter().any(|one| one == path || is_same(one, path));
    mapped.iter().map(PathBuf::as_path).find(|path| is_tls(path) && !is_it(path))
}

fn is_same(one: &Path, other: &Path) -> bool {
    fs::canonicalize(one).ok().zip(fs::canonicalize(other).ok()).is_some_and(|(one, other)| one == other)
}

fn is_tls(path: &Path) -> bool {
    is_named(path, "libcrypto") || is_named(path, "libssl")
}

fn is_named(path: &Path, library: &str) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.strip_prefix(library).is_some_and(|rest| rest.starts_with(['.', '-']))
}

/// The name with the version that follows it. Sentences begin with the name, too, and do not go on with a number.
fn after(contents: &[u8], name: &str) -> Option<String> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b".-+".contains(byte);
    let version = |at: usize| {
        let rest = &contents[at + name.len()..];
        let end = rest.iter().position(|byte| !is_part(byte))?;
        let is_version = rest[0].is_ascii_digit() && rest[..end].contains(&b'.');
        is_version.then(|| format!("{name}{}", String::from_utf8_lossy(&rest[..end])))
    };
    let places = contents.windows(name.len()).enumerate().filter(|(_, window)| *window == name.as_bytes());
    places.map(|(at, _)| at).find_map(version)
}

fn go(contents: &[u8]) -> Option<String> {
    let at = contents.chunks(GO_ALIGNED).position(|chunk| chunk.starts_with(GO))? * GO_ALIGNED;
    let length = usize::from(*contents.get(at + GO_LENGTH_AT)?);
    let text = contents.get(at + GO_LENGTH_AT + 1..)?.get(..length)?;
    let version = std::str::from_utf8(text).ok()?.strip_prefix("go")?;
    Some(format!("crypto/tls of Go {}", version.split(' ').next()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn save(folder: &Path, name: &str, contents: &[u8]) -> PathBuf {
        let path = folder.join(name);
        tlstax_doc::write(&path, contents).unwrap();
        path
    }

    #[test]
    fn the_shared_object_speaks_before_the_program() {
        let folder = tempfile::tempdir().unwrap();
        let program = save(folder.path(), "nginx", b"\0built with OpenSSL 3.0.22 25 Aug 2026\0");
        let ssl = save(folder.path(), "libssl.so.3", b"\0OpenSSL 9.9.9 1 Jan 1970\0");
        let crypto =
            save(folder.path(), "libcrypto.so.3", b"\0OpenSSL PKCS#1 RSA\0OpenSSL 3.0.19 27 Jan 2026\0");
        let of = |objects: &[&PathBuf]| version(&objects.iter().copied().cloned().collect::<Vec<_>>());
        assert_eq!(of(&[&program, &ssl, &crypto]).as_deref(), Some("OpenSSL 3.0.19"));
        assert_eq!(of(&[&program]).as_deref(), Some("OpenSSL 3.0.22"));
        let other = save(folder.path(), "libcrypto.so.52", b"\0LibreSSL 3.8.2\0");
        assert_eq!(of(&[&program, &other]).as_deref(), Some("LibreSSL 3.8.2"));
        let none = save(folder.path(), "busybox", b"OpenSSL 3");
        assert_eq!((of(&[&none]), of(&[])), (None, None));
    }

    #[test]
    fn zlib_counts_in_a_tls_library_only() {
        let folder = tempfile::tempdir().unwrap();
        let calls = b"\0inflateEnd\0deflateInit_\0";
        let program = save(folder.path(), "apache2", calls);
        let plain = save(folder.path(), "libcrypto.so.3", b"\0zlib compression\0");
        assert!(!has_deflate(&[program.clone(), plain]));
        let linked = save(folder.path(), "libcrypto.so.1.1", calls);
        assert!(has_deflate(&[program.clone(), linked]));
        let whole = save(folder.path(), "libcrypto.so.1.0.0", b"\0 deflate 1.2.13 Copyright 1995-2022 \0");
        assert!(has_deflate(&[program, whole]));
        assert!(!has_deflate(&[folder.path().join("libssl.so.3")]));
    }

    #[test]
    fn programs_in_go_bring_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let mut contents = b"\x7fELF............\xff Go buildinf:\x08\x02".to_vec();
        contents.resize(GO_ALIGNED + GO_LENGTH_AT, 0);
        contents.extend(b"\x08go1.19.8\x00rest");
        let caddy = save(folder.path(), "caddy", &contents);
        assert_eq!(version(std::slice::from_ref(&caddy)).as_deref(), Some("crypto/tls of Go 1.19.8"));
        let short = save(folder.path(), "short", &contents[..40]);
        assert_eq!(version(&[short]), None);
    }

    #[test]
    fn what_was_not_to_be_loaded_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let [ours, theirs] = ["libssl.so.3", "libssl.so.1.1"].map(|name| save(folder.path(), name, b""));
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(folder.path(), &link).unwrap();
        let mapped = [PathBuf::from("/bin/cat"), ours.clone(), PathBuf::from("/lib/libssl_wrapper.so")];
        assert_eq!(stranger(&mapped, &[link.join("libssl.so.3")]), None);
        assert_eq!(stranger(&mapped, &[theirs]), Some(ours.as_path()));
        assert_eq!(stranger(&mapped, &["/usr/local/bin/wrapper".into()]), None);
    }
}
